"""The words in pictures: they leave the page before its text is read.

A picture is a heap of shapes that touch; its lettering is short, scattered and not set line below line, unlike text in a
box."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bookreader.book import Kind
from bookreader.pdf.flow import join
from bookreader.pdf.frame import rows_of
from bookreader.pdf.model import Area, Artwork, Line, PdfPage, Token

STROKES = re.compile(r"(?:LINE|LCIRCLE)W?\d*$", re.IGNORECASE)
THIN = 1.6  # points: a rule is at most so thick
SHORTEST_RULE = 12.0  # points
SAME_EDGE = 3.0  # points by which the ends of a table's rules may differ, and pieces of one rule may be apart
SHORT = 4  # words: a line with fewer may be a cell or a letter of a picture
FEW_SHORT = 4  # of a page's lines: with fewer short ones it is not asked what is drawn on it
CELL = 6.0  # points: shapes so near each other are one picture
BACKGROUND = 0.5  # of the page: a larger shape is what the page is printed on
MAX_SHAPES = 5000  # shapes that are looked at: maps have more
MAX_RULES = 300
FEWEST = 3  # shapes, and lines of lettering, of a picture
LONG = 7  # words: a longer line is no lettering
PROSE_SHARE = 0.4  # of a picture's words, at most, stand in long lines or in lines one below the other
CLOSE = 1.6  # × the size: lines of a text are no further apart
DOT = (0.15, 0.6)  # × the size: the width and height of a drawn bullet
DOT_GAP = 1.6  # × the size: from a drawn bullet to its item, at most
DOT_SQUARE = 0.2  # share by which its height and width differ, at most
ITEM_INDENT = 1.8  # × the size: browsers indent a list by 2.5 and more
COMPANION = 1.3  # × the size: lettering stands so near to its picture
FEWEST_DOTS = 2  # one below the other


def may_hold(lines: Sequence[Line]) -> bool:
    """Whether a page has short lines as cells and letters of pictures are; most pages of prose have not."""
    return sum(len(line.tokens) < SHORT for line in lines) >= FEW_SHORT


def is_stroke(line: Line) -> bool:
    """Whether a line is made of the pieces of lines and circles that TeX has fonts of."""
    return all(STROKES.match(token.style.font) for token in line.tokens)


def artwork_on(page: Any, lines: list[Line]) -> tuple[Artwork | None, list[Line]]:
    """The rules drawn on MuPDF's page and the places of its pictures, None for a page of prose; and its lines without those
    that are drawn with letters, and with the bullets that are drawn as shapes."""
    strokes = [line for line in lines if is_stroke(line)]
    holds = may_hold(lines)
    if not holds and not has_far_indents(lines):
        return None, lines
    drawn = [(kind, Area(*box)) for kind, box in page.get_bboxlog() if not kind.endswith("text")]
    shapes = [box for _, box in drawn] + [Area(each.x0, each.y0, each.x1, each.y1) for each in strokes]
    artwork = artwork_from(shapes, page.rect.width, page.rect.height)
    dots = [box for kind, box in drawn[:MAX_SHAPES] if kind == "fill-path" and is_dot(box)]
    plain = without(lines, strokes) if strokes and holds else lines
    return artwork if holds else None, with_dots(plain, dots, artwork.pictures)


def has_far_indents(lines: Sequence[Line]) -> bool:
    """Whether lines begin further in than those of a paragraph do, as the items of a list."""
    left = min((line.x0 for line in lines), default=0.0)
    return sum(line.x0 - left > ITEM_INDENT * line.size for line in lines) >= FEWEST_DOTS


def is_dot(shape: Area) -> bool:
    """Whether a shape is as wide as it is high, and small."""
    width, height = shape.x1 - shape.x0, shape.y1 - shape.y0
    return THIN < width < SHORTEST_RULE and abs(width - height) <= DOT_SQUARE * width


def with_dots(lines: list[Line], dots: Sequence[Area], pictures: Sequence[Area]) -> list[Line]:
    """The lines with a bullet before those that have a dot just left of their beginning, and nothing before it: browsers draw
    the bullets of a list. Dots of pictures are none, nor is a dot that has none below or above it."""
    wide = [place for place in pictures if place.x1 - place.x0 > SHORTEST_RULE]  # else the dots of a list
    free = [dot for dot in dots if not any(p.x0 <= dot.x0 and dot.x1 <= p.x1 and p.y0 <= dot.y0 <= p.y1 for p in wide)]
    columns = Counter(round(dot.x0) for dot in free)
    found: dict[int, Area] = {}
    for dot in free:
        if columns[round(dot.x0)] >= FEWEST_DOTS:
            level = [at for at, line in enumerate(lines) if line.y0 <= (dot.y0 + dot.y1) / 2 <= line.y1]
            at = next((at for at in level if is_bullet(dot, lines[at])), None)
            if at is not None and not any(-DOT_GAP * lines[at].size < lines[each].x1 - dot.x1 <= 0 for each in level):
                found[at] = dot
    return [bulleted(line, found[at]) if at in found else line for at, line in enumerate(lines)]


def is_bullet(dot: Area, line: Line) -> bool:
    """Whether the dot has a bullet's size and place before that line."""
    low, high = DOT
    return low <= (dot.x1 - dot.x0) / line.size <= high and 0 < line.x0 - dot.x1 <= DOT_GAP * line.size


def bulleted(line: Line, dot: Area) -> Line:
    """The line after a bullet in place of the dot."""
    bullet = Token("•", dot.x0, line.y0, dot.x1, line.y1, line.tokens[0].style)
    return replace(line, tokens=(bullet, *line.tokens), x0=dot.x0)


def artwork_from(shapes: Sequence[Area], width: float, height: float) -> Artwork:
    """The rules and pictures among shapes on a page of that size."""
    size = width * height
    shapes = [s for s in shapes if 0 <= (s.x1 - s.x0) * (s.y1 - s.y0) < BACKGROUND * size]
    rules = merged([s for s in shapes if s.y1 - s.y0 <= THIN and s.x1 - s.x0 >= SHORTEST_RULE])
    wide = width > height  # a slide: what is in boxes there is its text
    return Artwork(tuple(rules[:MAX_RULES]), () if wide else tuple(pictures_of(shapes[:MAX_SHAPES], width, height)))


def merged(rules: Iterable[Area]) -> list[Area]:
    """The rules from top to bottom, those that go on with another one joined to it: each cell may have its own."""
    whole: list[Area] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.y0), rule.x0)):
        last = whole[-1] if whole else None
        if last and abs(last.y0 - rule.y0) <= THIN and rule.x0 <= last.x1 + SAME_EDGE:
            whole[-1] = last._replace(x1=max(last.x1, rule.x1))
        else:
            whole.append(rule)
    return whole


def pictures_of(shapes: Sequence[Area], width: float, height: float) -> Iterator[Area]:
    """The places of heaps of shapes, of which at least three are no rules."""
    grid = np.zeros((int(height / CELL) + 2, int(width / CELL) + 2), dtype=np.int32)
    cells = [cells_of(shape, grid.shape) for shape in shapes]
    for y0, y1, x0, x1 in cells:
        grid[y0:y1, x0:x1] = -1
    for area in heaps_in(grid):
        own = [s for s in shapes if area.x0 <= (s.x0 + s.x1) / 2 <= area.x1 and area.y0 <= (s.y0 + s.y1) / 2 <= area.y1]
        full = [s for s in own if min(s.x1 - s.x0, s.y1 - s.y0) > THIN]
        if full and len(own) >= FEWEST:
            yield Area(min(s.x0 for s in own), min(s.y0 for s in own), max(s.x1 for s in own), max(s.y1 for s in own))


def cells_of(shape: Area, limits: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The cells of the grid that a shape touches: [y0, y1), [x0, x1)."""
    y0, y1 = max(0, int(shape.y0 / CELL)), min(limits[0], int(shape.y1 / CELL) + 2)
    x0, x1 = max(0, int(shape.x0 / CELL)), min(limits[1], int(shape.x1 / CELL) + 2)
    return y0, y1, x0, x1


def heaps_in(grid: Any) -> Iterator[Area]:
    """The bounds of each connected part of the cells that are -1."""
    rows, columns = grid.shape
    for start in zip(*np.nonzero(grid), strict=True):
        if grid[start] != -1:
            continue
        grid[start] = 1
        waiting, found = [start], [start]
        while waiting:
            y, x = waiting.pop()
            for at in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if 0 <= at[0] < rows and 0 <= at[1] < columns and grid[at] == -1:
                    grid[at] = 1
                    waiting.append(at)
                    found.append(at)
        ys, xs = [y for y, _ in found], [x for _, x in found]
        yield Area(min(xs) * CELL, min(ys) * CELL, (max(xs) + 1) * CELL, (max(ys) + 1) * CELL)


def part_artwork(pages: Iterable[PdfPage], fixed: frozenset[str] = frozenset()) -> list[PdfPage]:
    """All pages without the lettering of pictures. fixed: fonts of listings, which may be drawn upon."""
    return [apart_on(page, fixed) if page.artwork else page for page in pages]


def apart_on(page: PdfPage, fixed: frozenset[str]) -> PdfPage:
    """One page without its pictures."""
    artwork = page.artwork or Artwork((), ())
    rest, areas = list(page.lines), list[Area]()
    extras: list[tuple[Kind, tuple[Line, ...]]] = []
    for area in artwork.pictures:
        own = [line for line in rest if is_within(line, area) or is_companion(line, area, rest)]
        whole = around([area, *own])  # the name of an axis stands beside its numbers
        own += [line for line in without(rest, own) if is_companion(line, whole, rest)]
        if is_lettering(own) and not is_listing(own, fixed):
            extras.append((Kind.CAPTION, tuple(join(page.index, row) for row in rows_of(own))))
            areas.append(area)
            rest = without(rest, own)
    return replace(page, lines=tuple(rest), apart=tuple(areas), extras=tuple(extras)) if areas else page


def around(places: Iterable[Area | Line]) -> Area:
    """The smallest place that holds others."""
    own = list(places)
    return Area(min(p.x0 for p in own), min(p.y0 for p in own), max(p.x1 for p in own), max(p.y1 for p in own))


def without(lines: Iterable[Line], gone: Iterable[Line]) -> list[Line]:
    """The other lines."""
    ids = {id(line) for line in gone}
    return [line for line in lines if id(line) not in ids]


def is_within(line: Line, area: Area) -> bool:
    """Whether a line stands in a place."""
    y = (line.y0 + line.y1) / 2
    return area.y0 <= y <= area.y1 and line.x0 >= area.x0 - SAME_EDGE and line.x1 <= area.x1 + SAME_EDGE


def is_listing(lines: Sequence[Line], fixed: frozenset[str]) -> bool:
    """Whether most lines are in the type of listings."""
    return 2 * sum(line.style.font in fixed for line in lines) > len(lines)


def is_companion(line: Line, area: Area, lines: Iterable[Line]) -> bool:
    """Whether a short line stands next to a picture, and not below a line of text."""
    reach = COMPANION * line.size
    near = area.x0 - reach <= line.middle <= area.x1 + reach and area.y0 - reach <= line.baseline <= area.y1 + reach
    return near and len(line.tokens) < SHORT and not any(follows(line, other) for other in lines)


def follows(line: Line, other: Line) -> bool:
    """Whether a line stands below or beside another one, longer one as the lines of a text do."""
    below = -0.5 * line.size <= line.baseline - other.baseline <= CLOSE * line.size
    return other is not line and below and len(other.tokens) > SHORT and other.x0 < line.x1 and line.x0 < other.x1


def is_lettering(lines: Sequence[Line]) -> bool:
    """Whether lines in a picture are its lettering and no text."""
    words = sum(len(line.tokens) for line in lines)
    texts = sum(len(line.tokens) for line in lines if len(line.tokens) > LONG or is_stacked(line, lines))
    return len(lines) >= FEWEST and texts <= PROSE_SHARE * words


def is_stacked(line: Line, lines: Iterable[Line]) -> bool:
    """Whether a line of some words stands right above or below another one that begins at its place."""
    return len(line.tokens) >= SHORT - 1 and any(
        other is not line
        and abs(other.x0 - line.x0) <= 2.0
        and abs(other.baseline - line.baseline) <= CLOSE * line.size
        and len(other.tokens) >= SHORT - 1
        for other in lines
    )
