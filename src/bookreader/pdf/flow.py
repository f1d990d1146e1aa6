"""Lines in reading order with what decides their meaning: the edges of their column and the space above and below them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bookreader.pdf.frame import Frame, Leaf, first_word, is_body_size, is_number, leaf_of, left_edge
from bookreader.pdf.model import Line, PdfPage, TextStyle, Token
from bookreader.pdf.reading_order import PlacedLine

APART = 1.18  # × the leading: more than this is a space between paragraphs
LARGER = 1.07  # × the body's size: headings are at least so large, if size sets them apart
ENDED = ".!?…:"  # after which a table or picture divides no sentence
PUSHED = 0.33  # of the type size: a superscript can push its line down by so much


class Slot(NamedTuple):
    """A column as the book sets it: on which leaves, which one of how many."""

    leaf: Leaf
    column: int
    columns: int


@dataclass(frozen=True, slots=True)
class FlowLine:
    """A line in its column. left, right: the column's edges in points. above: distance to the line before it in the column,
    1.0 = as closely as lines of its size follow each other; None at the top of a column. below: likewise. number: that of the
    paragraph that begins with this line, if one is printed. goes_on: whether it continues the paragraph before, where the text
    shows it; None where only the book's habits do. quotable: whether its words are what is printed."""

    line: Line
    left: float
    right: float
    above: float | None
    below: float | None
    number: str | None = None
    goes_on: bool | None = None
    quotable: bool = True

    @property
    def page(self) -> int:
        return self.line.page

    @property
    def text(self) -> str:
        return self.line.text

    @property
    def indent(self) -> float:
        """Points from the column's left edge to the first letter."""
        return self.line.x0 - self.left

    @property
    def slack(self) -> float:
        """Points left free at the end of the line."""
        return self.right - self.line.x1

    @property
    def is_even(self) -> bool:
        """Whether the line leaves as much room at its left as at its right."""
        return abs(self.indent - self.slack) <= 1 + 0.015 * (self.right - self.left)

    @property
    def is_centred(self) -> bool:
        """Whether the line stands in the middle of its column with room on both sides."""
        return min(self.indent, self.slack) > self.line.size and self.is_even


def flow_of(pages: Sequence[PdfPage], placed: Sequence[Sequence[PlacedLine]], frames: Mapping[Leaf, Frame]) -> list[FlowLine]:
    """The whole book as one sequence of lines."""
    edges = edges_of(pages, placed, frames)
    leadings = leadings_of(placed)
    flow: list[FlowLine] = []
    for page, lines in zip(pages, placed, strict=True):
        leaf = leaf_of(page)
        gaps = [
            None
            if a and is_parted(page, a, b, edges[Slot(leaf, a.column, a.columns)][1])
            else gap(a, b, leadings, frames[leaf])
            for a, b in pairwise([None, *lines, None])
        ]
        for i, each in enumerate(lines):
            left, right = edges[Slot(leaf, each.column, each.columns)]
            before = flow[-1] if flow else None
            goes_on = False if gaps[i] is None and before and begins_below(page, before, each) else None
            flow.append(FlowLine(each.line, left, right, gaps[i], gaps[i + 1], goes_on=goes_on))
    return flow


def begins_below(page: PdfPage, before: FlowLine, line: PlacedLine) -> bool:
    """Whether a line at the top of a column begins a paragraph: below a table or picture, after the end of a sentence."""
    over = any(area.y1 <= line.line.y1 and area.x0 < line.line.x1 and line.line.x0 < area.x1 for area in page.apart)
    return over and before.text[-1:] in ENDED and not line.line.text[:1].islower()


def is_parted(page: PdfPage, a: PlacedLine | None, b: PlacedLine | None, right: float) -> bool:
    """Whether a table or picture that was taken out stood between two lines of a sentence. right: edge of the column."""
    if not (page.apart and a and b) or a.line.text[-1:] in ENDED:
        return False
    left, end = max(a.line.x0, b.line.x0), min(a.line.x1, b.line.x1)
    goes_on = b.line.text[:1].islower() or right - a.line.x1 < a.line.size
    between = (area for area in page.apart if a.line.baseline <= (area.y0 + area.y1) / 2 <= b.line.baseline)
    return goes_on and any(area.x0 < end and left < area.x1 for area in between)


def gap(a: PlacedLine | None, b: PlacedLine | None, leadings: Mapping[float, float], frame: Frame) -> float | None:
    """Distance between two successive lines in units of their leading; None where the column or page changes."""
    if a is None or b is None or (a.band == b.band and a.column != b.column) or b.line.baseline < a.line.baseline:
        return None
    typical = max(leadings.get(size, frame.leading * size / frame.size) for size in (a.line.size, b.line.size))
    step = b.line.baseline - a.line.baseline
    room = pushed(a.line, b.line)
    return max(typical, step - room) / typical if room and step > typical else step / typical


def pushed(above: Line, line: Line) -> float:
    """Points by which superscripts, fractions and other formulas may push two lines apart."""
    raised = PUSHED * line.size if any(token.raised for token in line.tokens) else 0.0
    if not any(token.lowered or not token.exact or is_high(token) for each in (above, line) for token in each.tokens):
        return raised
    hanging = max(token.y1 for token in above.tokens) - plain_token(above).y1
    standing = plain_token(line).y0 - min(token.y0 for token in line.tokens)
    return max(raised, max(0.0, hanging) + max(0.0, standing))


def plain_token(line: Line) -> Token:
    """A token of the line that is as high as its type."""
    return next((token for token in line.tokens if token.exact and token.style == line.style), line.tokens[0])


def is_high(token: Token) -> bool:
    """Whether a token is higher than its type: a fraction."""
    return token.y1 - token.y0 > 1.5 * token.style.size


def leadings_of(placed: Iterable[Sequence[PlacedLine]]) -> dict[float, float]:
    """For each type size the commonest distance from one line to the next, where there are enough to tell."""
    steps: dict[float, Counter[float]] = defaultdict(Counter)
    for lines in placed:
        for a, b in pairwise(lines):
            step = b.line.baseline - a.line.baseline
            if a.line.size == b.line.size and 0.8 * a.line.size <= step <= 3.5 * a.line.size:
                steps[a.line.size][round(step * 4) / 4] += 1
    return {size: commonest(counts) for size, counts in steps.items() if counts.total() >= 4}


def commonest(steps: Counter[float]) -> float:
    """The step most pairs have, counting those within half a point; the smaller of two as common."""
    return max(steps, key=lambda step: (sum(steps[step + d / 4] for d in (-2, -1, 0, 1, 2)), steps[step], -step))


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
    body = [line for line in lines if is_body_size(line, frame.size) and not is_number(line.text)]
    if slot.columns == 1 or slot.column == -1 or len(body) < 5:
        return (frame.left, frame.right) if slot.columns == 1 or slot.column == -1 else extent(lines)
    return left_edge([first_word(line).x0 for line in body]), float(np.percentile([line.x1 for line in body], 98))


def extent(lines: Sequence[Line]) -> tuple[float, float]:
    return min(line.x0 for line in lines), max(line.x1 for line in lines)


def body_style(flow: Iterable[FlowLine]) -> TextStyle:
    """The style of most characters in the flow."""
    weight: Counter[TextStyle] = Counter()
    for each in flow:
        weight[each.line.style] += len(each.text)
    return max(weight, key=lambda style: weight[style])


def is_running(flow: Sequence[FlowLine], i: int) -> bool:
    """Whether a line and the two after it fill their column as running text does."""
    run = flow[i : i + 3]
    return (
        len(run) == 3
        and all(each.line.width >= 0.7 * (each.right - each.left) for each in run[:2])
        and (run[1].above or 9) < APART
    )
