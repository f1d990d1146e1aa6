"""The last look at a paragraph before its sentences may be quoted: whether each line is printed next to the one before it.

Nothing here says what a line is. Where other print of the text's type stands between two lines of a sentence, in a column of
theirs, or follows a line that goes on elsewhere, the paragraph was put together wrongly, whatever step did it."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from bookreader.book import Kind
from bookreader.pdf.blocks import TextBlock
from bookreader.pdf.model import Line, PdfPage

BODY = (0.9, 1.15)  # × the size of the line: print of the text's type
SAME_ROW = 0.4  # × the type size
CLOSE = 1.7  # × the type size: the next line of a column is no farther
SHARED = 0.3  # of the narrower line's width, from which two lines stand in one column
AROUND_TEXT = frozenset(Kind) - {Kind.SENTENCE, Kind.FORMULA}  # kinds that a sentence may be interrupted by

Places = Mapping[tuple[int, int], list[tuple[float, float]]]
"""By page and baseline in points, from where to where lines stand."""


def joints_broken(blocks: Sequence[TextBlock], pages: Iterable[PdfPage]) -> dict[int, frozenset[int]]:
    """By block of running text, the indices of the lines that are no neighbours of those after them. pages: with all lines but
    the page artefacts."""
    apart = places_of(each.line for block in blocks if block.kind in AROUND_TEXT for each in block.lines)
    printed = {page.index: Column([line for line in page.lines if not is_at(line, apart)]) for page in pages}
    found = {}
    for n, block in enumerate(blocks):
        if block.kind is Kind.SENTENCE and len(block.lines) > 1:
            own = places_of(each.line for each in block.lines)
            found[n] = frozenset(i for i, (a, b) in enumerate(pairwise(block.lines)) if is_broken(a.line, b.line, own, printed))
    return {n: joints for n, joints in found.items() if joints}


def places_of(lines: Iterable[Line]) -> Places:
    found = defaultdict[tuple[int, int], list[tuple[float, float]]](list)
    for line in lines:
        found[line.page, round(line.baseline)].append((line.x0, line.x1))
    return found


def is_at(line: Line, places: Places) -> bool:
    """Whether a line is one of these or a part of one: steps divide lines, and join them with others of their row."""
    keys = ((line.page, round(line.baseline) + slip) for slip in (-1, 0, 1))
    return any(x0 <= line.middle <= x1 or line.x0 <= (x0 + x1) / 2 <= line.x1 for key in keys for x0, x1 in places.get(key, ()))


class Column:
    """Lines of a page from the top."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = sorted(lines, key=lambda line: line.baseline)
        self._baselines = [line.baseline for line in self._lines]

    def like(self, line: Line, top: float, bottom: float) -> list[Line]:
        """The lines of that line's type with baselines between these, in other rows."""
        slip = SAME_ROW * line.size
        found = self._lines[bisect_right(self._baselines, top + slip) : bisect_right(self._baselines, bottom - slip)]
        return [other for other in found if BODY[0] <= other.size / line.size <= BODY[1]]


def is_broken(above: Line, below: Line, own: Places, printed: Mapping[int, Column]) -> bool:
    """Whether other print of the type of two successive lines stands between them, or next to one of them where the other is
    elsewhere. own: places of the paragraph's lines."""
    step = below.baseline - above.baseline
    if above.page == below.page and abs(step) < SAME_ROW * above.size:
        return False
    first, second = printed.get(above.page, Column([])), printed.get(below.page, Column([]))
    if above.page == below.page and step > 0 and share(above, below):
        others = [
            other for other in first.like(above, above.baseline, below.baseline) if share(above, other) or share(below, other)
        ]
    else:
        after = first.like(above, above.baseline, above.baseline + CLOSE * above.size)
        before = second.like(below, below.baseline - CLOSE * below.size, below.baseline)
        others = [*(each for each in after if share(above, each)), *(each for each in before if share(below, each))]
    return any(not is_at(other, own) for other in others)


def share(a: Line, b: Line) -> bool:
    """Whether two lines stand in one column."""
    return min(a.x1, b.x1) - max(a.x0, b.x0) > SHARED * min(a.width, b.width)
