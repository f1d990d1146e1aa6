"""The frame of the running text, measured over the whole book, separately for left and right pages.

Running heads, folios, side notes and line numbers stand outside this frame in all designs; so the frame is measured first."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bookreader.pdf.model import Line, PdfPage, Token, in_groups

SAME_ROW = 0.35  # baselines nearer than this share of the type size are one row
LONG_ROW = 0.5  # a row is long if its letters cover this share of the page's widest row
FULL = 8  # lines of body type that make a page show its frame
SMALLEST = 0.5  # points; some Type 3 fonts claim to be smaller
COMMON_EDGE = 0.07  # a left edge counts if this share of the lines of the commonest edge start there
WIDE_LINES = 80  # percentile of the widths of lines: that of full ones
COLUMN = 0.55  # of the text's width, at most, is a line in columns


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
    ordered = sorted(lines, key=lambda line: (line.baseline, line.x0))
    rows = in_groups(ordered, lambda row, line: line.baseline - row[0].baseline <= SAME_ROW * max(line.size, 1))
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def frames_of(pages: Sequence[PdfPage]) -> dict[Leaf, Frame]:
    """A frame for every leaf; one with fewer than three full pages gets the frame of all pages of its size."""
    size = body_size(pages)
    by_leaf: dict[Leaf, list[PdfPage]] = defaultdict(list)
    for page in pages:
        by_leaf[leaf_of(page)].append(page)
    frames = {}
    for leaf, own in by_leaf.items():
        twins = by_leaf.get(leaf._replace(odd=not leaf.odd), [])  # the facing pages
        enough = sum(len([line for line in page.lines if is_body_size(line, size)]) >= FULL for page in own) >= 3
        frames[leaf] = frame_of(own if enough else [*own, *twins], size)
    twins_of = {leaf: frames.get(leaf._replace(odd=not leaf.odd), frame) for leaf, frame in frames.items()}
    return {  # as high as the facing pages: if all pages of one side are chapter openings, its own top is too low
        leaf: replace(frame, top=min(frame.top, twins_of[leaf].top), bottom=max(frame.bottom, twins_of[leaf].bottom))
        for leaf, frame in frames.items()
    }


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
    leading = leading_of(body, size)
    rows = [rows_of(page.lines) for page in pages]
    top, bottom = vertical_extent(rows, column or right - left, size, leading)
    return Frame(left, right, top, bottom, size, leading, column)


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
        plain = [row for row in in_company(rows, leading) if any(line.size <= 1.1 * size for line in row)]
        long_rows = [row for row in plain if sum(line.width for line in row) >= LONG_ROW * width]
        if long_rows:
            lasts.append(long_rows[-1][0].baseline)
        widest = [max(row, key=lambda line: line.width) for row in long_rows]
        body = [line.baseline for line in widest if is_body_size(line, size)]
        firsts += body[:1]
    if not firsts:
        baselines = [row[0].baseline for rows in pages for row in rows]
        return min(baselines, default=0.0), max(baselines, default=float("inf"))
    return common_first(firsts), float(np.percentile(lasts, 99))


def in_company(rows: Sequence[list[Line]], leading: float) -> list[list[Line]]:
    """The rows with another one close above or below, as lines of text have and running heads have not."""
    ys = [row[0].baseline for row in rows]
    near = [below - above <= 1.4 * leading for above, below in pairwise(ys)]
    return [row for row, above, below in zip(rows, [False, *near], [*near, False], strict=False) if above or below]


def common_first(firsts: Sequence[float]) -> float:
    """The highest baseline at which at least a tenth of the pages begin (chapter openings begin lower)."""
    counts: Counter[int] = Counter(round(y / 2) for y in firsts)
    enough = max(1, 0.1 * len(firsts))
    near = {key: sum(counts[key + d] for d in (-1, 0, 1)) for key in counts}
    key = min((key for key, n in near.items() if n >= enough), default=min(counts))
    return float(np.median([y for y in firsts if abs(round(y / 2) - key) <= 1]))
