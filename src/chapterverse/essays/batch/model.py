"""Facts of a batch: the essays of a class and their state."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chapterverse.core.requests import Words


@dataclass(frozen=True, slots=True)
class BatchKey:
    """Identifies a batch of a school. batch: a digest of its content, so the same essays are the same batch."""

    school: str
    batch: str


class EssayState(StrEnum):
    """The state of one essay; DONE and FAILED are final."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


class BatchState(StrEnum):
    """The state of a batch. LATE: its window is over, and essays are left for the next one."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class BatchEssay:
    """The state of one essay. number: of its line or file, from 1. reason, message: why it failed, or why the last attempt
    did: a code and a sentence; null without an error. id: as submitted, empty where it is not asked for, because it is only in
    the bucket, as are text and writer."""

    number: int
    state: EssayState = EssayState.WAITING
    reason: str | None = None
    message: Words | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class EssayBatch:
    """A batch; times are UTC. began, due: of its last window, None before the first.

    waiting, done, failed: numbers of essays. lately: how many essays ended in the last window. job: the batch prediction that
    writes for it, None without one. name: the teacher's name for it, may be empty."""

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
        return self.waiting + self.done + self.failed

    def state(self, now: datetime) -> BatchState:
        if not self.waiting:
            return BatchState.DONE
        if self.due is None:
            return BatchState.WAITING
        return BatchState.RUNNING if now < self.due else BatchState.LATE

    def ready_at(self, now: datetime) -> datetime | None:
        """When the last essay will be done, at the pace of this window; None if unknown."""
        if self.began is None or not self.lately or self.state(now) is not BatchState.RUNNING:
            return None
        return now + self.waiting * ((now - self.began) / self.lately)
