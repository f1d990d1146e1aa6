"""What can be seen in the picture of a page without reading it: which pixels are ink, and how the lines lie.

Pictures are grey values, (height, width); ink is true where a pixel is dark."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bookreader.ocr import Picture

Ink = npt.NDArray[np.bool_]

STEEPEST = 5.0  # degrees: a page in a scanner lies straighter
STEPS = (0.5, 0.1)  # degrees between the angles tried, first all over, then around the best
LEVEL = 0.1  # degrees: a page that is straighter is not turned, which would blur it
MAX_POINTS = 60_000  # pixels of ink that angles are tried on
SIDEWAYS = 2.0  # × as sharp lines across as along: the page lies on its side

# How lines of text look in a strip of a level page at 75 dpi:
STRIPS = 6  # of a page's width: a column, or a part of one
LINE_PIXELS = (2, 14)  # height of their ink
LINE_INK = (0.08, 0.7)  # share of ink in their rows
EMPTY_ROW = 0.04  # share of ink: less is a gap between lines
EVEN = 0.25  # × the distance of two lines, by which that of the next two differs at most
LINES = 6  # so many evenly one below the other are text; covers and plates have fewer


def ink_of(picture: Picture) -> Ink:
    """The dark pixels: below the value that parts the grey values best (Otsu 1979); none on a page of one grey."""
    counts = np.bincount(picture.reshape(-1), minlength=256).astype(float)
    values = np.arange(256)
    below, above = np.cumsum(counts), counts.sum() - np.cumsum(counts)
    sums = np.cumsum(counts * values)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = below * above * (sums / below - (sums[-1] - sums) / above) ** 2
    return picture <= int(np.argmax(np.nan_to_num(apart))) if np.ptp(picture) else np.zeros(picture.shape, bool)


def direction_of(ink: Ink) -> float:
    """Degrees, clockwise, that the lines of text are turned: a few, or a few more or less than 90.

    Whether a page is upside down cannot be seen here."""
    ys, xs = points_of(ink)
    if not len(ys):
        return 0.0
    level, sharpness = steepness_of(xs, ys)
    upright, other = steepness_of(-ys, xs)
    angle = 90.0 + upright if other > SIDEWAYS * sharpness else level
    return angle if abs(angle) >= LEVEL else 0.0


def points_of(ink: Ink) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Rows and columns of the pixels of ink, evenly thinned out to MAX_POINTS."""
    ys, xs = np.nonzero(ink)
    step = max(1, len(ys) // MAX_POINTS)
    return ys[::step].astype(float), xs[::step].astype(float)


def steepness_of(along: npt.NDArray[np.float64], across: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The angle in degrees at which the lines are sharpest, and how sharp they are: the change from row to row of the ink, as
    rows of text and the gaps between them alternate (Postl 1986)."""

    def sharpness(degrees: float) -> float:
        rows = (across - along * np.tan(np.radians(degrees))).astype(int)
        counts = np.bincount(rows - rows.min()).astype(float)
        return float(np.square(np.diff(counts)).sum())

    best = 0.0
    for step, reach in zip(STEPS, (STEEPEST, STEPS[0]), strict=True):
        best = sharpest(sharpness, best, step, reach)
    return best, sharpness(best)


def sharpest(sharpness: Callable[[float], float], around: float, step: float, reach: float) -> float:
    """The best of the angles around one; of equals the one nearest to it."""
    count = round(reach / step)
    angles = sorted((around + step * i for i in range(-count, count + 1)), key=lambda angle: abs(angle - around))
    return max(angles, key=sharpness)


def shows_lines(ink: Ink) -> bool:
    """Whether lines of text are to be seen on a level page, drawn at 75 dpi: dark bands at even distances."""
    return any(has_lines(strip) for strip in np.array_split(ink, STRIPS, axis=1))


def has_lines(strip: Ink) -> bool:
    """Whether LINES bands of a line's height and darkness come one below the other at even distances."""
    shares = strip.mean(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], shares > EMPTY_ROW, [False]]).astype(np.int8)))
    (low, high), (least, most) = LINE_PIXELS, LINE_INK
    middles: list[float] = []
    for top, bottom in edges.reshape(-1, 2).tolist():
        like_text = low <= bottom - top <= high and least <= shares[top:bottom].mean() <= most
        middles = [*middles, (top + bottom) / 2] if like_text else []
        steps = np.diff(middles[-LINES:])
        if len(steps) == LINES - 1 and np.ptp(steps) <= EVEN * steps.min():
            return True
    return False


def extent_of(ink: Ink, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """The box (x0, y0, x1, y1), in pixels, without empty rows and columns at its edges; as it is if it holds no ink."""
    x0, y0, x1, y1 = round(box[0]), round(box[1]), round(box[2]), round(box[3])
    part = ink[max(y0, 0) : y1, max(x0, 0) : x1]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(rows):
        return box
    left, top = max(x0, 0), max(y0, 0)
    return left + float(columns[0]), top + float(rows[0]), left + float(columns[-1]) + 1, top + float(rows[-1]) + 1


def height_of_first(ink: Ink, box: tuple[float, float, float, float], widest: float) -> float:
    """How high the first letter of the word in a box is, in pixels: its ink up to the first empty column, and no further right
    than `widest`."""
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in box)
    part = ink[y0:y1, x0 : min(x1, x0 + round(widest))]
    filled = part.any(axis=0)
    gaps = np.flatnonzero(~filled & (np.cumsum(filled) > 0))
    rows = np.flatnonzero(part[:, : gaps[0] if len(gaps) else None].any(axis=1))
    return float(rows[-1] - rows[0] + 1) if len(rows) else 0.0
