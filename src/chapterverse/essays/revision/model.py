"""Facts of a revision: the changes between two drafts, and what became of the earlier draft's comments.

Nothing here repeats the words of the earlier draft, so deleting it deletes them all."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class EssaySpan:
    """Characters [start, end) of the paragraph with this index."""

    paragraph: int
    start: int
    end: int


class ChangeKind(StrEnum):
    """What a change is. ADDED, CHANGED, MOVED and REMOVED are seen by comparing; the others by a language model."""

    BOOK = "book"
    EVIDENCE = "evidence"
    REASONING = "reasoning"
    POINT = "point"
    REPETITION = "repetition"
    WORDING = "wording"
    SURFACE = "surface"
    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    REMOVED = "removed"


class CommentState(StrEnum):
    """What became of a comment on the earlier draft. TRIED: something changed there; whether it answers the comment is open."""

    RESOLVED = "answered"
    TRIED = "tried"
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True)
class Change:
    """Sentences of the earlier draft and what became of them; before is empty where they are new, after where they are gone."""

    kind: ChangeKind
    before: tuple[EssaySpan, ...] = ()
    after: tuple[EssaySpan, ...] = ()


@dataclass(frozen=True, slots=True)
class CommentOutcome:
    """What became of the comment with this number."""

    number: int
    state: CommentState


@dataclass(frozen=True, slots=True)
class Revision:
    """A later draft against an earlier one. earlier: id of the feedback on that; changes: in the later draft's order; comments:
    in the order of the earlier feedback."""

    earlier: str
    changes: tuple[Change, ...] = ()
    comments: tuple[CommentOutcome, ...] = ()


def in_place(places: Iterable[EssaySpan]) -> tuple[int, int]:
    """Where the first of the places stands, for sorting; what has no place comes last."""
    return min(((one.paragraph, one.start) for one in places), default=(1 << 30, 0))
