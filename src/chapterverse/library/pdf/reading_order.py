"""Lines in reading order: columns, heads and notes that span them, text in the margins; and insets, which are set apart.

A gutter is a stripe that hardly any line crosses while text stands on both sides. It is searched page by page and accepted if
many pages show it, or one page shows it clearly. Between two lines that cross the gutters, columns are read from left to right
(recursive cuts: Nagy and Seth 1984, "Hierarchical representation of optically scanned documents"). Insets are tables, and small
type with text running round it (floated captions). Type of fixed width is neither: a program's words are aligned too."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

import numpy as np

from chapterverse.library.pdf.frame import Frame, Leaf, is_number, leaf_of, rows_of
from chapterverse.library.pdf.model import Line, PdfPage, Token, line_of

SMALLER = 0.96  # of the body's size
CLOSE = 1.8  # × the size: lines of one inset are no further apart
ALIGNED = 3.0  # points by which cells of one table column may differ
LEADER = re.compile(r"(?:[.·•…]\s?){4,}")
APART = 1.0  # × the size: cells are at least so far from each other


@dataclass(frozen=True, slots=True)
class Inset:
    """A column's pieces of text, the asides next to it (each a block), and the rows of its tables, each of cells."""

    text: tuple[Line, ...]
    asides: tuple[tuple[Line, ...], ...]
    rows: tuple[tuple[Line, ...], ...]


def part_insets(pieces: Sequence[Line], size: float, fixed: frozenset[str] = frozenset()) -> Inset:
    """One column's pieces, divided. size: of the body type, in points. fixed: fonts of fixed width."""
    free = [piece for piece in pieces if piece.style.font not in fixed]
    table = table_rows(rows_of(free))
    cells = {id(piece) for row in table for piece in row}
    asides = asides_in([piece for piece in free if id(piece) not in cells], size)
    apart = {id(line) for block in asides for line in block} | cells
    text = tuple(piece for piece in pieces if id(piece) not in apart)
    return Inset(text, tuple(tuple(block) for block in asides), tuple(tuple(row) for row in table))


def table_rows(rows: Sequence[list[Line]]) -> list[list[Line]]:
    """The rows of tables: at least two, one under the other, with cells that begin at the same places; and their head row."""
    inside = [False] * len(rows)
    for i, (above, below) in enumerate(pairwise(rows)):
        if are_rows(above, below):
            inside[i] = inside[i + 1] = True
    full: Sequence[Line] = ()  # the last row of several cells
    for i, row in enumerate(rows):
        inside[i] = inside[i] or (i > 0 and inside[i - 1] and bool(full) and is_rest(row, rows[i - 1], full))
        full = row if inside[i] and len(row) > 1 else full
    heads = [i for i, (a, b) in enumerate(pairwise(inside)) if b and not a and is_head(rows[i], rows[i + 1])]
    return [row for i, row in enumerate(rows) if inside[i] or i in heads]


def is_rest(row: Sequence[Line], last: Sequence[Line], above: Sequence[Line]) -> bool:
    """Whether a row continues cells of a table's row: close below it, each piece within the width of its column."""
    close = row[0].baseline - last[0].baseline <= CLOSE * row[0].size
    starts = [cell.x0 for cell in above]
    ends = [*(start - APART * row[0].size for start in starts[1:]), max(cell.x1 for cell in above)]
    return close and all(
        any(abs(cell.x0 - start) <= ALIGNED and cell.x1 <= end for start, end in zip(starts, ends, strict=True)) for cell in row
    )


def is_head(row: Sequence[Line], first: Sequence[Line]) -> bool:
    """Whether the row above a table's first is its head: as many cells, though in other positions."""
    return len(row) == len(first) > 1 and has_gaps(row) and first[0].baseline - row[0].baseline <= CLOSE * first[0].size


def are_rows(above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether two rows belong to one table. If the second of two columns holds numbers, it is rather a contents page."""
    if min(len(above), len(below)) < 2 or not (has_gaps(above) and has_gaps(below)):
        return False
    if any(LEADER.search(cell.text) for cell in (*above, *below)):
        return False
    if len(above) == len(below) == 2 and is_number(below[-1].text):
        return False
    aligned = sum(any(abs(cell.x0 - other.x0) <= ALIGNED for other in above) for cell in below)
    return aligned >= max(2, 0.5 * len(below))


def has_gaps(row: Sequence[Line]) -> bool:
    return all(right.x0 - left.x1 >= APART * left.size for left, right in pairwise(row))


def asides_in(pieces: Sequence[Line], size: float) -> list[list[Line]]:
    """Blocks of small type with lines of the body next to them in the same column."""
    small = sorted((p for p in pieces if p.size <= SMALLER * size), key=lambda line: line.baseline)
    body = [piece for piece in pieces if piece.size > SMALLER * size]
    blocks = blocks_of(small) if body else []
    return [block for block in blocks if any(is_companion(line, other) for line in block for other in body)]


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


def overlap(a: Line, b: Line) -> bool:
    """Whether two lines share some of their width."""
    return min(a.x1, b.x1) > max(a.x0, b.x0)


def is_companion(a: Line, b: Line) -> bool:
    """Whether two pieces are at one height without touching."""
    return not overlap(a, b) and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.4 * min(a.size, b.size)


SAME_WIDTH = 0.02  # of the median: letters of a fixed face differ by no more
FIXED_SHARE = 0.95  # of the words of a fixed face are as wide as their number of letters says
FEW_WORDS = 4  # different words, at least, that show whether a face is fixed
SHORTEST_SEEN = 3  # letters: shorter words say little about a face


def fixed_faces(pages: Iterable[PdfPage]) -> frozenset[str]:
    """The fonts whose letters are all equally wide; none if the book itself is set in one."""
    widths: defaultdict[str, dict[str, float]] = defaultdict(dict)
    weight: defaultdict[str, int] = defaultdict(int)
    for token in (token for page in pages for line in page.lines for token in line.tokens):
        weight[token.style.font] += len(token.text)
        if len(token.text) >= SHORTEST_SEEN and token.style.size > 0:
            widths[token.style.font][token.text] = (token.x1 - token.x0) / (len(token.text) * token.style.size)
    fixed = frozenset(font for font, seen in widths.items() if is_fixed(list(seen.values())))
    return frozenset() if weight and max(weight, key=lambda font: weight[font]) in fixed else fixed


def is_fixed(widths: Sequence[float]) -> bool:
    """Whether words have one width a letter. widths: of different words, per letter and point of size."""
    width = median(widths)
    alike = sum(abs(each - width) <= SAME_WIDTH * width for each in widths)
    return len(widths) >= FEW_WORDS and alike >= FIXED_SHARE * len(widths)


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
class PlacedLine:
    """A whole line in reading order. column: 0 from the left; -1 for a line that spans columns. columns: how many there are."""

    line: Line
    column: int
    columns: int
    band: int


@dataclass(frozen=True, slots=True)
class PageInOrder:
    """A page's lines as they are read, pieces of one line joined; blocks of small type that the text runs round; and tables,
    each of whole rows."""

    lines: tuple[PlacedLine, ...]
    asides: tuple[tuple[Line, ...], ...]
    tables: tuple[tuple[Line, ...], ...] = ()


def order_lines(
    pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame], fixed: frozenset[str] = frozenset()
) -> list[PageInOrder]:
    """All pages in reading order. fixed: fonts of fixed width."""
    seen = [gutters_of(page, frames[leaf_of(page)]) for page in pages]
    common = common_gutters(pages, seen)
    return [
        order_page(page, believed(page, own, common[leaf_of(page)], frames[leaf_of(page)]), frames[leaf_of(page)].size, fixed)
        for page, own in zip(pages, seen, strict=True)
    ]


def gutters_of(page: PdfPage, frame: Frame) -> list[Gutter]:
    """The stripes of one page that may be gutters, left to right."""
    lines = [line for line in page.lines if line.x1 > frame.left and line.x0 < frame.right]
    if len(lines) < 2:
        return []
    covered = coverage(lines, frame)
    allowed = CROSSED * float(np.percentile(covered, 90))
    stripes = [stripe_at(run, frame) for run in runs_of(covered <= allowed)]
    return with_columns_between([stripe for stripe in stripes if is_gutter(stripe, lines, frame)], lines, frame)


NARROWEST = 4.0  # × the type size: no column is narrower


def with_columns_between(stripes: Sequence[Gutter], lines: Sequence[Line], frame: Frame) -> list[Gutter]:
    """The stripes; of two with hardly a letter between them the one after which more lines begin."""
    remaining: list[Gutter] = []
    for stripe in stripes:
        if remaining and stripe.left - remaining[-1].right < NARROWEST * frame.size:
            if beginning_after(stripe, lines, frame) <= beginning_after(remaining[-1], lines, frame):
                continue
            remaining.pop()
        remaining.append(stripe)
    return remaining


def beginning_after(gutter: Gutter, lines: Iterable[Line], frame: Frame) -> int:
    """How many lines begin at the right edge of a gutter."""
    return sum(abs(line.x0 - gutter.right) <= 2 * frame.size for line in lines)


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
    """Whether a stripe is wide enough, inside the frame, and has at least two lines beginning at its right edge and two ending
    before it."""
    if stripe.right - stripe.left < WIDTH * frame.size or stripe.left <= frame.left + 1 or stripe.right >= frame.right - 1:
        return False
    before = [line for line in lines if line.x1 <= stripe.left + 1]
    return beginning_after(stripe, lines, frame) >= 2 and len(before) >= 2


def common_gutters(pages: Sequence[PdfPage], seen: Sequence[list[Gutter]]) -> dict[Leaf, list[Gutter]]:
    """The gutters that many pages of a leaf show."""
    by_leaf: dict[Leaf, list[list[Gutter]]] = {}
    for page, own in zip(pages, seen, strict=True):
        by_leaf.setdefault(leaf_of(page), []).append(own)
    return {leaf: frequent(all_of) for leaf, all_of in by_leaf.items()}


def frequent(seen: Sequence[list[Gutter]]) -> list[Gutter]:
    """One gutter for each place where at least a quarter of the pages have one, and more than half as many as the commonest:
    their median; of two that overlap the commoner one."""
    every = sorted((gutter for own in seen for gutter in own), key=lambda gutter: gutter.middle)
    clusters: list[list[Gutter]] = []
    for gutter in every:
        if clusters and gutter.middle - clusters[-1][-1].middle <= NEAR:
            clusters[-1].append(gutter)
        else:
            clusters.append([gutter])
    enough = max(1.0, COMMON * len(seen), 0.5 * max(map(len, clusters), default=0) + 0.5)
    remaining: list[Gutter] = []
    for cluster in sorted(clusters, key=len, reverse=True):
        gutter = median_of(cluster)
        if len(cluster) >= enough and all(gutter.right <= other.left or gutter.left >= other.right for other in remaining):
            remaining.append(gutter)
    return sorted(remaining, key=lambda gutter: gutter.middle)


def median_of(cluster: Sequence[Gutter]) -> Gutter:
    return Gutter(float(np.median([g.left for g in cluster])), float(np.median([g.right for g in cluster])))


def believed(page: PdfPage, own: Sequence[Gutter], common: Sequence[Gutter], frame: Frame) -> list[Gutter]:
    """The book's gutters, and a page's own if they are clear; none if nothing stands to the right of them."""
    common = [g for g in common if may_have(page, g, frame)]
    plain = [g for g in own if is_plain(page, g) and is_apart(g, common)]
    partial = [g for g in partial_gutters(page, frame) if is_apart(g, [*common, *plain])]
    gutters = sorted([*common, *plain, *partial], key=lambda gutter: gutter.middle)
    return [g for g in gutters if any(line.x0 >= g.left for line in page.lines)]


def may_have(page: PdfPage, gutter: Gutter, frame: Frame) -> bool:
    """Whether a page may have a gutter that others have: not if hardly a line begins after it, beside those that cross it."""
    return beginning_after(gutter, page.lines, frame) >= HARDLY * sum(crosses(line, [gutter]) for line in page.lines)


HARDLY = 0.25


def is_apart(gutter: Gutter, others: Iterable[Gutter]) -> bool:
    """Whether a gutter is none of the others."""
    return all(abs(gutter.middle - other.middle) > 4 * NEAR for other in others)


FULL = 0.75  # of its column's width: a line of text in columns is at least so wide
EDGE = 2.0  # points: lines of a column begin so near each other
INNER = 0.25  # of the frame's width: a column is at least so wide


def partial_gutters(page: PdfPage, frame: Frame) -> list[Gutter]:
    """The gutter of columns in a part of the page only, between lines over its whole width, e.g. below a wide table: eight
    lines on either side fill their columns, and none between them crosses it."""
    lines = sorted(page.lines, key=lambda line: line.baseline)
    inner = (line.x0 for line in lines if INNER * frame.width < line.x0 - frame.left < (1 - INNER) * frame.width)
    starts = Counter(round(x0) for x0 in inner)
    for start, n in starts.most_common(1):
        if n >= PLAIN_ROWS // 2:
            return gutters_before(start, lines, frame)[:1]
    return []


def gutters_before(start: float, lines: Sequence[Line], frame: Frame) -> list[Gutter]:
    """The gutters before the right column that begins at `start`, one for each stretch of lines that do not cross it."""
    room = WIDTH * frame.size
    ends = start - EDGE - room
    gutters = []
    for crossing, group in groupby(lines, key=lambda line: line.x0 < ends and line.x1 > start + room):
        stretch = [] if crossing else list(group)
        right = [line for line in stretch if abs(line.x0 - start) <= EDGE and line.x1 - start >= FULL * (frame.right - start)]
        left = [line for line in stretch if line.x1 <= ends and line.width >= FULL * (ends - frame.left)]
        if min(len(right), len(left)) >= PLAIN_ROWS:
            gutters.append(Gutter(max(line.x1 for line in left), start - EDGE))
    return gutters


def is_plain(page: PdfPage, gutter: Gutter) -> bool:
    """Whether many lines stand on both sides, and those on the right begin at one of few edges, unlike words after a wide
    blank."""
    right = [line for line in page.lines if line.x0 >= gutter.left]
    left = [line for line in page.lines if line.x1 <= gutter.right]
    if min(len(right), len(left)) < PLAIN_ROWS:
        return False
    commonest = Counter(round(line.x0) for line in right).most_common(1)[0][1]
    return commonest >= 0.4 * len(right)


def order_page(page: PdfPage, gutters: Sequence[Gutter], size: float, fixed: frozenset[str] = frozenset()) -> PageInOrder:
    """The page in bands between spanning lines; in each, column after column from top to bottom."""
    page = page.with_lines(piece for line in page.lines for piece in cut_at(line, gutters, page)) if gutters else page
    columns = len(gutters) + 1
    placed: list[PlacedLine] = []
    asides: list[tuple[Line, ...]] = []
    tables: list[tuple[Line, ...]] = []
    for band, (spans, rows) in enumerate(bands_of(page, gutters)):
        for column in [-1] if spans else range(columns):
            own = rows if spans else [line for line in rows if column_of(line, gutters) == column]
            inset = part_insets(own, size, fixed)
            lines = whole_lines(page.index, inset.text)
            placed += [PlacedLine(line, column if columns > 1 else 0, columns, band) for line in lines]
            asides += inset.asides
            tables += tables_of(page.index, inset.rows, lines)
    return PageInOrder(tuple(placed), tuple(asides), tuple(tables))


def cut_at(line: Line, gutters: Sequence[Gutter], page: PdfPage) -> list[Line]:
    """A line divided at the gutters that its words leave free, if the next word begins where lines of the right column do: two
    lines of small distance are one to MuPDF."""
    pieces: list[list[Token]] = [[]]
    for token in line.tokens:
        before = pieces[-1][-1] if pieces[-1] else None
        if before and any(
            before.x1 <= g.left + 1 and token.x0 >= g.right - 1 and begins_column(token, line, g, page) for g in gutters
        ):
            pieces.append([])
        pieces[-1].append(token)
    return [line] if len(pieces) == 1 else [line_of(line.page, tokens, line.baseline) for tokens in pieces]


def begins_column(token: Token, line: Line, gutter: Gutter, page: PdfPage) -> bool:
    """Whether a word stands where most lines to the right of a gutter begin."""
    starts = Counter(round(other.x0) for other in page.lines if other is not line and other.x0 >= gutter.right - 1)
    commonest = max(starts, key=lambda x: starts[x], default=None)
    return commonest is not None and abs(token.x0 - commonest) <= EDGE and not token.glued


def tables_of(page: int, rows: Sequence[Sequence[Line]], text: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """The tables of one column: rows without a line of text between them, each joined to one line."""
    table: list[Line] = []
    for row in rows:
        whole = join(page, row)
        if table and any(table[-1].baseline < line.baseline < whole.baseline for line in text):
            yield tuple(table)
            table = []
        table.append(whole)
    if table:
        yield tuple(table)


def bands_of(page: PdfPage, gutters: Sequence[Gutter]) -> Iterator[tuple[bool, list[Line]]]:
    """Bands from top to bottom: (whether its lines span the gutters, its lines)."""
    typical = float(np.median([line.size for line in page.lines])) if gutters else 0.0
    for spans, group in groupby(
        rows_of(page.lines),
        key=lambda row: any(crosses(line, gutters) for line in row) or heads(row, page, gutters, typical),
    ):
        yield spans, [line for row in group for line in row]


def heads(row: Sequence[Line], page: PdfPage, gutters: Sequence[Gutter], typical: float) -> bool:
    """Whether a row is a short head over all columns: larger type than usual on the page, nothing at its height, and not at the
    left edge of a column but the first."""
    if not gutters or len(row) > 1 or row[0].size <= LARGE * typical:
        return False
    [line] = row
    if any(abs(line.x0 - gutter.right) <= EDGE for gutter in gutters):
        return False
    reach = 0.8 * line.size
    level = (other for other in page.lines if abs(other.baseline - line.baseline) < reach and other is not line)
    return all(column_of(other, gutters) == column_of(line, gutters) for other in level)


def crosses(line: Line, gutters: Iterable[Gutter]) -> bool:
    """Whether a line crosses a gutter."""
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
