import pytest

from bookreader.book import Kind
from bookreader.pdf.flow import FlowLine, flow_of, order_lines
from bookreader.pdf.frame import frames_of
from bookreader.pdf.model import PdfPage
from tests.support.marks import LEADING, LEFT, TOP, a_flow, a_line, a_page, a_style, flowing, full_lines, some_pages


def flowed(pages: list[PdfPage]) -> list[FlowLine]:
    frames = frames_of(pages)
    return flow_of(pages, order_lines(pages, frames), frames)


def test_distances_are_measured_in_lines_and_end_with_the_page() -> None:
    pages = [a_page(*full_lines(10, page=i), *full_lines(10, TOP + 11 * LEADING, page=i), index=i) for i in range(3)]

    first = flowed(pages)[:20]

    assert first[0].above is None
    assert first[19].below is None
    assert [each.above for each in first[1:]] == [1.0] * 9 + [2.0] + [1.0] * 9
    assert [each.below for each in first[:-1]] == [each.above for each in first[1:]]


def test_smaller_type_is_measured_by_its_own_leading() -> None:
    small = [
        a_line(f"a smaller line {i} of a quotation", LEFT, TOP + 12 * LEADING + 9 * i, style=a_style(8)) for i in range(12)
    ]
    pages = [a_page(*full_lines(11, page=i), *small, index=i) for i in range(3)]

    quoted = [each for each in flowed(pages) if each.line.size == 8]

    assert [each.above for each in quoted[1:12]] == [pytest.approx(1.0)] * 11


def test_rows_whose_cells_stand_under_each_other_are_a_table() -> None:
    rows = [("Boats", "twelve", "old"), ("Lamps", "forty", "new"), ("Letters", "nine", "lost")]
    cells = [a_line(cell, LEFT + 90 * i, TOP + 60 + 12 * n) for n, row in enumerate(rows) for i, cell in enumerate(row)]

    flow = flowed([a_page(*full_lines(4), *cells), *some_pages(3)[1:]])

    assert [each.text for each in flow if each.kind is Kind.TABLE] == [" ".join(row) for row in rows]
    assert [each.kind for each in flow[:4]] == [Kind.SENTENCE] * 4


def test_two_words_on_one_line_are_no_table() -> None:
    parted = [a_line("It rained", LEFT, TOP + 24), a_line("all day.", LEFT + 80, TOP + 24)]

    flow = flowed([a_page(*full_lines(2), *parted, *full_lines(2, TOP + 36)), *some_pages(3)[1:]])

    assert {each.kind for each in flow} == {Kind.SENTENCE}


@pytest.mark.parametrize(
    ("text", "x0", "centred"), [("The Harbour", 172.5, True), ("The Harbour", 64, False), ("w" * 56, 60, False)]
)
def test_a_centred_line_has_as_much_room_on_both_sides(text: str, x0: float, centred: bool) -> None:
    assert flowing(a_line(text, x0)).is_centred is centred


def test_flows_made_by_hand_are_like_those_read() -> None:
    first, second, third = a_flow("It rained.", "", ("It snowed.", 14), "It thawed.")

    assert [each.above for each in (first, second, third)] == [None, 2.0, 1.0]
    assert [each.below for each in (first, second, third)] == [2.0, 1.0, None]
    assert second.indent == 14
