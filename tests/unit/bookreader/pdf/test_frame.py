from dataclasses import replace

import pytest

from bookreader.pdf.frame import Frame, Leaf, first_word, frames_of, rows_of
from bookreader.scans.recognition import steps_to_common
from tests.support.marks import LEADING, LEFT, RIGHT, TOP, a_line, a_page, a_style, full_lines, some_pages

ODD, EVEN = Leaf(True, 400, 600), Leaf(False, 400, 600)


def test_the_frame_is_where_the_text_stands_on_left_and_right_pages() -> None:
    frames = frames_of(some_pages(8))
    assert frames[ODD] == frames[EVEN]
    assert frames[ODD] == Frame(LEFT, RIGHT, TOP, TOP + 29 * LEADING, size=10, leading=LEADING)

    pages = [a_page(*full_lines(30, x0=LEFT + 20 * (i % 2), x1=RIGHT + 20 * (i % 2)), index=i) for i in range(8)]
    frames = frames_of(pages)
    assert (frames[ODD].left, frames[ODD].right) == (LEFT, RIGHT)
    assert (frames[EVEN].left, frames[EVEN].right) == (LEFT + 20, RIGHT + 20)

    assert frames_of([a_page()])[ODD] == Frame(0, 400, 0, 600, 10, 12)


@pytest.mark.parametrize(
    "artefacts", [a_line("The Harbour", 90, 36), a_line("17", 200, 560), a_line("12", 20, TOP + 3 * LEADING)]
)
def test_what_stands_around_the_text_does_not_widen_the_frame(artefacts) -> None:
    assert frames_of(some_pages(8, [artefacts])) == frames_of(some_pages(8))


def test_pages_that_begin_low_and_columns_that_stand_apart_do_not_lower_the_frame() -> None:
    pages = [a_page(*full_lines(20 if i % 4 == 0 else 30, TOP + 10 * LEADING * (i % 4 == 0)), index=i) for i in range(8)]
    assert frames_of(pages)[ODD].top == TOP

    right = [*full_lines(9, TOP + 6, 210), *full_lines(20, TOP + 10 * LEADING, 210)]
    pages = [a_page(*full_lines(30, x1=190), *right, index=i) for i in range(9)]
    assert frames_of(pages)[ODD].top == TOP

    left = [a_line("Of Harbours", style=a_style(12)), *full_lines(28, TOP + 2 * LEADING, x1=190)]
    assert frames_of([a_page(*left, *full_lines(30, x0=210), index=i) for i in range(9)])[ODD].top == TOP


def test_pieces_on_one_baseline_are_a_row_and_a_number_in_the_margin_is_not_its_first_word() -> None:
    first, second = rows_of([a_line("b", 90, 60), a_line("c", 50, 80), a_line("a", 50, 61)])
    assert [[line.text for line in row] for row in (first, second)] == [["a", "b"], ["c"]]

    line = a_line("15 The boats", LEFT - 30)
    set_off = replace(line, tokens=(line.tokens[0], *(t._replace(x0=t.x0 + 15, x1=t.x1 + 15) for t in line.tokens[1:])))
    assert first_word(set_off).text == "The"
    assert first_word(a_line("It rained")).text == "It"


def test_a_page_without_head_and_folio_stays_where_it_is() -> None:
    whole, bare = (60, 30, 590), (60, 60, 550)
    headless = (60, 55, 585)

    steps = steps_to_common([(0, each) for each in (whole, whole, whole, bare, headless)])

    assert steps == [(0, 0), (0, 0), (0, 0), (0, 0), (0, 5)]
