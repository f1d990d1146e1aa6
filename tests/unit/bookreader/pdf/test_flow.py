from dataclasses import replace

import pytest

from bookreader.book import Kind
from bookreader.pdf.flow import FlowLine, PlacedLine, body_style, flow_of, order_lines, pieces_of
from bookreader.pdf.frame import frames_of
from bookreader.pdf.model import Line, PdfPage
from tests.support.marks import LEADING, LEFT, RIGHT, TOP, a_line, a_page, a_style, flowing, full_line, full_lines, some_pages
from tests.support.press import Design
from tests.support.reading import paragraphs_of, prose, read, told
from tests.support.typeset import section


def flowed(pages: list[PdfPage]) -> list[FlowLine]:
    frames = frames_of(pages)
    return flow_of(pages, order_lines(pages, frames), frames)


def test_distances_are_measured_in_lines_by_the_leading_of_their_type() -> None:
    pages = [a_page(*full_lines(10, page=i), *full_lines(10, TOP + 11 * LEADING, page=i), index=i) for i in range(3)]
    first = flowed(pages)[:20]
    assert first[0].above is None
    assert first[19].below is None
    assert [each.above for each in first[1:]] == [1.0] * 9 + [2.0] + [1.0] * 9
    assert [each.below for each in first[:-1]] == [each.above for each in first[1:]]

    small = [
        a_line(f"a smaller line {i} of a quotation", LEFT, TOP + 12 * LEADING + 9 * i, style=a_style(8)) for i in range(12)
    ]
    pages = [a_page(*full_lines(11, page=i), *small, index=i) for i in range(3)]
    quoted = [each for each in flowed(pages) if each.line.size == 8]
    assert [each.above for each in quoted[1:12]] == [pytest.approx(1.0)] * 11


def test_rows_whose_cells_stand_under_each_other_are_a_table_and_two_words_on_one_line_are_none() -> None:
    rows = [("Boats", "twelve", "old"), ("Lamps", "forty", "new"), ("Letters", "nine", "lost")]
    cells = [a_line(cell, LEFT + 90 * i, TOP + 60 + 12 * n) for n, row in enumerate(rows) for i, cell in enumerate(row)]
    flow = flowed([a_page(*full_lines(4), *cells), *some_pages(3)[1:]])
    assert [each.text for each in flow if each.kind is Kind.TABLE] == [" ".join(row) for row in rows]
    assert [each.kind for each in flow[:4]] == [Kind.SENTENCE] * 4

    parted = [a_line("It rained", LEFT, TOP + 24), a_line("all day.", LEFT + 80, TOP + 24)]
    flow = flowed([a_page(*full_lines(2), *parted, *full_lines(2, TOP + 36)), *some_pages(3)[1:]])
    assert {each.kind for each in flow} == {Kind.SENTENCE}


def test_a_centred_line_has_as_much_room_on_both_sides_and_type_stretched_by_a_tenth_of_a_point_is_one() -> None:
    lines = [a_line(text, x0) for text, x0 in (("The Harbour", 172.5), ("The Harbour", 64), ("w" * 56, 60))]
    assert [flowing(line).is_centred for line in lines] == [True, False, False]

    sizes = [*(9.1, 9.0, 8.9) * 4, *[8.1] * 6]
    assert body_style([flowing(full_line(style=a_style(size))) for size in sizes]).size > 8.1


COLUMNS = {2: [(50, 190), (210, 350)], 3: [(50, 140), (155, 245), (260, 350)]}


def ordered(pages: list[PdfPage]) -> list[list[PlacedLine]]:
    return order_lines(pages, frames_of(pages))


def in_columns(count: int, index: int = 0, rows: int = 20, top: float = TOP) -> list[list[Line]]:
    return [[full_line(top + i * LEADING, x0, x1, index) for i in range(rows)] for x0, x1 in COLUMNS[count]]


def shuffled(lines: list[Line]) -> list[Line]:
    """As a PDF may have them: row by row rather than column by column."""
    return sorted(lines, key=lambda line: (line.baseline, -line.x0))


def test_small_type_and_items_beside_the_text_are_read_after_it() -> None:
    text = [full_line(TOP + i * LEADING, 50, 240) for i in range(12)]
    aside = [full_line(TOP + i * LEADING + 2, 260, 350, style=a_style(7)) for i in (4, 5)]
    [placed] = ordered([a_page(*shuffled([*text, *aside]))])
    assert [each.line for each in placed] == [*text, *aside]

    left = [full_line(TOP + i * LEADING, 50, 190) for i in range(12)]
    right = [full_line(TOP + i * LEADING + 1, 210 + 12 * (i // 4), 350) for i in range(12)]
    [placed] = ordered([a_page(*shuffled([*left, *right]))])
    assert [each.line for each in placed] == [*left, *right]


def test_heads_over_all_columns_or_three_part_them_and_one_at_an_edge_or_a_pull_quote_does_not() -> None:
    above, below = in_columns(2, rows=8), in_columns(2, rows=8, top=TOP + 11 * LEADING)
    head = full_line(TOP + 9 * LEADING, LEFT, RIGHT, style=a_style(14))
    pages = [a_page(*(line for column in in_columns(2, i) for line in column), index=i) for i in range(1, 5)]
    first, *_ = ordered([a_page(*shuffled([*above[0], *above[1], head, *below[0], *below[1]])), *pages])
    assert [each.line for each in first] == [*above[0], *above[1], head, *below[0], *below[1]]

    columns = in_columns(3, top=TOP + 3 * LEADING)
    head = a_line("Boats", 180, TOP, style=a_style(18))
    pages = [a_page(*(line for column in in_columns(3, i) for line in column), index=i) for i in range(1, 5)]
    first, *_ = ordered([a_page(*columns[0], *columns[1], *columns[2], head), *pages])
    assert first[0].line == head
    assert [each.line for each in first[1:]] == [*columns[0], *columns[1], *columns[2]]

    indented = [a_line("boats of the old town", 220, TOP + i * LEADING) for i in range(20)]
    pages = [a_page(*in_columns(2)[0], *indented, index=i) for i in range(1, 5)]
    short = a_line("BOATS OF", 180, TOP + 9 * LEADING)
    first, *_ = ordered([a_page(*shuffled([*above[0], *above[1], short, *below[0], *below[1]])), *pages])
    assert [each.line for each in first] == [*above[0], *above[1], short, *below[0], *below[1]]

    left, right = in_columns(2)
    head = a_line("Boats", 210, right[10].baseline, style=a_style(14))
    left[10:11], right[9:12] = [], [head]
    pages = [a_page(*(line for column in in_columns(2, i) for line in column), index=i) for i in range(1, 5)]
    first, *_ = ordered([a_page(*shuffled([*left, *right])), *pages])
    assert [each.line for each in first] == [*left, *right]

    left, right = in_columns(2)
    quote = [a_line(text, 80, left[at].baseline, style=a_style(14)) for text, at in (("Nobody was", 9), ("stung.”", 10))]
    left[8:12], right[10:11] = quote, []
    pages = [a_page(*(line for column in in_columns(2, i) for line in column), index=i) for i in range(1, 5)]
    first, *_ = ordered([a_page(*shuffled([*left, *right])), *pages])
    assert [each.line for each in first] == [*left, *right]


def test_wide_blanks_numbers_of_contents_and_gaps_of_tables_are_no_gutter() -> None:
    [page, *rest] = some_pages(4)
    pieces = [a_line("It rained", LEFT, TOP + 31 * LEADING), a_line("all day.", LEFT + 80, TOP + 31 * LEADING)]
    first, *_ = ordered([page.with_lines([*page.lines, *pieces]), *rest])
    assert first[-1].line.text == "It rained all day."

    for number in ("1", "1.", "(a)"):
        row = [(number, LEFT), ("Of Harbours . . .", LEFT + 30), ("12", RIGHT - 10)]
        page = a_page(*(a_line(text, x0, TOP + i * LEADING) for i in range(20) for text, x0 in row))
        assert {each.line.text for each in ordered([page, *some_pages(6)[1:]])[0]} == {f"{number} Of Harbours . . . 12"}

    edges = [(50, 95), (110, 190), (210, 350)]
    tables = [[full_line(TOP + i * LEADING, *edge, page) for edge in edges for i in range(20)] for page in (1, 3)]
    text = [[line for column in in_columns(2, i) for line in column] for i in (0, 2, 4, 5, 6, 7)]
    pages = [a_page(*lines) for lines in (text[0], tables[0], text[1], tables[1], *text[2:])]
    *_, last = ordered([replace(page, index=i) for i, page in enumerate(pages)])
    assert [each.column for each in last] == [0] * 20 + [1] * 20


@pytest.mark.parametrize(("step", "columns"), [(0, 3), (40, 1)])
def test_texts_side_by_side_are_columns_and_a_river_of_blanks_is_no_gutter(step: int, columns: int) -> None:
    ends = [180 + step * (i % 2) for i in range(6)]
    pieces = [
        piece
        for i, end in enumerate(ends)
        for piece in (full_line(TOP + i * 12, LEFT, end), full_line(TOP + i * 12, end + 15, RIGHT))
    ]
    rest = [line for line in some_pages(1)[0].lines if line.baseline > TOP + 5 * 12]

    first, *_ = ordered([a_page(*pieces, *rest), *[a_page(*each.lines, index=i + 1) for i, each in enumerate(some_pages(5))]])

    assert len({each.columns for each in first}) == columns
    assert [each.line.x0 for each in first[:6]] == [LEFT] * 6


TWO, THREE = Design(width=470, columns=2), Design(width=620, columns=3, size=9, leading=11)
NARROW = replace(TWO, gutter=6)  # which MuPDF reads as a blank of most lines


@pytest.mark.parametrize("design", [TWO, THREE, NARROW], ids=["two", "three", "narrow"])
def test_sections_inside_columns_do_not_part_them(design: Design) -> None:
    book = read(*prose(8, 1), section("The Quay"), *prose(14, 2), section("The Lamps"), *prose(8, 3), design=design)

    assert paragraphs_of(book) == [*told(8, 1), *told(14, 2), *told(8, 3)]


def test_a_sentence_over_two_columns_has_boxes_in_both() -> None:
    book = read(*prose(20, 1), design=TWO)

    boxes = [place.boxes for each in book.sentences for place in each.address.places]
    assert any(a[-1].x0 > a[0].x1 and a[-1].y0 < a[0].y0 for a in boxes if len(a) > 1)


def test_type_of_no_size_is_no_two_pieces() -> None:
    hidden = a_line("hidden", style=a_style(0))

    assert pieces_of(hidden) == [hidden]
