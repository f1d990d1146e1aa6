"""What leaves every page before its text is read: ruled tables, words in pictures, page artefacts, margins, notes.

A picture is a heap of shapes that touch; its lettering is short, scattered and not set line below line, unlike text in a box.
Page artefacts (running heads, folios, repeated footers, watermarks) are known by two kinds of evidence, without rules for
styles: a line stands outside the frame at a height where many pages have one, or the same words recur at the same place on many
pages. Notes are smaller type at the foot, told from quotations by how the book uses that type elsewhere: a size belongs to
notes if body text hardly ever follows below it on a page. Where quotations and notes have the same size, a block at the foot is
a note if it begins with a mark (a number, an asterisk)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from bookreader.book import Kind
from bookreader.pdf.flow import ITEM_MARK, LARGER, LEADER, join, overlap
from bookreader.pdf.frame import Frame, Leaf, first_word, is_body_size, is_margin_number, leaf_of, rows_of
from bookreader.pdf.headings import DIVISION_ONLY
from bookreader.pdf.model import Area, Line, PdfPage, Token, in_groups
from bookreader.pdf.prose import SYMBOLS

STROKES = re.compile(r"(?:LINE|LCIRCLE)W?\d*$", re.IGNORECASE)  # TeX's fonts of pieces of lines and circles
THIN = 1.6  # points: a rule is at most so thick
SHORTEST_RULE = 12.0  # points
SAME_EDGE = 3.0  # points by which lettering may stand out of its picture
SHORT = 4  # words: a line with fewer may be a cell or a letter of a picture
FEW_SHORT = 4  # of a page's lines: with fewer short ones it is not asked what is drawn on it
CELL = 6.0  # points: shapes so near each other are one picture
BACKGROUND = 0.5  # of the page: a larger shape is what the page is printed on
EDGE = 0.06  # of the page: shapes that are so near its edge are a frame around it
MAX_SHAPES = 5000  # shapes that are looked at: maps have more
FEWEST = 3  # shapes, and lines of lettering, of a picture
LONG_LINE = 7  # words: a longer line is no lettering
PROSE_SHARE = 0.4  # of a picture's words, at most, stand in long lines or in lines one below the other
NEXT_LINE = 1.6  # × the size: lines of a text are no further apart
DOT = (0.15, 0.6)  # × the size: the width and height of a drawn bullet
DOT_GAP = 1.6  # × the size: from a drawn bullet to its item, at most
DOT_SQUARE = 0.2  # share by which its height and width differ, at most
ITEM_INDENT = 1.8  # × the size: browsers indent a list by 2.5 and more
COMPANION = 1.3  # × the size: lettering stands so near to its picture
FEWEST_DOTS = 2  # one below the other
MIDDLE = 0.25  # × the size: so high above the baseline is the middle of small letters
STOPS = ".!?"
SPACE = 1.3  # × the least distance of lines in a cell: more is a space between paragraphs
FEW = 3  # words: an entry of data has fewer
MOSTLY = 0.6  # of the rows of data have an entry in each column
OUTSIDE = 0.6  # of the leading: so far above the first or below the last line of a full page, a row is outside the frame
BAND_SHARE = 0.08  # of the pages: so many have a row at this height outside the frame
REPEAT_SHARE = 0.3  # of the pages: so many carry the same words at the same place around the text …
STAMP_SHARE = 0.6  # … or within it
FEW_NUMBERS = 2  # in a side margin: more are line numbers, not folios
DISPLAY = 1.25  # × the body's size: running heads are not set so large
LONG = 0.5  # of a full line: a line so long is text
NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
LAST_NUMBER = re.compile(r"(?<![\d,.])\d{1,4}$", re.ASCII)
COUNTED = re.compile(r"#-?\d+")  # a folio less the page's index, by spots_of
LAST_ROWS = 1.5  # × the leading: so near the end of a full page stand its last rows
FOLIO = re.compile(r"^\W*(?:(?:page|p\.?|pp\.?)\s*)?(?:\d{1,4}|[ivxlcdm]{1,9})(?:\s*(?:of|/)\s*\d+)?\W*$", re.IGNORECASE)
STARTS = re.compile(r"\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)
ENDS = re.compile(r"(?:\*\*\*\s*|^)END OF (?:THE |THIS )?PROJECT GUTENBERG", re.IGNORECASE)
FRONT_PAGES = 10  # on which the words before a Project Gutenberg text, and imprints, stand
SMALLER = 0.96  # of the body's size: notes are set so
SURE = 0.9  # of the body's size: smaller type is that of notes, though the recognition may have lost their calls
OWN_SHARE = 0.85  # of a size's lines: so many at the foot of a page make it the notes' own
CLOSE = 1.45  # × the size: a note follows the end of another no further off
GAP = 1.6  # × the size: rows of one block of notes are no further apart
MARK = re.compile(r"^[\[(]?(\d{1,3}|[*†‡§¶‖∗]{1,3}|[a-z])[\])]?[.:]?$")
BESIDE = 0.25  # of the type size: so far beyond the frame's edge a token stands in the margin
SET_OFF = 0.45  # of the type size: a blank so wide parts margin and text, a narrower one is within a line that hangs out
SIDENOTE = 0.95  # of the type size: a side note is set no larger than this


def rules_in(log: Any) -> tuple[Area, ...]:
    """The level and upright lines that a page draws, if there are upright ones. log: as in `artwork_on`."""
    drawn = [Area(*box) for kind, box in log if kind in ("fill-path", "stroke-path")]
    rules = [s for s in drawn if min(s.x1 - s.x0, s.y1 - s.y0) <= THIN and max(s.x1 - s.x0, s.y1 - s.y0) >= CELL]
    return tuple(rules) if any(map(is_upright, rules)) else ()


def artwork_on(size: tuple[float, float], log: Any, lines: list[Line]) -> tuple[tuple[Area, ...], list[Line]]:
    """The places of pictures on a page of that size, none for a page of prose; and its lines, without lettering of pictures and
    with a bullet where one is drawn as a shape. log: kind and box of all that the page draws (get_bboxlog)."""
    strokes = [line for line in lines if all(STROKES.match(token.style.font) for token in line.tokens)]
    holds = sum(len(line.tokens) < SHORT for line in lines) >= FEW_SHORT
    left = min((line.x0 for line in lines), default=0.0)
    far = sum(line.x0 - left > ITEM_INDENT * line.size for line in lines)  # further in than in a paragraph, as items of a list
    if not holds and far < FEWEST_DOTS:
        return (), lines
    drawn = [(kind, Area(*box)) for kind, box in log if not kind.endswith("text")]
    shapes = [box for _, box in drawn] + [Area(each.x0, each.y0, each.x1, each.y1) for each in strokes]
    pictures = tuple(pictures_of(shapes, *size))
    dots = [box for kind, box in drawn[:MAX_SHAPES] if kind == "fill-path" and is_dot(box)]
    plain = without(lines, strokes) if strokes and holds else lines
    return pictures if holds else (), with_dots(plain, dots, pictures)


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
    out = list(lines)
    for at, dot in found.items():
        bullet = Token("•", dot.x0, out[at].y0, dot.x1, out[at].y1, out[at].tokens[0].style)
        out[at] = replace(out[at], tokens=(bullet, *out[at].tokens), x0=dot.x0)
    return out


def is_bullet(dot: Area, line: Line) -> bool:
    """Whether the dot has a bullet's size and place before that line."""
    low, high = DOT
    return low <= (dot.x1 - dot.x0) / line.size <= high and 0 < line.x0 - dot.x1 <= DOT_GAP * line.size


def pictures_of(shapes: Sequence[Area], width: float, height: float) -> Iterator[Area]:
    """The places of heaps of three shapes, not all rules, on a page of that size; none on a slide, whose text is boxed."""
    shapes = [s for s in shapes if 0 <= (s.x1 - s.x0) * (s.y1 - s.y0) < BACKGROUND * width * height]
    edges = (width * EDGE, height * EDGE, width * (1 - EDGE), height * (1 - EDGE))
    shapes = [s for s in shapes if not (s.x1 < edges[0] or s.y1 < edges[1] or s.x0 > edges[2] or s.y0 > edges[3])]
    for own in heaps_of(shapes, width, height) if width <= height else ():
        if len(own) >= FEWEST and any(min(s.x1 - s.x0, s.y1 - s.y0) > THIN for s in own):
            yield around(own)


def heaps_of(shapes: Sequence[Area], width: float, height: float) -> Iterator[list[Area]]:
    """The shapes that touch, or nearly so, on a page of that size."""
    grid = np.zeros((int(height / CELL) + 2, int(width / CELL) + 2), dtype=np.int32)
    for s in (shapes := shapes[:MAX_SHAPES]):
        grid[max(0, int(s.y0 / CELL)) : int(s.y1 / CELL) + 2, max(0, int(s.x0 / CELL)) : int(s.x1 / CELL) + 2] = -1
    x, y = np.array([((s.x0 + s.x1) / 2, (s.y0 + s.y1) / 2) for s in shapes]).reshape(-1, 2).T
    for area in heaps_in(grid):
        inside = (area.x0 <= x) & (x <= area.x1) & (area.y0 <= y) & (y <= area.y1)
        if inside.any():  # else they stand beyond the page's edge
            yield [shapes[i] for i in np.flatnonzero(inside).tolist()]


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


def without_tables(page: PdfPage) -> PdfPage:
    """A page without the tables whose cells are parted by rules; each text in a cell is one by itself."""
    rest, extras = list(page.lines), list[tuple[Kind, tuple[Line, ...]]]()
    for rules in heaps_of(page.rules, page.width, page.height):
        area, walls = around(rules), [rule for rule in rules if is_upright(rule)]
        inner = [wall for wall in walls if area.x0 + SAME_EDGE < wall.x0 < area.x1 - SAME_EDGE]
        level = [line for line in rest if inner and area.y0 <= middle_of(line) <= area.y1]
        pieces = [piece for line in level for piece in cut_at_rules(line, walls)]
        rows = cells_of([piece for piece in pieces if is_within(piece, area)], rules, area)
        if len(rows) > 1 and max(map(len, rows)) > 1:
            extras += texts_in(page.index, rows)
            rest = [*without(rest, level), *without(pieces, [line for row in rows for cell in row for line in cell])]
    return replace(page, lines=tuple(rest), extras=tuple(extras)) if extras else page


def is_upright(rule: Area) -> bool:
    return rule.x1 - rule.x0 < rule.y1 - rule.y0


def middle_of(line: Line) -> float:
    """The height of the middle of small letters."""
    return line.baseline - MIDDLE * line.size


def cut_at_rules(line: Line, walls: Iterable[Area]) -> list[Line]:
    """The line, divided where an upright rule stands between its words."""
    level = [wall.x0 for wall in walls if wall.y0 <= middle_of(line) <= wall.y1]
    return line.divided(lambda a, b: any(a.x0 + a.x1 <= 2 * x < b.x0 + b.x1 for x in level))


def cells_of(lines: Iterable[Line], rules: Sequence[Area], area: Area) -> list[list[list[Line]]]:
    """The lines of each cell, row by row; none of what stands across all columns, or only partly beside an upright rule."""
    cells = defaultdict[Area, list[Line]](list)
    for line in (line for row in rows_of(lines) for line in row):
        x, y = line.middle, middle_of(line)
        walls = [rule.x0 for rule in rules if is_upright(rule) and rule.y0 <= y <= rule.y1]
        left, right = max((w for w in walls if w < x), default=area.x0), min((w for w in walls if w >= x), default=area.x1)
        over = [rule for rule in rules if not is_upright(rule) and rule.x0 <= x <= rule.x1 and rule.y0 < y]
        ends = ((rule, min(abs(rule.x0 - left), abs(rule.x1 - right))) for rule in over)
        bars = [rule.y0 for rule, near in ends if near <= SAME_EDGE or (rule.x0 <= left and rule.x1 >= right)]
        cells[Area(round(left), round(max(bars, default=area.y0)), round(right), area.y1)].append(line)
    ordered = sorted(cells, key=lambda cell: (cell.y0, cell.x0))
    rows = (list(row) for _, row in groupby(ordered, lambda cell: cell.y0))
    apart = (row for row in rows if all(a.x1 <= b.x0 for a, b in pairwise(row)))
    return [[cells[cell] for cell in row] for row in apart if row[0].x1 - row[0].x0 < area.x1 - area.x0 - SAME_EDGE]


def texts_in(page: int, cells: Iterable[Sequence[list[Line]]]) -> Iterator[tuple[Kind, tuple[Line, ...]]]:
    """What a table's cells hold: each text by itself, and rows of what is none."""
    rows = list[Line]()
    for row in cells:
        parts = [part for cell in row for part in paragraphs_in(cell)]
        later = ([token.text for line in part for token in line.tokens][SHORT:] for part in parts)
        texts = [part for part, words in zip(parts, later, strict=True) if any(word[-1] in STOPS for word in words)]
        rest = [join(page, part) for part in parts if part not in texts]
        lines = rows_of(line for part in parts for line in part)
        filled, words = [len(own) for own in lines], sum(len(piece.tokens) for own in lines for piece in own)
        if filled.count(max(filled)) > MOSTLY * len(filled) and max(filled) > 1 and words < FEW * sum(filled) and not texts:
            rows += [join(page, own) for own in lines]  # one below the other, without rules between them
        else:
            rows += [join(page, rest)] if rest and len(parts) == len(row) else rest
        if texts and rows:
            yield Kind.TABLE, tuple(rows)
            rows = []
        yield from ((Kind.SENTENCE, tuple(text)) for text in texts)
    if rows:
        yield Kind.TABLE, tuple(rows)


def paragraphs_in(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of a cell, divided before items, at spaces, and where the next word would have fitted beside a longer line."""
    width = max(line.width for line in lines)
    steps = [b.baseline - a.baseline for a, b in pairwise(lines)]
    close = SPACE * min([step for step, line in zip(steps, lines, strict=False) if step > line.size], default=0.0)

    def goes_on(part: Sequence[Line], line: Line) -> bool:
        before, first = part[-1], line.tokens[0]
        early = width - before.width - (first.x1 - first.x0) > line.size and not first.text[0].islower()
        return not (early or line.baseline - before.baseline > close or ITEM_MARK.fullmatch(first.text))

    return in_groups(lines, goes_on)


def without_lettering(page: PdfPage, fixed: frozenset[str]) -> PdfPage:
    """A page without the lettering of its pictures. fixed: fonts of listings, which may be drawn upon."""
    rest, extras = list(page.lines), list(page.extras)
    for area in page.artwork:
        own = [line for line in rest if is_within(line, area) or is_by_picture(line, area, rest)]
        whole = around([area, *own])  # the name of an axis stands beside its numbers
        own += [line for line in without(rest, own) if is_by_picture(line, whole, rest)]
        listing = 2 * sum(line.style.font in fixed for line in own) > len(own)
        if is_lettering(own) and not listing:
            extras.append((Kind.CAPTION, tuple(join(page.index, row) for row in rows_of(own))))
            rest = without(rest, own)
    return replace(page, lines=tuple(rest), extras=tuple(extras))


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


def is_by_picture(line: Line, area: Area, lines: Iterable[Line]) -> bool:
    """Whether a short line stands next to a picture, and not below a line of text."""
    reach = COMPANION * line.size
    near = area.x0 - reach <= line.middle <= area.x1 + reach and area.y0 - reach <= line.baseline <= area.y1 + reach
    return near and len(line.tokens) < SHORT and not any(follows_text(line, other) for other in lines)


def follows_text(line: Line, other: Line) -> bool:
    """Whether a line stands below or beside another one, longer one as the lines of a text do."""
    below = -0.5 * line.size <= line.baseline - other.baseline <= NEXT_LINE * line.size
    return other is not line and below and len(other.tokens) > SHORT and other.x0 < line.x1 and line.x0 < other.x1


def is_lettering(lines: Sequence[Line]) -> bool:
    """Whether lines in a picture are its lettering and no text."""
    words = sum(len(line.tokens) for line in lines)
    texts = sum(len(line.tokens) for line in lines if len(line.tokens) > LONG_LINE or is_stacked(line, lines))
    return len(lines) >= FEWEST and texts <= PROSE_SHARE * words


def is_stacked(line: Line, lines: Iterable[Line]) -> bool:
    """Whether a line of some words stands right above or below another one that begins at its place."""
    near = (each for each in lines if abs(each.baseline - line.baseline) <= NEXT_LINE * line.size and each is not line)
    aligned = any(abs(other.x0 - line.x0) <= 2.0 and len(other.tokens) >= SHORT - 1 for other in near)
    return aligned and len(line.tokens) >= SHORT - 1


class MarginText(NamedTuple):
    """Words at a height (in steps of 4 points), in type of a size."""

    words: str
    height: int
    size: int


class Bands(NamedTuple):
    """Heights at which many pages have a line: above or below the frame, and in the side margins."""

    outside: set[int]
    margins: set[int]


def remove_artefacts(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> list[PdfPage]:
    """Every page without its artefacts, from which folios are read."""
    bands = common_bands(pages, frames)
    repeated = repeated_lines(pages, frames)
    heads = chapter_heads(pages, frames)
    return [part(page, frames[leaf_of(page)], bands, repeated, heads.get(page.index, ())) for page in pages]


def with_doubtful(pages: Sequence[PdfPage]) -> Iterator[PdfPage]:
    """The pages with the artefacts that hold a word and stand on no other page: each may be a line of the text."""
    words = Counter(NUMBER.sub("#", line.text.casefold()) for page in pages for line in page.artefacts)
    once = {text for text, n in words.items() if n == 1 and any(map(str.isalpha, text))}
    for page in pages:
        yield page.with_lines(
            (*page.lines, *(each for each in page.artefacts if NUMBER.sub("#", each.text.casefold()) in once))
        )


def chapter_heads(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> dict[int, list[Line]]:
    """The heading of a chapter by page index, where it stands as high as running heads do and each page has one: large words or
    a name like "CHAPTER IV" printed only there, and the lines from it to the text, which does not begin within a sentence."""
    names = Counter(line.text.casefold() for page in pages for line in page.lines)
    found: dict[int, list[Line]] = {}
    for page in pages:
        frame = frames[leaf_of(page)]
        heads = sorted((line for line in page.lines if side_of(line, frame) == -1), key=lambda line: line.baseline)
        large = [line.size >= LARGER * frame.size and not NUMBER.search(line.text) for line in heads]  # else "No. 7" may count
        alone = [i for i, line in enumerate(heads) if names[line.text.casefold()] == 1]
        named = [i for i in alone if large[i] or DIVISION_ONLY.match(heads[i].text)]
        text = [line for line in page.lines if not side_of(line, frame) and is_body_size(line, frame.size)]
        first = min(text, key=lambda line: line.baseline, default=None)
        if named and first and not first.text[:1].islower():
            found[page.index] = [line for line in heads[named[0] :] if not FOLIO.match(line.text)]
    return found


def part(page: PdfPage, frame: Frame, bands: Bands, repeated: set[MarginText], text: Sequence[Line]) -> PdfPage:
    """One page divided: an artefact is in a common band outside the frame, a lone folio there, or recurs. text: others."""
    beside = [line for line in page.lines if is_companion(line, frame) and is_margin_number(line.text)]
    numbered = len(beside) > FEW_NUMBERS
    own = [line for line in page.lines if line not in text]
    beyond = [line for line in own if is_around(line, page, frame, bands) and not (numbered and line in beside)]
    found = [line for line in own if line in beyond or not repeated.isdisjoint(spots_of(line, frame))]
    return replace(page, lines=tuple(line for line in page.lines if line not in found), artefacts=tuple(found))


def follows(line: Line, page: PdfPage, frame: Frame) -> bool:
    """Whether a line of body type stands one leading below another that it lies under: text, however low."""
    if not is_body_size(line, frame.size):
        return False
    above = (other for other in page.lines if 0 < line.baseline - other.baseline <= 1.1 * frame.leading)
    return any(is_body_size(other, frame.size) and other.width > LONG * (frame.column or frame.width) for other in above)


def precedes(line: Line, page: PdfPage, frame: Frame) -> bool:
    """Whether lines of body type reach from a line down to the frame, one leading below each other: text, however high."""
    near = (each for each in page.lines if 0 < each.baseline - line.baseline <= 1.1 * frame.leading and overlap(line, each))
    below = min(near, key=lambda each: each.baseline, default=None)
    return is_body_size(line, frame.size) and below is not None and (not side_of(below, frame) or precedes(below, page, frame))


def is_around(line: Line, page: PdfPage, frame: Frame, bands: Bands) -> bool:
    """Whether a line is around the text where many pages have one, and is not simply its next or first line."""
    if not side_of(line, frame):
        return is_companion(line, frame) and band_of(line) in bands.margins
    display = line.size > DISPLAY * frame.size  # a chapter's head, however high it stands
    text = precedes(line, page, frame) or follows(line, page, frame)
    return bool(FOLIO.match(line.text)) or (band_of(line) in bands.outside and not display and not text)


def side_of(line: Line, frame: Frame) -> int:
    """-1 above the frame, 1 below it, 0 within."""
    if line.baseline < frame.top - OUTSIDE * frame.leading:
        return -1
    return int(line.baseline > frame.bottom + OUTSIDE * frame.leading)


def band_of(line: Line) -> int:
    """Heights in steps of 4 points."""
    return round(line.baseline / 4)


def is_companion(line: Line, frame: Frame) -> bool:
    """Whether a line stands in the left or right margin."""
    return line.x1 < frame.left - 1 or line.x0 > frame.right + 1


def common_bands(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> Bands:
    """Where the book's page artefacts stand."""
    if len(pages) < FEWEST:  # two that have a line at one height show nothing
        return Bands(set(), set())
    outside: Counter[int] = Counter()
    margins: Counter[int] = Counter()
    for page in pages:
        frame = frames[leaf_of(page)]
        outside.update({band_of(line) for line in page.lines if side_of(line, frame)})
        margins.update({band_of(line) for line in page.lines if is_companion(line, frame) and not side_of(line, frame)})
    return Bands(frequent(outside, BAND_SHARE * len(pages)), frequent(margins, REPEAT_SHARE * len(pages)))


def frequent(counts: Counter[int], share: float) -> set[int]:
    """The bands with so many pages (at least two), and the steps next to them."""
    enough = max(2.0, share)
    return {band + step for band, n in counts.items() if n + counts[band + 1] >= enough for step in (-1, 0, 1, 2)}


def spots_of(line: Line, frame: Frame) -> set[MarginText]:
    """A line's words with its height and size, equal for the same words on another page.

    Around the text, where folios change, numbers are ignored; within it they count (notes like "Ibid., p. 36" differ only in
    them), but for those of a footer from page to page ("Networks 2-19"): it is never bold, and small, or low on the page."""
    text = line.text.casefold()
    is_low = line.baseline > frame.bottom - LAST_ROWS * frame.leading and is_body_size(line, frame.size)
    is_footer = not line.style.bold and (line.size < SMALLER * frame.size or is_low)
    counted = LAST_NUMBER.sub(lambda found: f"#{int(found[0]) - line.page}", text) if is_footer else text
    forms = {NUMBER.sub("#", text)} if side_of(line, frame) else {text, counted}
    return {MarginText(words, band_of(line), round(line.size)) for words in forms}


def repeated_lines(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> set[MarginText]:
    """The spots whose words recur at one height: around the text on many pages (at least three): footers; within it on most
    pages (at least six): watermarks, stamps."""
    around: dict[MarginText, set[int]] = defaultdict(set)
    within: dict[MarginText, set[int]] = defaultdict(set)
    for page in pages:
        frame = frames[leaf_of(page)]
        for line in page.lines:
            for spot in spots_of(line, frame):
                (around if side_of(line, frame) else within)[spot].add(page.index)
    both = (around, max(3, REPEAT_SHARE * len(pages))), (within, max(6, STAMP_SHARE * len(pages)))
    frequent = (spot for spots, enough in both for spot, on in spots.items() if len(on) >= enough)
    return {spot for spot in frequent if any(c.isalpha() for c in spot.words) or COUNTED.fullmatch(spot.words)}


def without_licence(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """The pages without what Project Gutenberg prints before and after a book."""
    places = [(page.index, line) for page in pages for line in page.lines]
    start = next(
        ((index, line.baseline) for index, line in places if index < FRONT_PAGES and STARTS.search(line.text)), (-1, 0.0)
    )
    end = next(((index, line.baseline) for index, line in places if ENDS.search(line.text)), (len(pages), 0.0))
    if start[0] < 0 and end[0] == len(pages):
        return list(pages)
    return [page.with_lines(line for line in page.lines if start < (page.index, line.baseline) < end) for page in pages]


def part_notes(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> list[PdfPage]:
    """Every page without its footnotes."""
    feet = [foot_blocks(page, frames[leaf_of(page)]) for page in pages]
    own = sizes_of_notes(pages, feet, frames)
    noted: list[PdfPage] = []
    for page, blocks in zip(pages, feet, strict=True):
        noted.append(without_notes(page, blocks, own, noted[-1].notes if noted else ()))
    return noted


def without_notes(page: PdfPage, blocks: Sequence[list[Line]], own: set[float], before: Sequence[Line]) -> PdfPage:
    """One page without its footnotes. before: the notes of the page before, of which the last may continue here."""
    notes = set_as_notes(blocks, own, goes_on=bool(before))
    for block in (block for block in blocks if key(block[0]) not in own):  # set in another type, with a raised mark
        notes += block if mark_of(block[0]) and block[0].tokens[0].raised else []
    text = [line for line in page.lines if line not in notes]
    if not text:
        return page
    return replace(page, lines=tuple(text), notes=tuple(notes), marks=frozenset(filter(None, map(mark_of, notes))))


def set_as_notes(blocks: Sequence[list[Line]], own: set[float], *, goes_on: bool) -> list[Line]:
    """The lines in the notes' type from the first mark on.

    What stands above the mark is the end of a note from the page before, or a quotation in type of the same size."""
    lines = [line for block in blocks if key(block[0]) in own for line in block]
    first = next((i for i, line in enumerate(lines) if mark_of(line)), len(lines))
    close = 0 < first < len(lines) and lines[first].baseline - lines[first - 1].baseline <= CLOSE * lines[first].size
    return lines if goes_on and (close or first in (0, len(lines))) else lines[first:]


def mark_of(line: Line) -> str | None:
    """The mark at the beginning of a note's first line, without brackets; None if the line begins no note."""
    first = line.tokens[0]
    if len(line.tokens) < 2:
        return None
    found = MARK.match(first.text)
    letter = found is not None and found[1].isalpha()  # "a" and "p." are words of a sentence, "a)" and a raised a are marks
    if found and (first.raised or first.text[0] in "[(" or ")" in first.text or not letter):
        return found[1]
    return first.text[0] if first.text[0] in SYMBOLS else None


def key(line: Line) -> float:
    """A size in half points."""
    return round(line.size * 2) / 2


def foot_blocks(page: PdfPage, frame: Frame) -> list[list[Line]]:
    """The blocks of smaller type (or after a gap, with a mark) with no body line below them."""
    sizes = Counter(line.size for line in page.lines)
    size = frame.size
    if all(each <= SMALLER * size for each in sizes):  # a page that is set smaller than the body of the book
        size = max(sizes, key=lambda each: (sizes[each], each), default=0.0)
    body = [line for line in page.lines if line.size > SMALLER * size]
    small = [line for line in page.lines if line.size <= SMALLER * size]
    return blocks_of(line for line in small if not any(b.baseline > line.baseline + 1 and overlap(b, line, 0.1) for b in body))


def blocks_of(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines of one size that follow each other closely, top to bottom; parts at the same height stay together."""

    def is_next(rows: Sequence[Sequence[Line]], row: Sequence[Line]) -> bool:
        last = rows[-1][-1]
        return key(last) == key(row[0]) and row[0].baseline - last.baseline <= GAP * row[0].size

    return [[line for row in rows for line in row] for rows in in_groups(rows_of(lines), is_next)]


def sizes_of_notes(pages: Sequence[PdfPage], feet: Sequence[list[list[Line]]], frames: Mapping[Leaf, Frame]) -> set[float]:
    """The sizes below the body's whose lines are almost always at a page's foot, and whose blocks often begin with a mark."""
    total: Counter[float] = Counter()
    at_foot: Counter[float] = Counter()
    marked: set[float] = set()
    for page, blocks in zip(pages, feet, strict=True):
        size = frames[leaf_of(page)].size
        small = [line for line in page.lines if line.size <= SMALLER * size]
        total.update(key(line) for line in small)
        if len(small) < len(page.lines):
            at_foot.update(key(line) for block in blocks for line in block)
            marked |= {key(b[0]) for b in blocks if mark_of(b[0]) and b[0].size < SURE * size}
    return {size for size, n in total.items() if size in marked and at_foot[size] >= OWN_SHARE * n}


def without_margins(page: PdfPage, frame: Frame) -> PdfPage:
    """A page without its margins; lines that cross the frame's edge are divided there first."""
    text, notes, numbers = list[Line](), list[Line](), list[Line]()
    # of the page's own lines, which may be further in than the frame's
    edge = min((first_word(line).x0 for line in page.lines if not is_margin_number(line.text)), default=frame.left)
    led = {round(line.baseline) for line in page.lines if LEADER.search(line.text)}  # to a number of theirs
    for piece in (piece for line in page.lines for piece in cut_at_edges(line, frame)):
        is_led = piece.x0 > frame.right and round(piece.baseline) in led
        outside = piece.x1 < edge - BESIDE * frame.size or not is_inside(piece, frame)
        if outside and not is_led and is_margin_number(piece.text):
            numbers.append(piece)
        elif is_inside(piece, frame):
            text.append(piece)
        else:
            (notes if piece.size <= SIDENOTE * frame.size else text).append(piece)
    return replace(page, lines=tuple(text), sidenotes=tuple(notes), numbers=tuple(numbers))


def cut_at_edges(line: Line, frame: Frame) -> list[Line]:
    """The line, divided where its words pass from margin to text across a wide blank."""
    if all(margin_of(token, frame) == 0 for token in line.tokens):
        return [line]
    blank = SET_OFF * line.size
    return line.divided(lambda a, b: b.x0 - a.x1 >= blank and margin_of(a, frame) != margin_of(b, frame))


def margin_of(token: Token, frame: Frame) -> int:
    """-1 left of the frame, 1 right of it, 0 for what touches it."""
    slack = BESIDE * frame.size
    return -int(token.x1 < frame.left - slack) or int(token.x0 > frame.right + slack)


def is_inside(line: Line, frame: Frame) -> bool:
    """Whether any of the line is in the frame."""
    return line.x1 >= frame.left - BESIDE * frame.size and line.x0 <= frame.right + BESIDE * frame.size
