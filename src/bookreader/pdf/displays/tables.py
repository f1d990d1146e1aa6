"""Tables that only their cells show: they leave a column before it is read.

Type of fixed width is none: a program's words are aligned too."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bookreader.pdf.frame import is_number, rows_of
from bookreader.pdf.model import Line, Token, line_of

CLOSE = 1.8  # × the size: lines of one inset are no further apart
ALIGNED = 3.0  # points by which cells of one table column may differ
LEADER = re.compile(r"(?:[.·•…]\s?){4,}")
APART = 1.0  # × the size: cells are at least so far from each other


@dataclass(frozen=True, slots=True)
class Inset:
    """A column's pieces of text, and the rows of its tables, each of cells."""

    text: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]


def part_insets(pieces: Sequence[Line], fixed: frozenset[str] = frozenset()) -> Inset:
    """One column's pieces, divided. fixed: fonts of fixed width."""
    free = [piece for piece in pieces if piece.style.font not in fixed]
    table = table_rows(rows_of(free))
    cells = {id(piece) for row in table for piece in row}
    text = tuple(piece for piece in pieces if id(piece) not in cells)
    return Inset(text, tuple(tuple(row) for row in table))


def table_rows(rows: Sequence[list[Line]]) -> list[list[Line]]:
    """The rows of tables: at least two, one under the other, with cells that begin at the same places."""
    inside = [False] * len(rows)
    for i, (above, below) in enumerate(pairwise(rows)):
        if are_rows(above, below):
            inside[i] = inside[i + 1] = True
    full: Sequence[Line] = ()  # the last row of several cells
    for i, row in enumerate(rows):
        inside[i] = inside[i] or (i > 0 and inside[i - 1] and bool(full) and is_rest(row, rows[i - 1], full))
        full = row if inside[i] and len(row) > 1 else full
    return [row for row, is_row in zip(rows, inside, strict=True) if is_row]


def is_rest(row: Sequence[Line], last: Sequence[Line], above: Sequence[Line]) -> bool:
    """Whether a row continues cells of a table's row: close below it, each piece within the width of its column."""
    close = row[0].baseline - last[0].baseline <= CLOSE * row[0].size
    starts = [cell.x0 for cell in above]
    ends = [*(start - APART * row[0].size for start in starts[1:]), max(cell.x1 for cell in above)]
    return close and all(
        any(abs(cell.x0 - start) <= ALIGNED and cell.x1 <= end for start, end in zip(starts, ends, strict=True)) for cell in row
    )


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


def join(page: int, row: Sequence[Line]) -> Line:
    """One line from pieces on one baseline: that of its longest piece; smaller pieces above it are raised."""
    ruling = max(row, key=lambda line: line.width)
    tokens: list[Token] = [token for line in row for token in line.tokens]
    return line_of(page, tokens, ruling.baseline)
