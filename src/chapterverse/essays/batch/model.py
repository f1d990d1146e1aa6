"""Facts of a batch: the essays of a class, and how far each one is."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from chapterverse.messages import Message


@dataclass(frozen=True, slots=True)
class BatchKey:
    """One batch of one school; batch is made from what is in it, so the same essays are the same batch."""

    school: str
    batch: str


class EssayState(StrEnum):
    """How far one essay has come; the last two are ends."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


class BatchState(StrEnum):
    """How far all of them have come. LATE: its window is over, and some essays are left for the next context."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class BatchEssay:
    """number: of its line or file, from 1. reason, message: why it failed, or has not succeeded yet: a code and a sentence. Who
    wrote it, and what, is in the bucket alone."""

    number: int
    state: EssayState = EssayState.WAITING
    reason: str | None = None
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class NamedEssay:
    """An essay of a batch with the id that it was submitted with."""

    id: str
    essay: BatchEssay


@dataclass(frozen=True, slots=True)
class EssayBatch:
    """What is known of a batch; times are UTC. began, due: of the window that it was last begun in, None before the first.

    waiting, done, failed: so many essays. lately: of those that ended, how many since it was last begun. job: the name of the
    batch prediction that a language model writes for it, if one does. name: what its teacher calls it, empty where nothing."""

    key: BatchKey
    created: datetime
    began: datetime | None
    due: datetime | None
    waiting: int
    done: int
    failed: int
    lately: int = 0
    job: str | None = None
    name: str = ""

    @property
    def essays(self) -> int:
        """All of them."""
        return self.waiting + self.done + self.failed

    def state(self, now: datetime) -> BatchState:
        """At that moment."""
        if not self.waiting:
            return BatchState.DONE
        if self.due is None:
            return BatchState.WAITING
        return BatchState.RUNNING if now < self.due else BatchState.LATE

    def ready_at(self, now: datetime) -> datetime | None:
        """When the last essay will have ended, if it goes on as since it was begun; None where nobody can know."""
        if self.began is None or not self.lately or self.state(now) is not BatchState.RUNNING:
            return None
        each: timedelta = (now - self.began) / self.lately
        return now + self.waiting * each
