import numpy as np
import pymupdf
import pytest

from bookreader.book import Box
from bookreader.drawing import LIGHT, draw_at_once, draw_in_sandbox
from bookreader.errors import BadFile, PictureTooLarge
from tests.support.pdfs import a_pdf, draw_here

BOX = Box(60, 300, 160, 320)


def pixels_of(png: bytes) -> np.ndarray:
    """(height, width, 3)."""
    picture = pymupdf.Pixmap(png)
    return np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, picture.n)


def drawn(pdf: bytes, lit: list[Box], scale: float) -> bytes:
    """The first page."""
    [png] = draw_here(pdf, [(0, lit)], scale)
    assert isinstance(png, bytes)
    return png


def test_a_page_is_drawn_at_the_scale_asked_for_with_its_boxes_lit_and_nothing_else() -> None:
    plain, lit = (pixels_of(drawn(a_pdf(), boxes, 1.0)) for boxes in ([], [BOX]))
    changed = np.argwhere((plain != lit).any(axis=2))
    assert tuple(lit[310, 100]) == LIGHT
    assert changed.min(axis=0).tolist() == [300, 60]
    assert changed.max(axis=0).tolist() == [319, 159]

    over_text = Box(50, 50, 350, 80)
    assert pixels_of(drawn(a_pdf(), [over_text], 2.0))[100:160, 100:700].min() < 60


@pytest.mark.parametrize("second", [Box(40, 326, 200, 346), Box(40, 312, 200, 332)], ids=["apart", "overlapping"])
def test_the_light_of_successive_lines_meets_halfway(second: Box) -> None:
    lit = pixels_of(drawn(a_pdf(), [BOX, second, Box(60, 500, 160, 520), Box(220, 330, 300, 350)], 1.0)) == LIGHT

    rows = np.flatnonzero(lit.all(axis=2)[:, 100]).tolist()
    assert rows == [*range(300, round(second.y1)), *range(500, 520)]
    assert np.flatnonzero(lit.all(axis=2)[:, 250]).tolist() == [*range(330, 350)]


@pytest.mark.parametrize(("fill", "shown"), [((1, 0, 0), (255, 0, 0)), ((0.4,) * 3, (99,) * 3), ((0.9,) * 3, (230,) * 3)])
def test_what_is_coloured_or_shaded_stays_so(fill: tuple[float, float, float], shown: tuple[int, int, int]) -> None:
    with pymupdf.open(stream=a_pdf()) as document:
        document[0].draw_rect(pymupdf.Rect(200, 400, 220, 420), fill=fill, color=fill)
        coloured = bytes(document.tobytes())

    picture = pixels_of(drawn(coloured, [BOX], 1.0))

    assert tuple(picture[410, 210]) == shown
    assert tuple(picture[310, 100]) == LIGHT


def test_a_child_at_hand_draws_the_same_each_time_and_lives_through_a_bad_file() -> None:
    draw = draw_at_once()

    answers = [draw(pdf, [(0, [BOX])], 1.0) for pdf in (a_pdf(), b"not a pdf", a_pdf())]

    assert answers[0] == answers[2] == [drawn(a_pdf(), [BOX], 1.0)]
    assert isinstance(answers[1][0], BadFile)


def test_a_turned_page_is_lit_as_it_is_displayed() -> None:
    with pymupdf.open(stream=a_pdf()) as document:
        document[0].set_rotation(90)
        turned = bytes(document.tobytes())

    picture = pixels_of(drawn(turned, [BOX], 1.0))

    assert picture.shape == (400, 600, 3)
    assert tuple(picture[310, 100]) == LIGHT


def test_pages_are_drawn_in_order_and_neither_one_too_large_nor_one_a_child_dies_of_costs_another() -> None:
    with pymupdf.open(stream=a_pdf()) as document:
        document.new_page(width=14_000, height=14_000)
        poster = bytes(document.tobytes())
    lit, refused, plain = draw_in_sandbox(poster, [(0, [BOX]), (1, []), (0, [])], 1.0)
    assert (lit, plain) == (drawn(poster, [BOX], 1.0), drawn(poster, [], 1.0))
    assert isinstance(refused, PictureTooLarge)
    assert "smaller scale" in str(refused)

    first, missing, last = draw_in_sandbox(a_pdf(), [(0, []), (99, []), (0, [])], 1.0)
    assert first == last == drawn(a_pdf(), [], 1.0)
    assert isinstance(missing, BadFile)


@pytest.mark.parametrize("pdf", [b"not a pdf", b""])
def test_a_page_that_cannot_be_drawn_says_so(pdf: bytes) -> None:
    [refusal] = draw_in_sandbox(pdf, [(0, [])], 1.0)

    assert isinstance(refusal, BadFile)
    assert refusal.reason == "cannot_draw"
