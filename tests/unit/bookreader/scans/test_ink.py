import numpy as np
import pytest

from bookreader.ocr import Picture
from bookreader.scans.type_sizes import direction_of, extent_of, ink_of


def lines_of_print(degrees: float, size: int = 500) -> Picture:
    """A grey page with dark rows, turned clockwise."""
    ys, xs = np.mgrid[:size, :size].astype(float)
    tilt = np.radians(degrees)
    across = (ys - size / 2) * np.cos(tilt) - (xs - size / 2) * np.sin(tilt)
    along = (ys - size / 2) * np.sin(tilt) + (xs - size / 2) * np.cos(tilt)
    letters = np.random.default_rng(0).random((60, 200)) < 0.7
    dark = (across % 20 < 8) & letters[(across // 20).astype(int), (along // 3).astype(int)]
    dark &= (np.abs(along) < 180) & (np.abs(across) < 180)
    return np.where(dark, 60, 220).astype(np.uint8)


def test_ink_is_what_is_dark() -> None:
    page = lines_of_print(0)

    assert (ink_of(page) == (page == 60)).all()


def test_a_page_of_one_grey_has_no_ink_and_lies_straight() -> None:
    blank = np.full((100, 100), 250, np.uint8)

    assert not ink_of(blank).any()
    assert direction_of(ink_of(blank)) == 0


@pytest.mark.parametrize("degrees", [0.0, 1.5, -2.3, 4.0, 90.0, 88.5])
def test_the_direction_of_the_lines_is_measured(degrees: float) -> None:
    assert direction_of(ink_of(lines_of_print(degrees))) == pytest.approx(degrees, abs=0.15)


def test_a_box_is_as_tight_as_the_ink_in_it() -> None:
    ink = np.zeros((20, 30), bool)
    ink[5:8, 10:14] = True

    assert extent_of(ink, (2, 1, 25, 18)) == (10, 5, 14, 8)
    assert extent_of(ink, (20, 10, 25, 18)) == (20, 10, 25, 18)
