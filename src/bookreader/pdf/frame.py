"""The frame of the running text, measured over the whole book, separately for left and right pages; and what is in the margins.

Running heads, folios, side notes and line numbers stand outside this frame in all designs; so the frame is measured
first. Side notes are kept as such; line numbers are dropped, and `labels` reads the numbers of paragraphs."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import numpy as np

from bookreader.pdf.model import Line, PdfPage, Token, line_of, whole_words

SAME_ROW = 0.35  # baselines nearer than this share of the type size are one row
LONG_ROW = 0.5  # a row is long if its letters cover this share of the page's widest row
FULL = 8  # lines of body type that make a page show its frame
SMALLEST = 0.5  # points; some Type 3 fonts claim to be smaller
COMMON_EDGE = 0.07  # a left edge counts if this share of the lines of the commonest edge start there


class Leaf(NamedTuple):
    """Pages that share a frame: right or left, and of one size."""

    odd: bool
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Frame:
    """left, right: edges of the text. top, bottom: baselines of its first and last line. size, leading: of the body type.
    column: width of a full line in columns; 0 where a line is as wide as the text."""

    left: float
    right: float
    top: float
    bottom: float
    size: float
    leading: float
    column: float = 0.0

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def full_line(self) -> float:
        """Width of a full line."""
        return self.column or self.width


def leaf_of(page: PdfPage) -> Leaf:
    """The leaf of a page."""
    return Leaf(page.index % 2 == 0, round(page.width), round(page.height))


def body_size(pages: Iterable[PdfPage]) -> float:
    """The type size of most characters in the book; 0 for a book without text."""
    weight: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            weight[max(SMALLEST, round(line.size * 2) / 2)] += sum(len(token.text) for token in line.tokens)
    return max(weight, key=lambda size: weight[size]) if weight else 0.0


def is_body_size(line: Line, size: float) -> bool:
    """Whether the size is within 4 % of the body type, which excludes 9.8 pt quotations in 10.5 pt text."""
    return abs(line.size - size) <= max(0.3, 0.04 * size)


def rows_of(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines that share a baseline, top to bottom, each row left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.baseline, line.x0)):
        if rows and line.baseline - rows[-1][0].baseline <= SAME_ROW * max(line.size, 1):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def frames_of(pages: Sequence[PdfPage]) -> dict[Leaf, Frame]:
    """A frame for every leaf; one with fewer than three full pages gets the frame of all pages of its size."""
    size = body_size(pages)
    by_leaf: dict[Leaf, list[PdfPage]] = defaultdict(list)
    for page in pages:
        by_leaf[leaf_of(page)].append(page)
    frames = {}
    for leaf, own in by_leaf.items():
        twins = by_leaf.get(twin_of(leaf), [])
        enough = sum(len([line for line in page.lines if is_body_size(line, size)]) >= FULL for page in own) >= 3
        frames[leaf] = frame_of(own if enough else [*own, *twins], size)
    return {leaf: as_high(frame, frames.get(twin_of(leaf), frame)) for leaf, frame in frames.items()}


ONE_EDGE = 4  # lines that begin one above the other, within …
EDGE_WIDTH = 2.0  # … points
FURTHEST = 40.0  # points that a page is moved
NEAREST = 12.0  # points: running heads and folios stand further from the text
EDGE_LETTERS = 20  # of a line that shows where the text begins


class TextRow(NamedTuple):
    """Where a line begins, its upper and lower edge, and how many letters it has."""

    x0: float
    y0: float
    y1: float
    letters: int


class TextEdges(NamedTuple):
    """Where a page's text begins at the left, and its upper and lower edge."""

    left: float
    head: float
    foot: float


def edges_of(rows: Sequence[TextRow]) -> TextEdges | None:
    """The leftmost x at which lines begin one above the other, the top of the highest line and the bottom of the lowest; None
    for a page with few lines."""
    starts = sorted(row.x0 for row in rows if row.letters >= EDGE_LETTERS)
    left = next((a for a, b in zip(starts, starts[ONE_EDGE - 1 :], strict=False) if b - a <= EDGE_WIDTH), None)
    return None if left is None else TextEdges(left, min(row.y0 for row in rows), max(row.y1 for row in rows))


def steps_to_common(edges: Sequence[tuple[Hashable, TextEdges | None]]) -> list[tuple[float, float]]:
    """How far to move each page so that its text begins where it does on most pages of its kind: to the right, and down by
    the step at its head or its foot that is the smaller, as a page may lack one of them. edges: kind and edges of the pages."""
    by_kind: dict[Hashable, list[TextEdges]] = defaultdict(list)
    for kind, own in edges:
        if own:
            by_kind[kind].append(own)
    common = {kind: [median(values) for values in zip(*all_of, strict=True)] for kind, all_of in by_kind.items()}
    return [step_to(common[kind], own) if own else (0.0, 0.0) for kind, own in edges]


def step_to(common: Sequence[float], own: TextEdges) -> tuple[float, float]:
    """How far to move one page; none if it is too far. Where the steps at head and foot go apart by more than NEAREST, the
    page lacks both its head and its folio, and is not moved down."""
    left, head, foot = (there - here for there, here in zip(common, own, strict=True))
    down = min(head, foot, key=abs)
    lacks_both = head * foot < 0 and abs(down) > NEAREST
    return (left if abs(left) <= FURTHEST else 0.0), (0.0 if lacks_both or abs(down) > FURTHEST else down)


def twin_of(leaf: Leaf) -> Leaf:
    """The leaf of the facing pages."""
    return leaf._replace(odd=not leaf.odd)


def as_high(frame: Frame, twin: Frame) -> Frame:
    """The frame with the height of the facing pages: if all pages of one side are chapter openings, its own top is too low."""
    return replace(frame, top=min(frame.top, twin.top), bottom=max(frame.bottom, twin.bottom))


def frame_of(pages: Sequence[PdfPage], size: float) -> Frame:
    """The frame of pages set alike; the page itself if they have no text."""
    body = [[line for line in page.lines if is_body_size(line, size)] for page in pages]
    lines = [line for page in body for line in page]
    if not lines:
        return Frame(0, pages[0].width, 0, pages[0].height, size or 10, 1.2 * (size or 10))
    worded = [line for line in lines if not is_margin_number(line.text)] or lines
    left = left_edge([first_word(line).x0 for line in worded])
    right = float(np.percentile([line.x1 for line in worded], 98))
    wide = float(np.percentile([line.width for line in worded], WIDE_LINES))
    column = wide if wide < COLUMN * (right - left) else 0.0
    leading = leading_of(in_columns(body, left, right, column) if column else body, size)
    rows = [rows_of(page.lines) for page in pages]
    top, bottom = vertical_extent(rows, column or right - left, size, leading)
    return Frame(left, right, top, bottom, size, leading, column)


def in_columns(pages: Iterable[Sequence[Line]], left: float, right: float, column: float) -> Iterator[list[Line]]:
    """The lines of each column of each page; lines of two columns stand at any distance from each other."""
    count = max(1, int((right - left) / column))
    for lines in pages:
        for n in range(count):
            yield [line for line in lines if int((line.middle - left) * count / (right - left)) == n]


WIDE_LINES = 80  # percentile of the widths of lines: that of full ones
COLUMN = 0.55  # of the text's width, at most, is a line in columns


def is_number(text: str) -> bool:
    """Whether a text is a bare number, as line and paragraph numbers in margins are."""
    return text.strip("[]().§¶ ").isdigit()


def is_margin_number(text: str) -> bool:
    """Whether a text is a number as lines and paragraphs have in margins: "5", "[14]", "1.4"."""
    return is_number(text.replace(".", ""))


def first_word(line: Line) -> Token:
    """The first token of a line of text, without a number set apart in the margin."""
    first, *rest = line.tokens
    set_off = rest and is_margin_number(first.text) and rest[0].x0 - first.x1 > 0.4 * line.size
    return rest[0] if set_off else first


def left_edge(starts: Sequence[float]) -> float:
    """The leftmost x at which many lines begin."""
    counts = Counter(round(x) for x in starts)
    commonest = max(counts.values())
    edge = min(x for x, n in counts.items() if n >= COMMON_EDGE * commonest)
    return float(np.median([x for x in starts if abs(x - edge) <= 1]))


def leading_of(pages: Iterable[Sequence[Line]], size: float) -> float:
    """The commonest distance between successive baselines; 1.2 × the size if no two lines follow each other."""
    steps: Counter[float] = Counter()
    for lines in pages:
        rows = rows_of(lines)
        for above, below in pairwise(rows):
            step = below[0].baseline - above[0].baseline
            if 0.8 * size <= step <= 3.5 * size:
                steps[round(step * 2) / 2] += 1
    return max(steps, key=lambda step: (steps[step], -step)) if steps else 1.2 * size


def vertical_extent(pages: Sequence[list[list[Line]]], width: float, size: float, leading: float) -> tuple[float, float]:
    """Baselines of the first and the last line of a full page: where long rows commonly begin, and the lowest they reach."""
    firsts, lasts = [], []
    for rows in pages:
        long_rows = [row for row in in_company(rows, leading) if is_long(row, width, size)]
        if long_rows:
            lasts.append(long_rows[-1][0].baseline)
        widest = [max(row, key=lambda line: line.width) for row in long_rows]
        body = [line.baseline for line in widest if is_body_size(line, size)]
        firsts += body[:1]
    if not firsts:
        baselines = [row[0].baseline for rows in pages for row in rows]
        return min(baselines, default=0.0), max(baselines, default=float("inf"))
    return common_first(firsts, leading), float(np.percentile(lasts, 99))


def in_company(rows: Sequence[list[Line]], leading: float) -> list[list[Line]]:
    """The rows with another one close above or below, as lines of text have and running heads have not."""
    ys = [row[0].baseline for row in rows]
    near = 1.4 * leading
    above = [i > 0 and ys[i] - ys[i - 1] <= near for i in range(len(ys))]
    below = [i + 1 < len(ys) and ys[i + 1] - ys[i] <= near for i in range(len(ys))]
    return [row for row, near_above, near_below in zip(rows, above, below, strict=True) if near_above or near_below]


def is_long(row: Sequence[Line], width: float, size: float) -> bool:
    """Whether the row's letters cover enough of the width to be text, in type no larger than the body's."""
    covered = sum(line.width for line in row)
    return covered >= LONG_ROW * width and all(line.size <= 1.1 * size for line in row)


def common_first(firsts: Sequence[float], leading: float) -> float:
    """The highest baseline at which at least a tenth of the pages begin (chapter openings begin lower)."""
    counts: Counter[int] = Counter(round(y / 2) for y in firsts)
    enough = max(1, 0.1 * len(firsts))
    near = {key: sum(counts[key + d] for d in (-1, 0, 1)) for key in counts}
    key = min((key for key, n in near.items() if n >= enough), default=min(counts))
    return float(np.median([y for y in firsts if abs(round(y / 2) - key) <= 1])) if leading else float(key * 2)


OUTSIDE = 0.25  # of the type size: so far beyond the frame's edge a token stands in the margin
SET_OFF = 0.45  # of the type size: a blank so wide parts margin and text, a narrower one is within a line that hangs out
FEW_TOKENS = 3  # on a line: more are text
SMALLER = 0.95  # of the type size: a side note is set no larger than this


def part_margins(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> list[PdfPage]:
    """Every page without its margins, and without the numbers of verses at an edge of the text, if two count the rows."""
    rows = [(rows_of(page.lines), frames[leaf_of(page)]) for page in pages]
    found = ([numbers_at_edge(own, frame, side) for own, frame in rows] for side in (1, -1))
    known = [own for own in found if any(map(count_rows, own))]
    verses = ([each for own in known for each in own[i].values()] for i in range(len(pages)))
    return [part_page(page, frame, own) for page, (_, frame), own in zip(pages, rows, verses, strict=True)]


COUNTED = (5, 10)  # verses: so many are between two with a number
FAR = 0.6  # × the type size: so far at least from a verse to its number


def numbers_at_edge(rows: Sequence[Sequence[Line]], frame: Frame, side: int) -> dict[int, Token]:
    """The bare numbers at an edge (1: left, -1: right), far from the words on their row, by row; none unless all are fives."""
    found = {}
    for i, row in enumerate(rows):
        outer, *rest = [token for line in row for token in line.tokens][::side]
        far = rest and max(rest[0].x0 - outer.x1, outer.x0 - rest[0].x1) >= FAR * frame.size
        beyond = abs(outer.x0 - frame.left if side == 1 else outer.x1 - frame.right)
        if far and beyond <= frame.size and outer.text.isdecimal():
            found[i] = outer
    return found if all(int(token.text) % COUNTED[0] == 0 for token in found.values()) else {}


def count_rows(numbers: Mapping[int, Token]) -> bool:
    """Whether two numbers in sequence are as many rows apart as they say."""
    return any(b - a == int(numbers[b].text) - int(numbers[a].text) in COUNTED for a, b in pairwise(numbers))


def part_page(page: PdfPage, frame: Frame, verses: Sequence[Token] = ()) -> PdfPage:
    """A page without its margins; lines that cross the frame's edge are divided there first. verses: their numbers."""
    text, notes = list[Line](), list[Line]()
    numbers = [line_of(line.page, [each], line.baseline) for line in page.lines for each in line.tokens if each in verses]
    page = page.with_lines(
        line_of(line.page, rest, line.baseline) if len(rest) < len(line.tokens) else line
        for line in page.lines
        if (rest := [token for token in line.tokens if token not in verses])
    )
    edge = own_edge(page, frame)
    for piece in (piece for line in page.lines for piece in cut_at_edges(line, frame)):
        if is_margin_number(piece.text) and (piece.x1 < edge - OUTSIDE * frame.size or not inside(piece, frame)):
            numbers.append(piece)
        elif inside(piece, frame):
            text.append(piece)
        else:
            (notes if piece.size <= SMALLER * frame.size else text).append(piece)
    return replace(page, lines=tuple(text), sidenotes=tuple(notes), numbers=tuple(numbers))


def own_edge(page: PdfPage, frame: Frame) -> float:
    """The left edge of a page's own lines of body type, which may be further in than the frame's."""
    words = [first_word(line).x0 for line in page.lines if is_body_size(line, frame.size) and len(line.tokens) > FEW_TOKENS]
    return min(words, default=frame.left)


def cut_at_edges(line: Line, frame: Frame) -> Iterator[Line]:
    """The line, divided where its words pass from margin to text across a wide blank."""
    if all(side_of(token, frame) == 0 for token in line.tokens):
        yield line
        return
    piece: list[Token] = []
    for word in whole_words(line.tokens):  # a hyphen that hangs into the margin stays with its word
        if piece and side_of(piece[-1], frame) != side_of(word[0], frame) and word[0].x0 - piece[-1].x1 >= SET_OFF * line.size:
            yield line_of(line.page, piece, line.baseline)
            piece = []
        piece += word
    yield line_of(line.page, piece, line.baseline)


def side_of(token: Token, frame: Frame) -> int:
    """-1 left of the frame, 1 right of it, 0 for what touches it."""
    slack = OUTSIDE * frame.size
    return -int(token.x1 < frame.left - slack) or int(token.x0 > frame.right + slack)


def inside(line: Line, frame: Frame) -> bool:
    """Whether any of the line is in the frame."""
    return line.x1 >= frame.left - OUTSIDE * frame.size and line.x0 <= frame.right + OUTSIDE * frame.size
