"""How high a marker is drawn over a line of print: as high as lines are apart there, so that lines of a sentence meet and a
line by itself is lit like them. The boxes of an address are as high as their font says, and each font says something else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

from chapterverse.model import Box

ALIKE = 0.08  # sizes that differ by less, as a share, are of one kind of text
NEAR, APART = 0.5, 2.5  # × the type size: nearer is the same line, farther is no next one; double spacing is 2.4
LEADING = 1.2  # × the type size, where nothing tells: what typesetters take
UPRIGHT = 0.1  # sine of a line's slope
DROPPED = 1.8  # × the lowest box of a sentence; letters that stand higher or lower make one 1.5 times as high


class Line(NamedTuple):
    """A line of print from x0 to x1; middle and size, in points, are those of its larger part: notes stand higher."""

    middle: float
    size: float
    x0: float
    x1: float

    def meets(self, other: Line | Box) -> bool:
        """Whether it stands over, under or in the other, not beside it."""
        return self.x0 < other.x1 and other.x0 < self.x1

    def is_like(self, other: Line) -> bool:
        return abs(self.size - other.size) < ALIKE * max(self.size, other.size)


Beside = Callable[[], Sequence[Sequence[Line]]]
"""The lines of other pages."""


def lines_of(page: Any) -> list[Line]:
    """The upright lines of a page of PyMuPDF, as it is displayed, from its top."""
    import pymupdf  # in the child alone

    flags = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
    lines = [line for block in page.get_text("dict", flags=flags)["blocks"] for line in block["lines"] if line["spans"]]
    return sorted(_line(line, page.rotation_matrix) for line in lines if _is_upright(line["dir"], page.rotation_matrix))


def lines_beside(page: Any) -> list[list[Line]]:
    """Those of the pages before and after it."""
    beside = (page.number - 1, page.number + 1)
    return [lines_of(page.parent[index]) for index in beside if 0 <= index < page.parent.page_count]


def _is_upright(direction: tuple[float, float], turn: Any) -> bool:
    return bool(abs(direction[0] * turn.b + direction[1] * turn.d) < UPRIGHT)


def _line(line: dict[str, Any], turn: Any) -> Line:
    import pymupdf

    larger = max(line["spans"], key=lambda span: span["bbox"][2] - span["bbox"][0])
    whole, part = (pymupdf.Rect(box) * turn for box in (line["bbox"], larger["bbox"]))
    return Line((part.y0 + part.y1) / 2, larger["size"], whole.x0, whole.x1)


def as_high_as_lines(boxes: Sequence[Box], lines: Sequence[Line], beside: Beside = list) -> list[Box]:
    """The boxes, each as high as its line and its share of the space around it; a drop capital stays as it is, and so does
    what is no line here. lines: from the top; beside: asked where they do not tell how far lines of that size are apart."""
    lowest = min((_height(box) for box in boxes), default=0.0)
    under = [(box, _line_under(box, lines) if _height(box) < DROPPED * lowest else None) for box in boxes]
    sizes = {line.size: line for _, line in under if line}
    usual = {size: _usual(line, lines, beside) for size, line in sizes.items()}
    return [_heightened(box, line, lines, usual[line.size]) if line else box for box, line in under]


def _height(box: Box) -> float:
    return box.y1 - box.y0


def _line_under(box: Box, lines: Sequence[Line]) -> Line | None:
    """The line that the box is of, or most of it."""
    here = [line for line in lines if line.meets(box) and box.y0 < line.middle < box.y1]
    return max(here, key=lambda line: min(box.x1, line.x1) - max(box.x0, line.x0), default=None)


def _heightened(box: Box, line: Line, lines: Sequence[Line], usual: float) -> Box:
    """As far as the nearest line is, but no farther than usual: paragraphs have space between them."""
    half = min([usual, *map(abs, _distances(line, lines))]) / 2
    return Box(box.x0, line.middle - half, box.x1, line.middle + half)


def _usual(line: Line, lines: Sequence[Line], beside: Beside) -> float:
    """How far lines like it are apart, here or beside."""
    return _apart(line, lines) or next(filter(None, (_apart(line, some) for some in beside())), LEADING * line.size)


def _apart(line: Line, lines: Sequence[Line]) -> float | None:
    to_next = (_to_next(each, lines) for each in lines if each.is_like(line))
    found = [distance for distance in to_next if distance]
    return median(found) if found else None


def _to_next(line: Line, lines: Sequence[Line]) -> float | None:
    return min((distance for distance in _distances(line, lines) if distance > 0), default=None)


def _distances(line: Line, lines: Sequence[Line]) -> Iterator[float]:
    """To each that is like it and near above it (negative) or below it."""
    far = APART * line.size
    start, end = (bisect_left(lines, (line.middle + reach,)) for reach in (-far, far))
    for other in lines[start:end]:
        distance = other.middle - line.middle
        if abs(distance) > NEAR * line.size and other.is_like(line) and other.meets(line):
            yield distance
