import pymupdf
import pytest

from bookreader.book import Book, BookId, Chapter, Kind, Oddities
from bookreader.pdf.parse import parse_book
from bookreader.report import unlikely_names
from tests.support.press import Element
from tests.support.reading import prose, read
from tests.support.typeset import chapter, para, typeset


def warned(book: Book) -> list[str]:
    return [warning.id for warning in book.report.warnings]


def chapters(*inside: Element) -> list[Element]:
    """Two chapters; the elements stand in the second."""
    return [chapter("I", "The Harbour"), *prose(12, 1), chapter("II", "The River"), *prose(6, 2), *inside, *prose(12, 3)]


TORN = [para(f"and the boats of the {place} lay in the harbour all winter.") for place in ("north", "south", "west")]


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


def test_numbers_of_chapters_count_on_or_are_named() -> None:
    found = [Chapter(n, number, None) for n, number in enumerate(("I", "II", "8", "III", "IV"))]

    assert unlikely_names(found) == ["8"]


def test_torn_sentences_are_counted_and_their_page_is_named() -> None:
    book = read(*chapters(*TORN))

    [page] = book.report.odd_pages
    assert book.report.oddities == page.oddities == Oddities(lower_case=3, unquotable=3)
    assert "the north lay in" in next(each.text for each in book.sentences if each.id == page.sentence)
    assert [block.split()[5] for block in page.text.splitlines() if block.startswith("and")] == ["north", "south", "west"]
    assert warned(book) == ["sentences_begin_in_lower_case", "sentences_shown_as_pictures", "look_at_pages"]
    assert str(book.report.warnings[1]) == "Not quoted, but shown as pictures: 3 that start mid-sentence or end without a stop."
    assert book.report.warnings[-1].values == {"pages": (page.page_label,)}


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


def test_numbers_that_count_on_are_those_of_exercises() -> None:
    listed = [para(f"{n}. Draw the {what} of the harbour.") for n, what in enumerate(("walls", "boats", "lamps"), start=1)]

    assert read(*chapters(*listed)).report.oddities == Oddities()


def test_the_worst_page_comes_first() -> None:
    far = [para("and nobody saw them."), *prose(30, 5)]

    counts = [page.oddities.lower_case for page in read(*chapters(*far, *TORN)).report.odd_pages]

    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == 4


def with_outline(pdf: bytes, *entries: tuple[int, str, int]) -> Book:
    """Parsed with these entries as its outline: level, title, page from 1."""
    with pymupdf.open(stream=pdf) as document:
        document.set_toc([list(entry) for entry in entries])
        return parse_book(document.tobytes(), BookId("book"))


def test_an_outline_that_the_pages_contradict_is_reported_and_not_believed() -> None:
    strangers = [(1, f"Scan of sheet {name}", i) for i, name in enumerate(["one", "two", "three", "four"], start=1)]

    book = with_outline(typeset(*chapters(*prose(20, 9))), *strangers)

    assert (book.report.outline_entries, book.report.outline_conflicts) == (4, 4)
    assert "outline_not_used" in warned(book)
    assert book.report.chapter_source == "headings"


def test_names_above_the_chapters_need_not_be_printed() -> None:
    plain = read(*chapters())
    second = next(i for each in plain.sentences for i in [each.address.places[0].page_index] if each.address.chapter.index == 1)

    book = with_outline(
        typeset(*chapters()), (1, "Cover", 1), (1, "Main Matter", 1), (2, "I The Harbour", 1), (2, "II The River", second + 1)
    )

    assert [(each.number, each.title) for each in book.chapters] == [("I", "The Harbour"), ("II", "The River")]
    assert book.report.outline_conflicts == 0
