import pytest

from bookreader.book import Kind
from bookreader.pdf.kinds import part_captions
from tests.support.marks import LEFT, TOP, a_line, a_style, flowing, full_line
from tests.support.press import Design
from tests.support.prose import Author, plain
from tests.support.reading import of_kind, paragraphs_of, prose, read, told
from tests.support.typeset import figure, para

BODY = [flowing(full_line(TOP + 12 * i)) for i in range(12)]


def captions(text: str, size: float = 8, above: float = 4.0) -> list[str]:
    line = flowing(a_line(text, LEFT, 300, style=a_style(size)), above, 2.0)
    return [each.text for each in part_captions([*BODY, line, flowing(full_line(330), 2.0), *BODY]).apart]


@pytest.mark.parametrize(
    "text", ["Figure 3. The quay.", "FIG. 12 — The quay", "Table 2.1: Boats", "Plate IV. The mill", "Map A. The town"]
)
def test_a_run_that_names_a_figure_is_its_caption(text: str) -> None:
    assert captions(text) == [text]


@pytest.mark.parametrize("text", ["Figure 3 shows the quay in winter", "Tables and chairs", "Maps were dear."])
def test_a_sentence_about_a_figure_in_the_text_is_none(text: str) -> None:
    assert captions(text, size=10, above=1.0) == []


def test_captions_are_taken_out_of_the_sentence_they_cut_and_kept() -> None:
    book = read(*prose(6, 1), figure("Figure 1. The old harbour in the winter of that year."), *prose(6, 2))

    assert " ".join(of_kind(book, Kind.CAPTION)) == "Figure 1. The old harbour in the winter of that year."
    assert paragraphs_of(book) == [*told(6, 1), *told(6, 2)]


def test_a_caption_over_two_lines_is_one() -> None:
    text = f"Table 4. {plain(Author(3).paragraph(3))}"

    book = read(*prose(6, 1), figure(text), *prose(6, 2))

    assert " ".join(of_kind(book, Kind.CAPTION)) == text
    assert len({each.address.paragraph_id for each in book.sentences if each.kind is Kind.CAPTION}) == 1


def test_a_picture_inside_a_paragraph_does_not_cut_it() -> None:
    first, second = (
        "The boats lay in the har·bour of the old town and",
        "no·body came to see them un·til the end of the win·ter.",
    )

    book = read(*prose(6, 1), para(first), figure("Figure 2. The boats."), para(second, flush=True), *prose(6, 2))

    assert f"{plain(first)} {plain(second)}" in of_kind(book)


def test_captions_in_columns() -> None:
    book = read(*prose(8, 1), figure("Figure 1. The old harbour."), *prose(8, 2), design=Design(width=470, columns=2))

    assert "The old harbour." in " ".join(of_kind(book, Kind.CAPTION))
    assert paragraphs_of(book) == [*told(8, 1), *told(8, 2)]


@pytest.mark.parametrize("text", ["Figure 1.5 shows the quay in winter.", "Table 2 gives the boats of that year."])
def test_a_sentence_about_a_figure_is_no_caption_though_its_type_is_another(text: str) -> None:
    assert captions(text, size=9.5, above=2.0) == []
