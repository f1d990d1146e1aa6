import pytest

from bookreader.book import Kind
from bookreader.pdf.frame import frames_of
from bookreader.pdf.model import PdfPage
from bookreader.pdf.page_artefacts import part_margins
from tests.support.marks import LEFT, RIGHT, TOP, a_line, a_style, some_pages
from tests.support.press import Design
from tests.support.prose import Author, plain
from tests.support.reading import of_kind, paragraphs_of, prose, read, told
from tests.support.typeset import para

SMALL = a_style(7)


def parted(pages: list[PdfPage]) -> list[PdfPage]:
    return part_margins(pages, frames_of(pages))


def test_line_numbers_are_dropped() -> None:
    pages = some_pages(6, [a_line("5", LEFT - 20, TOP + 48), a_line("10", LEFT - 20, TOP + 108)])

    for page in parted(pages):
        assert [line.text for line in page.numbers] == ["5", "10"]
        assert len(page.lines) == 30


def test_smaller_type_beside_the_text_is_a_side_note() -> None:
    pages = some_pages(6, [a_line("On boats", RIGHT + 8, TOP + 24, style=SMALL)])

    assert [[line.text for line in page.sidenotes] for page in parted(pages)] == [["On boats"]] * 6


def test_a_line_number_that_came_in_one_line_with_the_text_is_cut_off() -> None:
    joined = a_line("15 the boats were wet", LEFT - 15, TOP + 30 * 12)

    page = parted([*some_pages(5), *some_pages(1, [joined])])[5]

    assert [line.text for line in page.numbers] == ["15"]
    assert page.lines[-1].text == "the boats were wet"


def test_a_hanging_stop_stays_with_its_line() -> None:
    pages = some_pages(6, [a_line("It rained all day long on the harbour and in the whole town.", LEFT + 3, TOP + 360)])

    assert [page.sidenotes for page in parted(pages)] == [()] * 6


def test_the_text_of_a_book_with_line_numbers_has_none_in_it() -> None:
    assert paragraphs_of(read(*prose(12, 5), design=Design(line_numbers=1))) == told(12, 5)


ABOUT = ["boats", "lamps", "the winter", "letters", "rivers", "gardens", "bread", "horses", "stars", "bells"]


@pytest.fixture(scope="module")
def annotated():
    """Every third paragraph has a note beside it."""
    author = Author(6)
    texts = [author.paragraph() for _ in range(30)]
    notes = {3 * i: f"Of {what}" for i, what in enumerate(ABOUT)}
    elements = [para(text, beside=notes.get(i, "")) for i, text in enumerate(texts)]
    return texts, notes, read(*elements, design=Design(right=100, width=400))


def test_side_notes_stay_out_of_the_sentences(annotated) -> None:
    texts, _, book = annotated

    assert [" ".join(paragraph) for paragraph in paragraphs_of(book)] == [plain(text) for text in texts]


def test_side_notes_are_kept_as_such(annotated) -> None:
    _, notes, book = annotated

    assert of_kind(book, Kind.SIDENOTE) == list(notes.values())
