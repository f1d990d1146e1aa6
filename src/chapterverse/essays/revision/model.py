"""Facts of a revision: the changes between two drafts by kind, and what became of the earlier draft's comments.

Nothing here repeats the words of the earlier draft, so deleting it deletes them all."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from chapterverse.essays.outline import EssaySpan


class ChangeKind(StrEnum):
    """What a change is. Of a changed sentence the first that fits counts."""

    BOOK = "book"
    ELSEWHERE = "elsewhere"
    REASONING = "reasoning"
    POINT = "point"
    REPETITION = "repetition"
    MOVED = "moved"
    WORDING = "wording"
    SURFACE = "surface"
    REMOVED = "removed"


class CommentState(StrEnum):
    """What became of a comment on the earlier draft."""

    RESOLVED = "answered"
    TRIED = "tried"
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True)
class Change:
    """Sentences of the earlier draft and what became of them; before is empty where they are new, after where they are gone.

    book: the title, for evidence from a book. exact: whether its quotation is the book's own words; None without one. repeats:
    where the later draft says the same, for a repetition."""

    kind: ChangeKind
    before: tuple[EssaySpan, ...] = ()
    after: tuple[EssaySpan, ...] = ()
    book: str | None = None
    exact: bool | None = None
    repeats: EssaySpan | None = None


@dataclass(frozen=True, slots=True)
class CommentOutcome:
    """What became of comment `number` of the dimension `part`. priority: it was one of the comments to read first. group: the
    number of its priority, from 0; None in feedback of earlier versions, where a priority is the first of its comments."""

    part: str
    number: int
    state: CommentState
    priority: bool = False
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    """A later draft against an earlier one. earlier: id of the feedback on that; changes: in the later draft's order."""

    earlier: str
    changes: tuple[Change, ...] = ()
    comments: tuple[CommentOutcome, ...] = ()

    def of_kind(self, kind: ChangeKind) -> list[Change]:
        """The changes of one kind."""
        return [one for one in self.changes if one.kind is kind]

    @property
    def priorities(self) -> tuple[CommentState, ...]:
        """What became of each priority: answered if all its comments are, tried if some are answered or tried."""
        groups: dict[object, set[CommentState]] = {}
        for one in self.comments:
            if one.priority:
                key = (one.part, one.number) if one.group is None else one.group
                groups.setdefault(key, set()).add(one.state)
        return tuple(states.pop() if len(states) == 1 else CommentState.TRIED for states in groups.values())

    @property
    def others(self) -> tuple[CommentState, ...]:
        """What became of each comment of no priority."""
        return tuple(one.state for one in self.comments if not one.priority)


def in_place(places: Iterable[EssaySpan]) -> tuple[int, int]:
    """Where the first of the places stands, for sorting; what has no place comes last."""
    return min(((one.paragraph, one.start) for one in places), default=(1 << 30, 0))
