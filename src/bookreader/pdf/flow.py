"""Lines in reading order: columns, heads and notes that span them, insets; and what decides a line's meaning: the edges of its
column and the space above and below it.

A gutter is a stripe that hardly any line crosses while text stands on both sides. It is searched page by page and accepted if
many pages show it, or one page shows it clearly. Between two lines that cross the gutters, columns are read from left to right
(recursive cuts: Nagy and Seth 1984, "Hierarchical representation of optically scanned documents"). Tables that only their
cells show leave a column before it is read; type of fixed width is none, for a program's words are aligned, too."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

import numpy as np

from bookreader.book import Kind
from bookreader.numerals import value_of
from bookreader.pdf.frame import Frame, Leaf, first_word, is_body_size, is_number, leaf_of, left_edge, rows_of
from bookreader.pdf.model import Line, PdfPage, TextStyle, Token, in_groups, line_of

SAME_WIDTH = 0.02  # of the median: letters of a fixed face differ by no more
FIXED_SHARE = 0.95  # of the words of a fixed face are as wide as their number of letters says
TYPED = 0.8  # of the letters in such faces: a book that is typed, not a book of listings
FEW_WORDS = 4  # different words, at least, that show whether a face is fixed
SHORTEST_SEEN = 3  # letters: shorter words say little about a face
CROSSED = 0.12  # a stripe may be crossed by at most this share of the rows beside it
WIDTH = 0.7  # of the type size: a gutter is at least this wide
NARROW = 0.5  # of the type size: so is one between texts; blanks are narrower
WIDER = 1.5  # × the usual blank of its line: so wide is a blank that may be a gutter
COMMON = 0.25  # of the pages with text: a gutter seen on so many is the book's
PLAIN_ROWS = 8  # rows on either side that make a gutter believable on one page alone
LARGE = 1.15  # × a page's usual size: larger type may be a head over all columns
NEAR = 8.0  # points between the middles of what is one gutter on two pages
ONE_EDGE = 0.4  # of the lines right of a gutter begin at one edge
EDGE = 2.0  # points: lines of a column begin so near each other
ASIDE = 0.8  # × the size of the line beside which smaller type is another text
TEXT = 5  # words of a piece of text; a cell of a table is shorter
FEWEST_ROWS = 2  # of texts side by side are columns
LOCAL = 1000  # more than a page has columns
ENDED = ".!?…:"  # after which a table or picture divides no sentence
APART = 1.18  # × the leading: more than this is a space between paragraphs
LOOSE = 1.3  # × the leading: lines of one paragraph, some of which are set wider, are no further apart
LARGER = 1.07  # × the body's size: headings are at least so large, if size sets them apart
CLOSE = 1.8  # × the size: lines of one inset are no further apart
ALIGNED = 3.0  # points by which cells of one table column may differ
LEADER = re.compile(r"(?:[.·•…]\s?){4,}")
CELL_GAP = 1.0  # × the size: cells are at least so far from each other
BULLETS = "•◦▪‣■□●○►▶✓➢"
ITEM_MARK = re.compile(rf"[{BULLETS}–—*-]|[\[(]?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{1,5}})[.)\]]")


def fixed_faces(pages: Iterable[PdfPage]) -> frozenset[str]:
    """The fonts whose letters are all equally wide; none if the book itself is set in them."""
    widths: defaultdict[str, dict[str, float]] = defaultdict(dict)
    weight: defaultdict[str, int] = defaultdict(int)
    for token in (token for page in pages for line in page.lines for token in line.tokens):
        weight[token.style.font] += len(token.text)
        if len(token.text) >= SHORTEST_SEEN and token.style.size > 0:
            widths[token.style.font][token.text] = (token.x1 - token.x0) / (len(token.text) * token.style.size)
    fixed = frozenset(font for font, seen in widths.items() if is_fixed(list(seen.values())))
    return frozenset() if sum(weight[font] for font in fixed) > TYPED * sum(weight.values()) else fixed


def is_fixed(widths: Sequence[float]) -> bool:
    """Whether words have one width a letter. widths: of different words, per letter and point of size."""
    width = median(widths)
    alike = sum(abs(each - width) <= SAME_WIDTH * width for each in widths)
    return len(widths) >= FEW_WORDS and alike >= FIXED_SHARE * len(widths)


class Gutter(NamedTuple):
    """The stripe between two columns."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A whole line in reading order. column: 0 from the left, -1 for all of the columns. is_row: whether it is a table's."""

    line: Line
    column: int
    columns: int
    band: int
    is_row: bool = False


def order_lines(
    pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame], fixed: frozenset[str] = frozenset()
) -> list[list[PlacedLine]]:
    """All pages in reading order, pieces of one line joined. fixed: fonts of fixed width."""
    gutters = gutters_in(pages, [gutters_of(page, frames[leaf_of(page)]) for page in pages])
    return [order_page(page, own, fixed) for page, own in zip(pages, gutters, strict=True)]


def parted_at_gutters(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> list[PdfPage]:
    """The pages, their lines divided that go on in the next column after a gutter so narrow that it was read as a blank. Such a
    gutter shows on a page where many texts end before wide blanks at one place, and many begin after them."""
    parted = [page.with_lines(piece for line in page.lines for piece in pieces_of(line)) for page in pages]
    seen = [
        gutters_of(part, frames[leaf_of(page)], strictly=True) if len(part.lines) > len(page.lines) else []
        for page, part in zip(pages, parted, strict=True)
    ]
    return [
        page.with_lines(piece for line in page.lines for piece in pieces_of(line, own)) if own else page
        for page, own in zip(pages, gutters_in(parted, seen), strict=True)
    ]


def pieces_of(line: Line, gutters: Sequence[Gutter] | None = None) -> list[Line]:
    """A line divided at blanks that are wide for its type and beside its others; of these, only at those over gutters."""
    blanks = [b.x0 - a.x1 for a, b in pairwise(line.tokens)]
    if not blanks or max(blanks) < NARROW * line.size:
        return [line]
    least = max(NARROW * line.size, WIDER * median(blanks))
    return line.divided(
        lambda a, b: b.x0 - a.x1 >= least and (gutters is None or any(a.x1 <= each.middle <= b.x0 for each in gutters))
    )


def gutters_in(pages: Sequence[PdfPage], seen: Sequence[list[Gutter]]) -> list[list[Gutter]]:
    """What is believed of the gutters seen on each page."""
    by_leaf = defaultdict[Leaf, list[list[Gutter]]](list)
    for page, own in zip(pages, seen, strict=True):
        by_leaf[leaf_of(page)].append(own)
    common = {leaf: frequent(all_of) for leaf, all_of in by_leaf.items()}
    return [believed(page, own, common[leaf_of(page)]) for page, own in zip(pages, seen, strict=True)]


def gutters_of(page: PdfPage, frame: Frame, *, strictly: bool = False) -> list[Gutter]:
    """The stripes of one page that may be gutters, left to right. strictly: only those between many texts."""
    lines = [line for line in page.lines if line.x1 > frame.left and line.x0 < frame.right]
    if len(lines) < 2:
        return []
    covered = np.zeros(int(frame.width) + 2)  # how many lines stand over each point of the frame's width
    for line in lines:
        covered[max(0, int(line.x0 - frame.left)) : max(0, int(np.ceil(line.x1 - frame.left)))] += 1
    allowed = CROSSED * float(np.percentile(covered, 90))
    stripes = [Gutter(frame.left + start, frame.left + end) for start, end in runs_of(covered <= allowed)]
    return [stripe for stripe in stripes if is_gutter(stripe, lines, frame, strictly=strictly)]


def runs_of(mask: np.ndarray) -> Iterator[list[int]]:
    """[start, end) of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    yield from edges.reshape(-1, 2).tolist()


def is_gutter(stripe: Gutter, lines: Sequence[Line], frame: Frame, *, strictly: bool) -> bool:
    """Whether a stripe is wide enough, inside the frame, and has at least two lines beginning at its right edge and two ending
    before it, the numbers of contents and items aside. Many texts begin and end at one that is narrow, or strictly a gutter."""
    width = stripe.right - stripe.left
    if width < NARROW * frame.size or stripe.left <= frame.left + 1 or stripe.right >= frame.right - 1:
        return False
    strictly = strictly or width < WIDTH * frame.size
    texts = [line for line in lines if len(line.tokens) >= TEXT]
    worded = texts if strictly else [line for line in lines if not (value_of(line.text) or ITEM_MARK.fullmatch(line.text))]
    first = stripe.left - 2 * frame.size if strictly else 0.0
    before = sum(first <= line.x1 <= stripe.left + 1 for line in worded)
    after = sum(abs(line.x0 - stripe.right) <= 2 * frame.size for line in worded)
    return min(before, after) >= (PLAIN_ROWS if strictly else 2)


def frequent(seen: Sequence[list[Gutter]]) -> list[Gutter]:
    """One gutter for each place where at least a quarter of the pages have one, and more than half as many as the commonest:
    their median; of two that overlap the commoner one."""
    every = sorted((gutter for own in seen for gutter in own), key=lambda gutter: gutter.middle)
    clusters = in_groups(every, lambda cluster, gutter: gutter.middle - cluster[-1].middle <= NEAR)
    enough = max(1.0, COMMON * len(seen), 0.5 * max(map(len, clusters), default=0) + 0.5)
    remaining: list[Gutter] = []
    for cluster in sorted(clusters, key=len, reverse=True):
        gutter = Gutter(float(np.median([g.left for g in cluster])), float(np.median([g.right for g in cluster])))
        if len(cluster) >= enough and all(gutter.right <= other.left or gutter.left >= other.right for other in remaining):
            remaining.append(gutter)
    return sorted(remaining, key=lambda gutter: gutter.middle)


def believed(page: PdfPage, own: Sequence[Gutter], common: Sequence[Gutter]) -> list[Gutter]:
    """The gutters of the book, as wide as the page leaves them, and its own if clear; none without text right of them."""
    plain = [g for g in own if is_plain(page, g) and all(abs(g.middle - other.middle) > 4 * NEAR for other in common)]
    gutters = sorted([*common, *plain], key=lambda gutter: gutter.middle)
    starts = ([line.x0 for line in page.lines if line.x0 >= g.middle] for g in gutters)
    return [g._replace(right=min(g.right, *x0)) for g, x0 in zip(gutters, starts, strict=True) if x0]


def is_plain(page: PdfPage, gutter: Gutter) -> bool:
    """Whether many lines stand on both sides, and those on the right begin at one edge, unlike words after a wide blank."""
    right = [line for line in page.lines if line.x0 >= gutter.left]
    left = [line for line in page.lines if line.x1 <= gutter.right]
    if min(len(right), len(left)) < PLAIN_ROWS:
        return False
    edges = Counter(round(line.x0) for line in right).most_common(1)
    return edges[0][1] >= ONE_EDGE * len(right)


def order_page(page: PdfPage, gutters: Sequence[Gutter], fixed: frozenset[str] = frozenset()) -> list[PlacedLine]:
    """The page in bands between spanning lines; in each, column after column from top to bottom."""
    placed: list[PlacedLine] = []
    for band, (spans, rows) in enumerate(bands_of(page, gutters)):
        for column in [-1] if spans else range(len(gutters) + 1):
            own = rows if spans else [line for line in rows if column_of(line, gutters) == column]
            for slot, part in parts_of(rows_of(own), (column if gutters else 0, len(gutters) + 1)):
                table = table_rows(rows_of(line for line in part if line.style.font not in fixed))
                cells = {id(cell) for row in table for cell in row}
                rest = [line for line in part if id(line) not in cells]
                most = ASIDE * max((line.size for line in rest), default=0.0)
                small = {id(line) for line in rest if line.size < most and any(is_aside(line, other) for other in rest)}
                text = whole_lines(page.index, (line for line in rest if id(line) not in small))
                lines = [PlacedLine(line, *slot, band) for line in text]
                lines += [PlacedLine(join(page.index, row), *slot, band, is_row=True) for row in table]
                placed += sorted(lines, key=lambda each: each.line.baseline)
                aside = whole_lines(page.index, (line for line in rest if id(line) in small))
                placed += [PlacedLine(line, *slot, band) for line in aside]
    return placed


def is_aside(line: Line, other: Line) -> bool:
    """Whether a line of some words in smaller type stands beside another one, as a caption does between columns."""
    beside = line.size < ASIDE * other.size and abs(line.baseline - other.baseline) < other.size
    return beside and min(len(line.tokens), len(other.tokens)) >= TEXT and not overlap(line, other)


def parts_of(rows: Sequence[list[Line]], slot: tuple[int, int]) -> Iterator[tuple[tuple[int, int], list[Line]]]:
    """The lines of a column in parts: where texts stand side by side in it for some rows, each of them by itself. With each
    part the column that it is set in, and how many there are; columns that only these rows have get numbers of their own."""
    start = 0
    for i, row in enumerate(rows):
        if i < start or not (stripe := stripe_in(row)):
            continue
        end, free, texts = i, stripe, list[bool]()
        while end < len(rows) and (narrower := stripe_beside(rows, end, free)):
            texts += [stripe_in(rows[end]) is not None] if len(rows[end]) > 1 else []
            free, end = narrower, end + 1
        if sum(texts) >= max(FEWEST_ROWS, 0.5 * len(texts)):
            yield slot, [line for each in rows[start:i] for line in each]
            inner = [line for each in rows[i:end] for line in each]
            own = round(row[0].baseline), LOCAL + round(free[0])
            yield own, [line for line in inner if line.x1 <= free[0]]
            yield from parts_of(rows_of(line for line in inner if line.x1 > free[0]), (own[0], own[1] + LOCAL))
            start = end
    yield slot, [line for each in rows[start:] for line in each]


def stripe_in(row: Sequence[Line]) -> tuple[float, float] | None:
    """What lies free between the first two texts of a row."""
    texts = len(row) > 1 and all(len(piece.tokens) >= TEXT for piece in row)
    return (row[0].x1, row[1].x0) if texts and row[1].x0 - row[0].x1 >= WIDTH * row[0].size else None


def stripe_beside(rows: Sequence[Sequence[Line]], i: int, free: tuple[float, float]) -> tuple[float, float] | None:
    """What a row leaves of a free stripe; None if hardly anything, or if it stands alone below a space."""
    row = rows[i]
    left = max([free[0], *(line.x1 for line in row if line.x0 < free[0])])
    right = min([free[1], *(line.x0 for line in row if line.x0 >= free[0])])
    alone = len(row) == 1 and i > 0 and row[0].baseline - rows[i - 1][0].baseline > CLOSE * row[0].size
    return (left, right) if right - left >= WIDTH * row[0].size and not alone else None


def bands_of(page: PdfPage, gutters: Sequence[Gutter]) -> Iterator[tuple[bool, list[Line]]]:
    """Bands from top to bottom: (whether its lines span the gutters, its lines)."""
    typical = float(np.median([line.size for line in page.lines])) if gutters else 0.0
    for spans, group in groupby(
        rows_of(page.lines),
        key=lambda row: (
            any(line.x0 < g.left and line.x1 > g.right for line in row for g in gutters) or heads(row, page, gutters, typical)
        ),
    ):
        yield spans, [line for row in group for line in row]


def heads(row: Sequence[Line], page: PdfPage, gutters: Sequence[Gutter], typical: float) -> bool:
    """Whether a row is a short head over all columns: larger type than usual on the page, nothing at its height or that of its
    other lines, and not at the left edge of a column but the first."""
    if not gutters or len(row) > 1 or row[0].size <= LARGE * typical:
        return False
    [line] = row
    if any(abs(line.x0 - gutter.right) <= EDGE for gutter in gutters):
        return False
    block = [each for each in page.lines if each.size == line.size and abs(each.baseline - line.baseline) <= 1.6 * line.size]
    level = (other for other in page.lines for each in block if abs(other.baseline - each.baseline) < 0.8 * line.size)
    return all(column_of(other, gutters) == column_of(line, gutters) for other in level)


def column_of(line: Line, gutters: Sequence[Gutter]) -> int:
    """The column a line begins in."""
    return sum(line.x0 >= gutter.middle for gutter in gutters)


def whole_lines(page: int, pieces: Iterable[Line]) -> list[Line]:
    """Rows of pieces joined into lines, top to bottom."""
    return [row[0] if len(row) == 1 else join(page, row) for row in rows_of(pieces)]


class Slot(NamedTuple):
    """A column as the book sets it: on which leaves, which one of how many."""

    leaf: Leaf
    column: int
    columns: int


@dataclass(frozen=True, slots=True)
class FlowLine:
    """A line in its column. left, right: the column's edges in points. above: distance to the line before it in the column,
    1.0 = as closely as lines of its size follow each other; None at the top of a column. below: likewise. order: its place
    among all lines. kind: SENTENCE for text; other lines that belong together follow each other, and goes_on is False for the
    first. number: that of the paragraph that begins with this line, if one is printed. goes_on: whether it continues the
    paragraph before, where the text shows it; None where only the book's habits do. is_cut: whether a display was left out
    after it, within its sentence. is_label: whether it names what follows. is_apart: whether it stands in no column."""

    line: Line
    left: float
    right: float
    above: float | None = None
    below: float | None = None
    order: int = 0
    kind: Kind = Kind.SENTENCE
    number: str | None = None
    goes_on: bool | None = None
    is_cut: bool = False
    is_label: bool = False
    is_apart: bool = False

    @property
    def page(self) -> int:
        return self.line.page

    @property
    def text(self) -> str:
        return self.line.text

    @property
    def block(self) -> tuple[int, ...]:
        """The paragraph, item or cell of a tagged PDF that holds the whole line; empty if none does."""
        return block_of(self.line.tokens)

    @property
    def indent(self) -> float:
        """Points from the column's left edge to the first letter."""
        return self.line.x0 - self.left

    @property
    def slack(self) -> float:
        """Points left free at the end of the line."""
        return self.right - self.line.x1

    def room(self, following: "FlowLine") -> float:
        """Points that the next line's first word would have left free at the end of this line."""
        first = following.line.tokens[0]
        return self.slack - (first.x1 - first.x0)

    @property
    def is_centred(self) -> bool:
        """Whether the line stands in the middle of its column, with as much room at its left as at its right."""
        is_even = abs(self.indent - self.slack) <= 1 + 0.015 * (self.right - self.left)
        return is_even and min(self.indent, self.slack) > self.line.size


def block_of(tokens: Iterable[Token]) -> tuple[int, ...]:
    """The innermost block of a tagged PDF in which words are, but for the number of an item; empty if they are in several."""
    blocks = {token.block for token in tokens}
    inner = max(blocks, key=len)
    return inner if all(block and inner[: len(block)] == block for block in blocks) else ()


def flow_of(pages: Sequence[PdfPage], placed: Sequence[Sequence[PlacedLine]], frames: Mapping[Leaf, Frame]) -> list[FlowLine]:
    """The whole book as one sequence of lines; what stands beside the text of a page follows it."""
    text = [[each for each in own if not each.is_row] for own in placed]
    edges = edges_of(pages, text, frames)
    leadings = leadings_of(text)
    flow: list[FlowLine] = []
    for page, lines, own in zip(pages, placed, text, strict=True):
        leaf = leaf_of(page)
        gaps = iter([gap(a, b, leadings, frames[leaf]) for a, b in pairwise([None, *own, None])])
        above, waiting = next(gaps), list(page.extras)
        for each, last in zip(lines, [None, *lines], strict=False):
            while waiting and (above_it := waiting[0][1])[-1].baseline < each.line.baseline:
                if each.columns > 1 and not overlap(above_it[0], each.line):  # in another column
                    break
                flow += block_apart(*waiting.pop(0), len(flow))
            if each.is_row:
                flow.append(apart(each.line, Kind.TABLE, len(flow), begins=not (last and last.is_row)))
                continue
            left, right = edges[Slot(leaf, each.column, each.columns)]
            goes_on = False if above is None and begins_below(flow, each.line) else None
            flow.append(FlowLine(each.line, left, right, above, above := next(gaps), len(flow), goes_on=goes_on))
        notes = [(Kind.FOOTNOTE, [line]) for line in page.notes] + [(Kind.SIDENOTE, own) for own in blocks_of(page.sidenotes)]
        for kind, block in [*waiting, *notes]:
            flow += block_apart(kind, block, len(flow))
    return flow


def begins_below(flow: Sequence[FlowLine], line: Line) -> bool:
    """Whether a line at the top of a column begins a paragraph: below a table or picture, after the end of a sentence."""
    before = next((each.text for each in reversed(flow) if not each.is_apart), "")
    over = bool(flow) and flow[-1].is_apart and flow[-1].page == line.page
    return over and before[-1:] in ENDED and not line.text[:1].islower()


def block_apart(kind: Kind, block: Sequence[Line], order: int) -> list[FlowLine]:
    """Lines that belong together, outside the text."""
    return [apart(line, kind, order + n, begins=not n) for n, line in enumerate(block)]


def apart(line: Line, kind: Kind, order: int, *, begins: bool) -> FlowLine:
    """A line outside the text, in a column of its own width. begins: whether it is the first of what it belongs to."""
    return FlowLine(line, line.x0, line.x1, order=order, kind=kind, goes_on=not begins, is_apart=True)


def gap(a: PlacedLine | None, b: PlacedLine | None, leadings: Mapping[float, float], frame: Frame) -> float | None:
    """Distance between two successive lines in units of their leading; None where the column or page changes."""
    if a is None or b is None or (a.band == b.band and a.column != b.column) or b.line.baseline < a.line.baseline:
        return None
    typical = max(leadings.get(size, frame.leading * size / frame.size) for size in (a.line.size, b.line.size))
    return (b.line.baseline - a.line.baseline) / typical


def leadings_of(placed: Iterable[Sequence[PlacedLine]]) -> dict[float, float]:
    """For each type size the commonest distance from one line to the next, where there are enough to tell."""
    steps: dict[float, Counter[float]] = defaultdict(Counter)
    for lines in placed:
        for a, b in pairwise(lines):
            step = b.line.baseline - a.line.baseline
            if a.line.size == b.line.size and 0.8 * a.line.size <= step <= 3.5 * a.line.size:
                steps[a.line.size][round(step * 4) / 4] += 1
    return {  # counting those within half a point; the smaller of two as common
        size: max(counts, key=lambda step: (sum(counts[step + d / 4] for d in (-2, -1, 0, 1, 2)), counts[step], -step))
        for size, counts in steps.items()
        if counts.total() >= 4
    }


def edges_of(
    pages: Sequence[PdfPage], placed: Sequence[Sequence[PlacedLine]], frames: Mapping[Leaf, Frame]
) -> dict[Slot, tuple[float, float]]:
    """Left and right edge of every column, from the lines of body type in it; the frame's where there are too few."""
    lines: dict[Slot, list[Line]] = defaultdict(list)
    for page, own in zip(pages, placed, strict=True):
        for each in own:
            lines[Slot(leaf_of(page), each.column, each.columns)].append(each.line)
    return {slot: edges_in(own, frames[slot.leaf], slot) for slot, own in lines.items()}


def edges_in(lines: Sequence[Line], frame: Frame, slot: Slot) -> tuple[float, float]:
    """Edges of one column."""
    if slot.columns == 1 or slot.column == -1:
        return frame.left, frame.right
    body = [line for line in lines if is_body_size(line, frame.size) and not is_number(line.text)]
    if len(body) < 5:
        return min(line.x0 for line in lines), max(line.x1 for line in lines)
    return left_edge([first_word(line).x0 for line in body]), float(np.percentile([line.x1 for line in body], 98))


def body_style(flow: Iterable[FlowLine]) -> TextStyle:
    """The style of most characters in the flow; sizes that differ by less than half a point are one, as TeX stretches type."""
    weight, alike = Counter[TextStyle](), Counter[TextStyle]()
    for each in flow:
        weight[each.line.style] += len(each.text)
    rounded = {style: style._replace(size=round(style.size * 2) / 2) for style in weight}
    for style, count in weight.items():
        alike[rounded[style]] += count
    return max(weight, key=lambda style: (alike[rounded[style]], weight[style]))


def is_running(flow: Sequence[FlowLine], i: int) -> bool:
    """Whether a line and the two after it fill their column as running text does."""
    full = [each for each in flow[i : i + 2] if each.line.width >= 0.7 * (each.right - each.left)]
    return len(full) == 2 and i + 2 < len(flow) and (full[1].above or 9) < LOOSE


def table_rows(rows: Sequence[list[Line]]) -> list[list[Line]]:
    """The rows of tables: at least two, one under the other, with cells that begin at the same places."""
    inside = [False] * len(rows)
    for i, (above, below) in enumerate(pairwise(rows)):
        if are_rows(above, below):
            inside[i] = inside[i + 1] = True
    return [row for row, is_row in zip(rows, inside, strict=True) if is_row]


def are_rows(above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether two rows belong to one table, and not to contents, with numbers behind titles, or items, with marks before."""
    items = (len(row) == 2 and ITEM_MARK.fullmatch(row[0].text) for row in (above, below))
    if (
        min(len(above), len(below)) < 2
        or any(items)
        or any(b.x0 - a.x1 < CELL_GAP * a.size for row in (above, below) for a, b in pairwise(row))
    ):
        return False
    if any(LEADER.search(cell.text) for cell in (*above, *below)):
        return False
    if len(above) == len(below) and [is_number(cell.text) for cell in below] in ([False, True], [True, False, True]):
        return False
    aligned = sum(any(abs(cell.x0 - other.x0) <= ALIGNED for other in above) for cell in below)
    return aligned >= max(2, 0.5 * len(below))


def is_part(rows: Sequence[FlowLine], i: int) -> bool:
    """Whether row i of a table may be a part of one: it has other cells than a row next to it, or one is nearer than others."""
    near = rows[max(0, i - 1) : i + 2]
    cells = {sum(b.x0 - a.x1 >= CELL_GAP * row.line.size for a, b in pairwise(row.line.tokens)) for row in near}
    steps = [b.line.baseline - a.line.baseline for a, b in pairwise(rows)]
    own = min(steps[max(0, i - 1) : i + 1], default=0.0)
    return len(cells) > 1 or any(step > APART * own for step in steps)


def blocks_of(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines close above each other, in one block each."""
    blocks: list[list[Line]] = []
    for line in lines:
        home = next((b for b in blocks if overlap(b[-1], line) and line.baseline - b[-1].baseline <= CLOSE * line.size), None)
        if home is None:
            blocks.append([line])
        else:
            home.append(line)
    return blocks


def overlap(a: Line, b: Line, least: float = 0.0) -> bool:
    """Whether two lines share some of their width, more than the share `least` of the narrower one's."""
    return min(a.x1, b.x1) - max(a.x0, b.x0) > least * min(a.width, b.width)


def join(page: int, row: Sequence[Line]) -> Line:
    """One line from pieces on one baseline: that of its longest piece; smaller pieces above it are raised."""
    ruling = max(row, key=lambda line: line.width)
    return line_of(page, [token for line in row for token in line.tokens], ruling.baseline)
