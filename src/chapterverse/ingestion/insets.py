"""What stands in a column but is not read with it: tables, and small type with text running round it (floated captions)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chapterverse.ingestion.frame import is_number, rows_of
from chapterverse.ingestion.marks import Line

SMALLER = 0.96  # of the body's size
CLOSE = 1.8  # × the size: lines of one inset are no further apart
ALIGNED = 3.0  # points by which cells of one table column may differ
LEADER = re.compile(r"(?:[.·•…]\s?){4,}")
APART = 1.0  # × the size: cells are at least so far from each other


@dataclass(frozen=True, slots=True)
class Inset:
    """A column's pieces of text, the asides beside it (each a block), and the cells of its tables."""

    text: tuple[Line, ...]
    asides: tuple[tuple[Line, ...], ...]
    cells: tuple[Line, ...]


def part_insets(pieces: Sequence[Line], size: float) -> Inset:
    """One column's pieces parted. size: of the body type, in points."""
    cells = {id(piece) for row in table_rows(rows_of(pieces)) for piece in row}
    rest = [piece for piece in pieces if id(piece) not in cells]
    asides = asides_in(rest, size)
    beside = {id(line) for block in asides for line in block}
    text = tuple(piece for piece in rest if id(piece) not in beside)
    return Inset(text, tuple(tuple(block) for block in asides), tuple(piece for piece in pieces if id(piece) in cells))


def table_rows(rows: Sequence[list[Line]]) -> list[list[Line]]:
    """The rows of tables: at least two, one under the other, with cells that begin at the same places; and their head row."""
    inside = [False] * len(rows)
    for i, (above, below) in enumerate(pairwise(rows)):
        if are_rows(above, below):
            inside[i] = inside[i + 1] = True
    heads = [i for i, (a, b) in enumerate(pairwise(inside)) if b and not a and is_head(rows[i], rows[i + 1])]
    return [row for i, row in enumerate(rows) if inside[i] or i in heads]


def is_head(row: Sequence[Line], first: Sequence[Line]) -> bool:
    """Whether the row above a table's first is its head: as many cells, though they stand differently."""
    return len(row) == len(first) > 1 and has_gaps(row) and first[0].baseline - row[0].baseline <= CLOSE * first[0].size


def are_rows(above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether two rows are of one table. Two columns of which the second are numbers are rather a contents page."""
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
    """Blocks of small type beside which, in the same column, lines of the body run on."""
    small = sorted((p for p in pieces if p.size <= SMALLER * size), key=lambda line: line.baseline)
    body = [piece for piece in pieces if piece.size > SMALLER * size]
    blocks = blocks_of(small) if body else []
    return [block for block in blocks if any(is_beside(line, other) for line in block for other in body)]


def blocks_of(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines over each other, close together, in one block each."""
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


def is_beside(a: Line, b: Line) -> bool:
    """Whether two pieces stand at one height without touching."""
    return not overlap(a, b) and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.4 * min(a.size, b.size)
