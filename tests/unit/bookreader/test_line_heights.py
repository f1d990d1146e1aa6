"""Lines set by hand, so that it is known how far they are apart; where they are lit is asked of the picture."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pymupdf
import pytest

from bookreader.book import Box
from bookreader.drawing import LEADING, LIGHT, draw_here

TOP, LEFT = 100.0, 60.0
WORDS = "Some wish it were otherwise"
Setter = Callable[[pymupdf.Page], None]


def typeset(fill: Setter) -> bytes:
    document = pymupdf.open()
    fill(document.new_page(width=400, height=600))
    return bytes(document.tobytes())


def lines(*baselines: float, size: float = 11, font: str = "tiro", x: float = LEFT, text: str = WORDS) -> Setter:
    def fill(page: pymupdf.Page) -> None:
        for y in baselines:
            page.insert_text((x, y), text, fontsize=size, fontname=font)

    return fill


def both(*fills: Setter) -> Setter:
    def fill(page: pymupdf.Page) -> None:
        for each in fills:
            each(page)

    return fill


def boxes_of(pdf: bytes, words: str = "wish") -> list[Box]:
    """Around those words wherever they stand, as high as the font says, as the page is displayed."""
    with pymupdf.open(stream=pdf) as document:
        found = document[0].get_text("words")
        turn = document[0].rotation_matrix
        return [Box(*(pymupdf.Rect(word[:4]) * turn)) for word in found if word[4] == words]


def lit_rows(pdf: bytes, box: Box, *others: Box) -> tuple[float, float]:
    """From where to where the light goes within the box's left and right, in points; others: of the same sentence."""
    [png] = draw_here(pdf, [(0, [box, *others])], 2.0)
    assert isinstance(png, bytes)
    picture = pymupdf.Pixmap(png)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, 3)
    rows = np.flatnonzero((pixels[:, round(box.x0 * 2) : round(box.x1 * 2)] == LIGHT).all(axis=2).any(axis=1)) / 2
    return float(rows.min()), float(rows.max()) + 0.5


def height(pdf: bytes, box: Box) -> float:
    top, bottom = lit_rows(pdf, box)
    return bottom - top


@pytest.mark.parametrize("font", ["tiro", "helv", "cour"])
@pytest.mark.parametrize("leading", [12.0, 15.5, 24.0])
def test_lines_meet_whatever_the_font_and_the_leading(font: str, leading: float) -> None:
    pdf = typeset(lines(*(TOP + leading * n for n in range(5)), font=font))

    lit = [lit_rows(pdf, box) for box in boxes_of(pdf)]

    assert [top - bottom for (_, bottom), (top, _) in pairwise(lit)] == pytest.approx([0] * 4, abs=0.51)
    assert [bottom - top for top, bottom in lit] == pytest.approx([leading] * 5, abs=0.51)


def test_a_paragraph_of_one_line_is_as_high_as_the_lines_of_others() -> None:
    pdf = typeset(lines(100, 115, 130, 154, 178, 193, 208))

    assert height(pdf, boxes_of(pdf)[3]) == pytest.approx(15, abs=0.51)


def test_a_quotation_set_closer_is_lit_so() -> None:
    text = [100 + 24.0 * n for n in range(8)]
    pdf = typeset(lines(*text, 292, 304.5, 317))

    assert [height(pdf, box) for box in boxes_of(pdf)[-2:]] == pytest.approx([12.5, 12.5], abs=0.51)


def test_columns_are_ruled_each_for_itself() -> None:
    pdf = typeset(both(lines(100, 113, 126, 139), lines(106.5, 119.5, 132.5, x=220)))

    assert {round(height(pdf, box)) for box in boxes_of(pdf)} == {13}


def test_what_is_of_another_size_says_nothing_of_a_line() -> None:
    pdf = typeset(both(lines(100, 116, 132), lines(150, 159, 168, size=7, text="Notes wish less")))

    assert [round(height(pdf, box)) for box in boxes_of(pdf)] == [16] * 3 + [9] * 3


def test_a_line_that_nothing_tells_of_has_the_usual_leading() -> None:
    pdf = typeset(lines(100, size=20))

    assert height(pdf, *boxes_of(pdf)) == pytest.approx(20 * LEADING, abs=0.51)


def test_letters_that_stand_higher_do_not_move_the_light() -> None:
    plain = typeset(lines(100, 115, 130))
    raised = typeset(both(lines(100, 115, 130), lines(109, size=7, x=LEFT + 130, text="2")))
    box, *_ = boxes_of(raised, "2")
    line = boxes_of(plain)[1]

    assert lit_rows(raised, Box(line.x0, box.y0, box.x1, line.y1)) == lit_rows(plain, line)


def test_a_drop_capital_is_lit_as_high_as_it_is() -> None:
    pdf = typeset(both(lines(100, 115, 130, x=100), lines(130, size=52, text="S")))
    [capital], beside = boxes_of(pdf, "S"), boxes_of(pdf)

    assert lit_rows(pdf, capital, *beside) == pytest.approx((capital.y0, capital.y1), abs=0.51)


def test_a_turned_page_is_ruled_as_it_is_displayed() -> None:
    with pymupdf.open(stream=typeset(lambda page: None)) as document:
        page = document[0]
        for n in range(4):  # up the sheet, so that it stands upright once the page is turned
            page.insert_text((100 + 17 * n, 500), WORDS, fontsize=11, rotate=90)
        page.set_rotation(90)
        pdf = bytes(document.tobytes())

    assert [round(height(pdf, box)) for box in boxes_of(pdf)] == [17] * 4


def test_lines_that_run_up_a_page_are_lit_as_their_boxes_are() -> None:
    with pymupdf.open(stream=typeset(lambda page: None)) as document:
        for n in range(4):
            document[0].insert_text((100 + 17 * n, 500), WORDS, fontsize=11, rotate=90)
        pdf = bytes(document.tobytes())
    box = boxes_of(pdf)[1]

    assert lit_rows(pdf, box) == pytest.approx((box.y0, box.y1), abs=0.51)


def test_a_cropped_page_is_lit_where_its_lines_are_seen() -> None:
    with pymupdf.open(stream=typeset(lines(100, 116, 132))) as document:
        document[0].set_cropbox(pymupdf.Rect(30, 40, 380, 560))
        pdf = bytes(document.tobytes())
    box = boxes_of(pdf)[1]

    top, bottom = lit_rows(pdf, box)
    assert (top + bottom) / 2 == pytest.approx((box.y0 + box.y1) / 2, abs=0.51)
    assert bottom - top == pytest.approx(16, abs=0.51)
