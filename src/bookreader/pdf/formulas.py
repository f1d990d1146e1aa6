"""Lines with formulas in them: MuPDF divides a line where a fraction, a root or a raised and a lowered letter stand above each
other, and mixes the pieces. Here they return to the line that they belong to, in reading order.

A line's main run is in its own type on its own baseline. A float is a smaller run above or below that baseline, a large sign of
mathematics, or a short run that stands between two others of the line. What stands above each other (fractions, indices with
powers) cannot be written as text, and is not exact."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, Self

from bookreader.pdf.characters import LARGE_SIGNS, SUMS, Char, Span
from bookreader.pdf.model import in_groups

DISPLAY = 1.25  # × a page's commonest size: larger type is a heading's or an initial, which bears no floats
SHIFTED = 0.08  # × the line's size: a float's baseline is at least so far from the line's …
REACH = 0.8  # … and at most so far
ADJACENT = 1.0  # × the line's size: a piece is at most so far from the rest of its line
FAR = 3.0  # × the line's size: a float is at most so far from the other pieces of its line …
INSIDE = 0.45  # … and overlaps none of them by more
SAME = 0.05  # × the size: baselines that differ by less are one
GAP = 0.17  # × the size: a blank between two pieces is at least so wide
HANGING = 0.75  # × the size: so far below its origin the middle line of a large sign is
LITTLE = 0.3  # × the line's size: a letter so little below the baseline is no index
SHORT = 12  # characters of a piece in the line's own type above or below its baseline (a matrix, a displayed fraction)
SMALLER = 0.86  # × the line's size: a float is at most so large
LARGER = 1.75  # × a script's size: the type of its line is at most so large
ROOT = "√"
SHORT_LINE = 36  # characters


class Piece(NamedTuple):
    """Spans beside each other on one baseline, with the largest size and the edges of them. line: index of MuPDF's line. hangs:
    whether it is a large sign, which hangs from its origin."""

    spans: tuple[Span, ...]
    line: int
    size: float
    hangs: bool
    baseline: float
    x0: float
    x1: float
    text: str

    @classmethod
    def of(cls, spans: Sequence[Span], line: int) -> Self:
        size, hangs = max(span.size for span in spans), any(map(is_large_sign, spans))
        baseline = spans[0].baseline + (HANGING * size if hangs else 0.0)
        boxes = [char["bbox"] for span in spans for char in span.chars]
        x0, x1 = min(box[0] for box in boxes), max(box[2] for box in boxes)
        return cls(tuple(spans), line, size, hangs, baseline, x0, x1, "".join([span.text for span in spans]))


@dataclass
class Row:
    """A line of text: its main pieces and its floats."""

    main: list[Piece]
    floats: list[Piece] = field(default_factory=list)

    @property
    def size(self) -> float:
        return max(piece.size for piece in self.main)

    @property
    def baseline(self) -> float:
        return self.main[0].baseline

    @property
    def x0(self) -> float:
        return min(piece.x0 for piece in self.main)

    @property
    def x1(self) -> float:
        return max(piece.x1 for piece in self.main)


def in_rows(lines: Sequence[list[Span]]) -> list[list[Span]]:
    """The lines of a page with all their pieces."""
    pieces = [piece for i, spans in enumerate(lines) for piece in pieces_of(i, spans)]
    main, floats = parted(pieces, lines)
    rows = joined(main, floats)
    lost = [piece for piece in floats if not attach(piece, rows)]
    written = [(row.main[0].line, list(spans_in(row))) for row in rows]
    written += [(piece.line, list(piece.spans)) for piece in lost]
    return [spans for _, spans in sorted(written, key=lambda pair: pair[0])]


def pieces_of(line: int, spans: Sequence[Span]) -> Iterator[Piece]:
    """The runs of a line on one baseline, of one size, without the gaps at their ends."""
    run: list[Span] = []
    blank = False
    for span in chain.from_iterable(level(span) for span in spans):
        own = trimmed(span)
        if own and run and not goes_on(run[-1], own):
            yield Piece.of(run, line)
            run = []
        elif own and run and (blank or span.text[0].isspace() or gap_between(run[-1], own) >= GAP * own.size):
            run[-1] = with_blank(run[-1], own.chars[0]["bbox"][0])
        if own:
            run.append(own)
        blank = span.text[-1:].isspace() if own else blank or span.text != ""
    if run:
        yield Piece.of(run, line)


def goes_on(before: Span, span: Span) -> bool:
    """Whether a span continues a run."""
    if is_large_sign(before) or is_large_sign(span):
        return False
    size = max(before.size, span.size)
    return -0.3 * size <= gap_between(before, span) <= ADJACENT * size and abs(span.baseline - before.baseline) <= SAME * size


def gap_between(before: Span, span: Span) -> float:
    """Points between two spans."""
    return float(span.chars[0]["bbox"][0] - before.chars[-1]["bbox"][2])


def level(span: Span) -> Iterator[Span]:
    """A span in parts on one baseline each."""

    def is_level(part: Sequence[Char], char: Char) -> bool:
        return bool(abs(char["origin"][1] - part[-1]["origin"][1]) <= SAME * span.size) or char["c"].isspace()

    return map(span.with_chars, in_groups(span.chars, is_level))


def trimmed(span: Span) -> Span | None:
    """The span without blanks at both ends; None if it holds nothing else."""
    worded = [i for i, letter in enumerate(span.text) if not letter.isspace()]
    if not worded:
        return None
    own = span.chars[worded[0] : worded[-1] + 1]
    _, y0, _, y1 = own[-1]["bbox"]
    return span.with_chars(own)._replace(baseline=own[-1]["origin"][1], y0=y0, y1=y1)


def parted(pieces: Sequence[Piece], lines: Sequence[list[Span]]) -> tuple[list[Piece], list[Piece]]:
    """Main pieces and floats."""
    rulings = [ruling_span(spans) for spans in lines]
    main: list[Piece] = []
    floats: list[Piece] = []
    for piece in pieces:
        ruling = rulings[piece.line]
        (floats if ruling is None or is_shifted(piece, ruling) else main).append(piece)
    signs = [piece for piece in floats if piece.hangs]
    long = [piece for piece in main if len(piece.text) > SHORT]
    largest = DISPLAY * common_size(span for span in rulings if span)
    bearing = [piece for piece in main if piece.size <= largest]
    apart = {id(p) for p in main if any(stands_by(p, other) for other in bearing) or in_brackets(p, long, signs)}
    return [piece for piece in main if id(piece) not in apart], [*floats, *(piece for piece in main if id(piece) in apart)]


def in_brackets(piece: Piece, long: Iterable[Piece], signs: Iterable[Piece]) -> bool:
    """Whether a short piece is beside a large sign and stands at another height than the line nearest to it (a matrix)."""
    beside = (sign for sign in signs if distance(piece, sign) <= 3 * ADJACENT * sign.size)
    if len(piece.text) > SHORT or not any(abs(piece.baseline - sign.baseline) <= 2 * REACH * sign.size for sign in beside):
        return False
    shifts = [abs(piece.baseline - other.baseline) / other.size for other in long]
    return SHIFTED < min(shifts, default=0.0) <= REACH


def is_shifted(piece: Piece, ruling: Span) -> bool:
    """Whether a piece of a line does not stand on its baseline."""
    return piece.hangs or abs(piece.baseline - ruling.baseline) > SHIFTED * ruling.size


def stands_by(piece: Piece, other: Piece) -> bool:
    """Whether a piece is a float of another: smaller, or short and squeezed between others of the line."""
    shift = abs(piece.baseline - other.baseline)
    if not SHIFTED * other.size < shift <= REACH * other.size or distance(piece, other) > ADJACENT * other.size:
        return False
    if piece.size <= SMALLER * other.size:
        return True
    return len(piece.text) <= SHORT < len(other.text) and distance(piece, other) > -0.1 * other.size


def distance(piece: Piece, other: Piece | Row) -> float:
    """Points between two pieces from left to right; negative where they overlap."""
    return max(piece.x0 - other.x1, other.x0 - piece.x1)


def joined(main: Sequence[Piece], floats: Sequence[Piece]) -> list[Row]:
    """Main pieces on one baseline as rows: those of one line of MuPDF's, and those with no more than floats between them."""
    rows: list[Row] = []
    for piece in sorted(main, key=lambda piece: (piece.baseline, piece.x0)):
        home = next((row for row in reversed(rows[-6:]) if belongs(piece, row, floats)), None)
        if home:
            home.main.append(piece)
        else:
            rows.append(Row([piece]))
    return rows


def belongs(piece: Piece, row: Row, floats: Sequence[Piece]) -> bool:
    """Whether a main piece goes on with a row."""
    size = max(piece.size, row.size)
    if abs(piece.baseline - row.baseline) > 2 * SAME * size:
        return False
    left, right = (row.x1, piece.x0) if piece.x0 >= row.x0 else (piece.x1, row.x0)
    near = (f for f in floats if abs(f.baseline - row.baseline) <= REACH * size and f.x1 > left and f.x0 < right)
    for each in sorted(near, key=lambda each: each.x0):
        if each.x0 - left <= ADJACENT * size:
            left = max(left, each.x1)
    return right - left <= ADJACENT * size


def attach(piece: Piece, rows: Iterable[Row]) -> bool:
    """Add a float to the row it is nearest to; False if there is none."""
    near = [row for row in rows if is_near(piece, row)]
    if near:
        min(near, key=lambda row: remoteness(piece, row)).floats.append(piece)
    return bool(near)


def is_near(piece: Piece, row: Row) -> bool:
    """Whether a row is near enough for a float to belong to it."""
    own = any(main.line == piece.line for main in row.main)
    reach = (1.5 if own or piece.hangs else 1.0) * REACH * row.size
    if abs(piece.baseline - row.baseline) > reach or any(distance(piece, main) < -INSIDE * row.size for main in row.main):
        return False
    return own or distance(piece, row) <= FAR * row.size


def remoteness(piece: Piece, row: Row) -> float:
    """How far a float is from a row, in units of the row's size; less for the row of MuPDF's line and the next ones."""
    lines = min(abs(main.line - piece.line) for main in row.main)
    known = 0.3 if lines == 0 else 0.15 if lines == 1 else 0.0
    return abs(piece.baseline - row.baseline) / row.size + max(0.0, distance(piece, row)) / row.size - known


def spans_in(row: Row) -> Iterator[Span]:
    """The row's spans from left to right, with blanks where pieces are apart."""
    parts = [(piece.x0, piece.x1, piece.spans) for piece in row.main]
    parts += [(min(p.x0 for p in stack), max(p.x1 for p in stack), written(stack, row)) for stack in stacks(row.floats)]
    parts.sort(key=lambda part: part[0])
    for (_, x1, (*spans, last)), (x0, _, _) in zip(parts, [*parts[1:], parts[-1]], strict=True):
        yield from (*spans, with_blank(last, x0) if x0 - x1 >= GAP * row.size else last)


def with_blank(span: Span, x1: float) -> Span:
    """The span with a gap after it, up to x1."""
    _, y0, x0, y1 = span.chars[-1]["bbox"]
    return span.with_chars([*span.chars, {**span.chars[-1], "c": " ", "bbox": (x0, y0, x1, y1), "synthetic": True}])


def stacks(floats: Sequence[Piece]) -> list[list[Piece]]:
    """Floats that stand above each other together, from left to right; large signs by themselves."""

    def is_over(stack: Sequence[Piece], piece: Piece) -> bool:
        over = any(-distance(piece, each) > 0.3 * min(piece.x1 - piece.x0, each.x1 - each.x0) for each in stack)
        return over and not any(each.hangs for each in (piece, *stack))

    return in_groups(sorted(floats, key=lambda piece: piece.x0), is_over)


def written(stack: Sequence[Piece], row: Row) -> tuple[Span, ...]:
    """The spans of a stack in the order in which they are read."""
    spans = tuple(chain.from_iterable(piece.spans for piece in stack))
    [piece, *others] = stack
    exact = is_whole_sign(piece, row) if piece.hangs else is_script(piece, row) or is_logo(piece, row)
    return spans if exact and not others else tuple(span._replace(exact=False) for span in spans)


def is_whole_sign(piece: Piece, row: Row) -> bool:
    """Whether a large sign is all that is printed: a bracket, or a sum without limits."""
    return piece.text not in SUMS or all(distance(piece, each) > 0.3 * row.size for each in row.floats if each is not piece)


def is_logo(piece: Piece, row: Row) -> bool:
    """Whether a float is a sign (a bullet), or a letter within a word ("TeX"), that is only set a little lower or higher."""
    inside = any(distance(piece, main) < 0.1 * row.size for main in row.main)
    letters = piece.text.isalpha() and inside
    return (letters or not any(map(str.isalnum, piece.text))) and abs(piece.baseline - row.baseline) <= LITTLE * row.size


def is_script(piece: Piece, row: Row) -> bool:
    """Whether a float is raised or lowered, and not an index of an index, a limit or a sign."""
    shift = abs(piece.baseline - row.baseline) / row.size
    return piece.size <= SMALLER * row.size and shift <= 0.55


def is_large_sign(span: Span) -> bool:
    """Whether a span is a sign that hangs from its origin: a large bracket, a sum, a root."""
    return LARGE_SIGNS.match(span.style.font) is not None or span.text.strip() == ROOT


def ruling_span(spans: Sequence[Span]) -> Span | None:
    """The span whose type is the line's: the longest; in a short line of two sizes a larger one. None in a blank line."""
    worded = [span for span in spans if span.text.strip()]
    if not worded:
        return None
    ruling = max(worded, key=lambda span: (len(span.chars), span.size))
    if sum(len(span.chars) for span in worded) > SHORT_LINE:
        return ruling
    signs = [span for span in worded if not is_large_sign(span)] or worded
    larger = [
        span for span in signs if ruling.size < SMALLER * span.size <= LARGER * SMALLER * ruling.size and not is_initial(span)
    ]
    return max(larger, key=lambda span: (len(span.chars), span.size)) if larger else ruling


def is_initial(span: Span) -> bool:
    return len(span.text.strip()) == 1 and span.text.strip().isupper()


def common_size(rulings: Iterable[Span]) -> float:
    """The type size of most characters."""
    counts: Counter[float] = Counter()
    for ruling in rulings:
        counts[ruling.size] += len(ruling.chars)
    return max(counts, key=lambda size: (counts[size], size))
