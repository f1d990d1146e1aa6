import pymupdf
import pytest

from bookreader.book import Book, BookId, Chapter, Kind, Oddities
from bookreader.pdf.parse import parse_book
from bookreader.report import unlikely_names
from tests.support.press import Design, Element
from tests.support.reading import prose, read, told
from tests.support.typeset import chapter, page, para, scan, typeset

TORN = [para(f"and the boats of the {place} lay in the harbour all winter.") for place in ("north", "south", "west")]
TWO_CHAPTERS = [chapter("I", "The Harbour"), *prose(10, 1), chapter("II", "The River"), *prose(10, 2)]


def warned(book: Book) -> list[str]:
    return [warning.id for warning in book.report.warnings]


def chapters(*inside: Element) -> list[Element]:
    """Two chapters; the elements stand in the second."""
    return [chapter("I", "The Harbour"), *prose(12, 1), chapter("II", "The River"), *prose(6, 2), *inside, *prose(12, 3)]


def test_a_book_of_plain_prose_has_nothing_odd() -> None:
    report = read(*chapters(), outline=True).report

    assert report.warnings == report.odd_pages == ()
    assert report.oddities == Oddities()
    assert report.kind_shares == {Kind.SENTENCE: 1.0}
    assert (report.outline_entries, report.outline_conflicts, report.label_conflicts) == (2, 0, 0)


@pytest.mark.parametrize(
    ("names", "unlikely"),
    [
        (["The Harbour", "The River", "The Hills"], []),
        (["The Harbour", "[Exeunt.]", "The Hills,", "of the hills"], ["[Exeunt.]", "The Hills,", "of the hills"]),
        (["The Harbour", "Tasks", "The River", "Tasks"], ["Tasks"]),
    ],
)
def test_names_that_chapters_can_hardly_have_are_named(names: list[str], unlikely: list[str]) -> None:
    found = [Chapter(n, None, name) for n, name in enumerate(names)]

    assert unlikely_names(found) == unlikely


def test_numbers_of_chapters_and_exercises_count_on() -> None:
    found = [Chapter(n, number, None) for n, number in enumerate(("I", "II", "8", "III", "IV"))]
    assert unlikely_names(found) == ["8"]

    listed = [para(f"{n}. Draw the {what} of the harbour.") for n, what in enumerate(("walls", "boats", "lamps"), start=1)]
    assert read(*chapters(*listed)).report.oddities == Oddities()


def test_torn_sentences_are_counted_and_the_worst_page_is_named_first() -> None:
    book = read(*chapters(*TORN))
    [page] = book.report.odd_pages
    assert book.report.oddities == page.oddities == Oddities(lower_case=3, unquotable=3)
    assert "the north lay in" in next(each.text for each in book.sentences if each.id == page.sentence)
    assert [block.split()[5] for block in page.text.splitlines() if block.startswith("and")] == ["north", "south", "west"]
    assert warned(book) == ["sentences_begin_in_lower_case", "sentences_shown_as_pictures", "look_at_pages"]
    assert book.report.warnings[-1].values == {"pages": (page.page_label,)}

    far = [para("and nobody saw them."), *prose(30, 5)]
    counts = [page.oddities.lower_case for page in read(*chapters(*far, *TORN)).report.odd_pages]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == 4


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("14 boats lay in the old harbour of the town.", Oddities(number=1)),
        ("the boats lay in the old harbour of the town.", Oddities(lower_case=1, unquotable=1)),
        ("A f B g C h lay D i E.", Oddities(garbled=1, unquotable=1)),
        ("Rent 1881: 4/- 5/6 7/- 8/3 9/11 2/6 3/1 4/2.", Oddities(garbled=1, unquotable=1)),
    ],
)
def test_what_looks_odd_about_a_sentence(text: str, odd: Oddities) -> None:
    assert read(*chapters(para(text))).report.oddities == odd


def with_outline(pdf: bytes, *entries: tuple[int, str, int]) -> Book:
    """Parsed with these entries as its outline: level, title, page from 1."""
    with pymupdf.open(stream=pdf) as document:
        document.set_toc([list(entry) for entry in entries])
        return parse_book(document.tobytes(), BookId("book"))


def test_an_outline_that_pages_contradict_is_not_believed_and_names_above_chapters_need_not_be_printed() -> None:
    strangers = [(1, f"Scan of sheet {name}", i) for i, name in enumerate(["one", "two", "three", "four"], start=1)]
    book = with_outline(typeset(*chapters(*prose(20, 9))), *strangers)
    assert (book.report.outline_entries, book.report.outline_conflicts) == (4, 4)
    assert "outline_not_used" in warned(book)
    assert book.report.chapter_source == "headings"

    plain = read(*chapters())
    second = next(i for each in plain.sentences for i in [each.address.places[0].page_index] if each.address.chapter.index == 1)
    book = with_outline(
        typeset(*chapters()), (1, "Cover", 1), (1, "Main Matter", 1), (2, "I The Harbour", 1), (2, "II The River", second + 1)
    )
    assert [(each.number, each.title) for each in book.chapters] == [("I", "The Harbour"), ("II", "The River")]
    assert book.report.outline_conflicts == 0


def is_warned(book: Book, words: str) -> bool:
    return any(words in str(warning) for warning in book.report.warnings)


def test_the_figures_are_those_of_the_text() -> None:
    report = read(*TWO_CHAPTERS, design=Design(folio="foot", head="Boats")).report

    sentences = [text for paragraph in [*told(10, 1), *told(10, 2)] for text in paragraph]
    assert (report.sentences, report.chapters) == (len(sentences), 2)
    assert report.words == sum(len(text.split()) for text in sentences)
    assert (report.chapter_source, report.label_source) == ("headings", "folios")
    assert 0 < report.outside_share < 0.05


def test_pages_that_are_pictures_are_named_as_a_teacher_counts_them() -> None:
    book = read(*TWO_CHAPTERS, scan(), scan(), scan(), *prose(4, 3), scan(), *prose(4, 4))

    first, second = (str(warning) for warning in book.report.warnings if "without_text" in warning.id)
    last, alone = book.report.pages_without_text[2], book.report.pages_without_text[3]
    assert book.report.pages_without_text == (last - 2, last - 1, last, alone)
    assert first.startswith(f"Pages {last - 1}–{last + 1} have no text")
    assert second.startswith(f"Page {alone + 1} has no text")


def test_letters_that_cannot_be_read_and_much_text_outside_any_paragraph_are_told() -> None:
    assert not is_warned(read(*prose(6), page(), *prose(6, 1)), "scanned?")  # an empty page is no scan
    lost = "\ufffd\ufffd\ufffd \ufffd\ufffd the \ufffd\ufffd of \ufffd\ufffd\ufffd\ufffd."
    assert is_warned(read(*prose(2), *(para(lost) for _ in range(8))), "cannot be read")
    footer = "For the readers of the town only " * 4
    heavy = Design(head="A very long running head on every page", folio="head", footer=footer, bottom=130)

    assert is_warned(read(*TWO_CHAPTERS, design=heavy), "does not belong to any paragraph")
