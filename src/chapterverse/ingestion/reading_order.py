"""Lines in the order they are read: columns, heads and notes that span them, text in the margins.

A gutter is a stripe that hardly any line crosses while text stands on both sides of it; it is looked for page by page and
believed if many pages show it, or one page shows it plainly. Between two lines that cross the gutters, columns are read from
left to right (recursive cuts: Nagy and Seth 1984, "Hierarchical representation of optically scanned documents")."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from chapterverse.ingestion.frame import Frame, Leaf, leaf_of, rows_of
from chapterverse.ingestion.insets import part_insets
from chapterverse.ingestion.marks import Line, Page, Token, line_of

CROSSED = 0.12  # a stripe may be crossed by at most this share of the rows beside it
WIDTH = 0.7  # of the type size: a gutter is at least this wide
COMMON = 0.25  # of the pages with text: a gutter seen on so many is the book's
PLAIN_ROWS = 8  # rows on either side that make a gutter believable on one page alone
LARGE = 1.15  # × a page's usual size: larger type may be a head over all columns
NEAR = 8.0  # points between the middles of what is one gutter on two pages


@dataclass(frozen=True, slots=True)
class Gutter:
    """The stripe between two columns."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Placed:
    """A whole line in reading order. column: 0 from the left; -1 for a line that spans columns. columns: how many there are."""

    line: Line
    column: int
    columns: int
    band: int


@dataclass(frozen=True, slots=True)
class Ordered:
    """A page's lines as they are read, pieces of one line joined; and blocks of small type that the text runs round."""

    lines: tuple[Placed, ...]
    asides: tuple[tuple[Line, ...], ...]


def order_lines(pages: Sequence[Page], frames: Mapping[Leaf, Frame]) -> list[Ordered]:
    """Every page put in reading order."""
    seen = [gutters_of(page, frames[leaf_of(page)]) for page in pages]
    common = common_gutters(pages, seen)
    return [
        order_page(page, believed(page, own, common[leaf_of(page)]), frames[leaf_of(page)].size)
        for page, own in zip(pages, seen, strict=True)
    ]


def gutters_of(page: Page, frame: Frame) -> list[Gutter]:
    """The stripes of one page that may be gutters, left to right."""
    lines = [line for line in page.lines if line.x1 > frame.left and line.x0 < frame.right]
    if len(lines) < 2:
        return []
    covered = coverage(lines, frame)
    allowed = CROSSED * float(np.percentile(covered, 90))
    stripes = [stripe_at(run, frame) for run in runs_of(covered <= allowed)]
    return [stripe for stripe in stripes if is_gutter(stripe, lines, frame)]


def coverage(lines: Sequence[Line], frame: Frame) -> np.ndarray:
    """How many lines stand over each point of the frame's width."""
    covered = np.zeros(int(frame.width) + 2)
    for line in lines:
        covered[max(0, int(line.x0 - frame.left)) : max(0, int(np.ceil(line.x1 - frame.left)))] += 1
    return covered


def runs_of(mask: np.ndarray) -> Iterator[tuple[int, int]]:
    """[start, end) of each run of True."""
    for value, group in groupby(enumerate(mask), key=lambda pair: bool(pair[1])):
        if value:
            positions = [i for i, _ in group]
            yield positions[0], positions[-1] + 1


def stripe_at(run: tuple[int, int], frame: Frame) -> Gutter:
    return Gutter(frame.left + run[0], frame.left + run[1])


def is_gutter(stripe: Gutter, lines: Sequence[Line], frame: Frame) -> bool:
    """Wide enough, inside the frame, and with at least two lines that begin at its right edge and two that end before it."""
    if stripe.right - stripe.left < WIDTH * frame.size or stripe.left <= frame.left + 1 or stripe.right >= frame.right - 1:
        return False
    after = [line for line in lines if abs(line.x0 - stripe.right) <= 2 * frame.size]
    before = [line for line in lines if line.x1 <= stripe.left + 1]
    return len(after) >= 2 and len(before) >= 2


def common_gutters(pages: Sequence[Page], seen: Sequence[list[Gutter]]) -> dict[Leaf, list[Gutter]]:
    """The gutters that many pages of a leaf show."""
    by_leaf: dict[Leaf, list[list[Gutter]]] = {}
    for page, own in zip(pages, seen, strict=True):
        by_leaf.setdefault(leaf_of(page), []).append(own)
    return {leaf: frequent(all_of) for leaf, all_of in by_leaf.items()}


def frequent(seen: Sequence[list[Gutter]]) -> list[Gutter]:
    """One gutter for each place where at least a quarter of the pages have one: their median."""
    every = sorted((gutter for own in seen for gutter in own), key=lambda gutter: gutter.middle)
    clusters: list[list[Gutter]] = []
    for gutter in every:
        if clusters and gutter.middle - clusters[-1][-1].middle <= NEAR:
            clusters[-1].append(gutter)
        else:
            clusters.append([gutter])
    return [median_of(cluster) for cluster in clusters if len(cluster) >= max(1, COMMON * len(seen))]


def median_of(cluster: Sequence[Gutter]) -> Gutter:
    return Gutter(float(np.median([g.left for g in cluster])), float(np.median([g.right for g in cluster])))


def believed(page: Page, own: Sequence[Gutter], common: Sequence[Gutter]) -> list[Gutter]:
    """The book's gutters, and a page's own where it is plain; none where nothing stands to the right of them."""
    plain = [g for g in own if is_plain(page, g) and all(abs(g.middle - c.middle) > 4 * NEAR for c in common)]
    gutters = sorted([*common, *plain], key=lambda gutter: gutter.middle)
    return [g for g in gutters if any(line.x0 >= g.left for line in page.lines)]


def is_plain(page: Page, gutter: Gutter) -> bool:
    """Many lines on both sides, and those on the right all begin at one of few edges, as words after a wide blank do not."""
    right = [line for line in page.lines if line.x0 >= gutter.left]
    left = [line for line in page.lines if line.x1 <= gutter.right]
    if min(len(right), len(left)) < PLAIN_ROWS:
        return False
    commonest = Counter(round(line.x0) for line in right).most_common(1)[0][1]
    return commonest >= 0.4 * len(right)


def order_page(page: Page, gutters: Sequence[Gutter], size: float) -> Ordered:
    """Bands between spanning lines; in each, column after column from top to bottom."""
    columns = len(gutters) + 1
    placed: list[Placed] = []
    asides: list[tuple[Line, ...]] = []
    for band, (spans, rows) in enumerate(bands_of(page, gutters)):
        for column in [-1] if spans else range(columns):
            own = rows if spans else [line for line in rows if column_of(line, gutters) == column]
            inset = part_insets(own, size)
            lines = whole_lines(page.index, inset.text)
            placed += [Placed(line, column if columns > 1 else 0, columns, band) for line in lines]
            asides += inset.asides
    return Ordered(tuple(placed), tuple(asides))


def bands_of(page: Page, gutters: Sequence[Gutter]) -> Iterator[tuple[bool, list[Line]]]:
    """(whether its lines span the gutters, its lines), from top to bottom."""
    usual = float(np.median([line.size for line in page.lines])) if gutters else 0.0
    for spans, group in groupby(
        rows_of(page.lines),
        key=lambda row: any(crosses(line, gutters) for line in row) or heads(row, page, gutters, usual),
    ):
        yield spans, [line for row in group for line in row]


def heads(row: Sequence[Line], page: Page, gutters: Sequence[Gutter], usual: float) -> bool:
    """Whether a row is a short head over all columns: larger type than the page's usual with nothing beside it."""
    if not gutters or len(row) > 1 or row[0].size <= LARGE * usual:
        return False
    [line] = row
    reach = 0.8 * line.size
    beside = (other for other in page.lines if abs(other.baseline - line.baseline) < reach and other is not line)
    return all(column_of(other, gutters) == column_of(line, gutters) for other in beside)


def crosses(line: Line, gutters: Iterable[Gutter]) -> bool:
    """Whether a line stands over a gutter rather than beside it."""
    return any(line.x0 < gutter.left and line.x1 > gutter.right for gutter in gutters)


def column_of(line: Line, gutters: Sequence[Gutter]) -> int:
    """The column a line begins in."""
    return sum(line.x0 >= gutter.middle for gutter in gutters)


def whole_lines(page: int, pieces: Iterable[Line]) -> list[Line]:
    """Rows of pieces joined into lines, top to bottom."""
    return [row[0] if len(row) == 1 else join(page, row) for row in rows_of(pieces)]


def join(page: int, row: Sequence[Line]) -> Line:
    """One line from pieces on one baseline: that of its longest piece; smaller pieces above it are raised."""
    ruling = max(row, key=lambda line: line.width)
    tokens: list[Token] = [token for line in row for token in line.tokens]
    return line_of(page, tokens, ruling.baseline)
