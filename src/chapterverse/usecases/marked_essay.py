"""An essay's own words with marks on them: which comment is about which."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chapterverse.feedback.comments import Dimension


@dataclass(frozen=True, slots=True)
class Mark:
    """Comment #number on a dimension, about the characters [start, end) of a paragraph."""

    number: int
    dimension: Dimension
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a paragraph's text. dimension: of the mark on it, None without one; ends: numbers of the marks that end here."""

    text: str
    dimension: Dimension | None = None
    ends: tuple[int, ...] = ()


def pieces(text: str, marks: Sequence[Mark]) -> Iterator[Piece]:
    """The text, parted where marks begin or end, so that they may overlap; of two on the same words the shorter one shows."""
    edges = sorted({0, len(text), *(edge for mark in marks for edge in (mark.start, mark.end))})
    for start, end in pairwise(edges):
        on_it = [mark for mark in marks if mark.start <= start and end <= mark.end]
        shown = min(on_it, key=lambda mark: mark.end - mark.start).dimension if on_it else None
        yield Piece(text[start:end], shown, tuple(mark.number for mark in marks if mark.end == end))
