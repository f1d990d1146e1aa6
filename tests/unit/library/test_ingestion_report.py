from chapterverse.core.book import Book
from tests.support.press import Design
from tests.support.reading import prose, read, told
from tests.support.typeset import chapter, page, para, scan

TWO_CHAPTERS = [chapter("I", "The Harbour"), *prose(10, 1), chapter("II", "The River"), *prose(10, 2)]


def warned(book: Book, words: str) -> bool:
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


def test_letters_that_cannot_be_read_and_much_text_outside_any_paragraph_are_told_and_nothing_of_a_plain_book() -> None:
    assert read(*TWO_CHAPTERS).report.warnings == ()
    assert not warned(read(*prose(6), page(), *prose(6, 1)), "scanned?")  # an empty page is no scan
    lost = "\ufffd\ufffd\ufffd \ufffd\ufffd the \ufffd\ufffd of \ufffd\ufffd\ufffd\ufffd."
    assert warned(read(*prose(2), *(para(lost) for _ in range(8))), "cannot be read")
    footer = "For the readers of the town only " * 4
    heavy = Design(head="A very long running head on every page", folio="head", footer=footer, bottom=130)

    assert warned(read(*TWO_CHAPTERS, design=heavy), "does not belong to any paragraph")
