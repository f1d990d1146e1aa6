"""Feedback that was given and is kept for a while, and what teachers say of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chapterverse.model.books import SentenceId

EVIDENCE = "evidence"
"""The part of feedback that is no dimension: sentences of books."""


class Thumb(StrEnum):
    """Whether a teacher finds it good."""

    UP = "up"
    DOWN = "down"


class Show(StrEnum):
    """Where a student sees a piece of evidence: in its place, before all others, or nowhere."""

    NORMAL = "normal"
    PINNED = "pinned"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in feedback. part: a dimension's name, or EVIDENCE; number: from 1, as it was first given."""

    part: str
    number: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What teachers think of an item; comment: for colleagues and for us, not for the student."""

    item: Item
    thumb: Thumb | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """How evidence of that number is shown; sentence: another one of the school's books in its place, instead: what is read
    from the book and said of it then, as JSON; both None for the one that was found."""

    number: int
    show: Show = Show.NORMAL
    sentence: SentenceId | None = None
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """The essay of a batch that feedback is on: the batch's name, and the essay's number in it."""

    batch: str
    number: int


@dataclass(frozen=True, slots=True)
class Submission:
    """How an essay came in. owner: e-mail address of whoever handed it in, None for a program's key; version_of: the id of
    feedback on an earlier version of it; id: under which its feedback is to be kept, None: any."""

    owner: str | None = None
    version_of: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class KeptFeedback:
    """answer: what was given, essay and all, as JSON; it is never changed. approved: since when students may see it, None: not
    yet. marks, choices: teachers', at most one of an item, by item; thumbs: the same of its owner. origin: None where it was
    given in real time. owner, version_of: as Submission says."""

    id: str
    school: str
    created: datetime
    approved: datetime | None
    answer: str
    marks: tuple[Mark, ...] = ()
    choices: tuple[Choice, ...] = ()
    origin: Origin | None = None
    owner: str | None = None
    version_of: str | None = None
    thumbs: tuple[Mark, ...] = ()
