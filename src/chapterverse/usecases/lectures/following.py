"""What windows found, in the order of where their lectures are in the books; nothing where that is not sure enough."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from uuid import UUID

from chapterverse.lecture.running import Followed, Place, Running, follow
from chapterverse.model import Hit, LectureSession, Window

SESSIONS = 1_000  # that are remembered, of each about 8 bytes a paragraph


@dataclass(frozen=True)
class Following:
    """Reorder (usecases/lectures/desk.py) by lecture/running.py; safe for threads.

    least: score of the first, below which a window has no citation; sure: Followed.sure, likewise. What sessions have said
    is remembered in this process alone: one that goes on elsewhere begins without a place, which costs it a few windows."""

    least: float
    sure: float
    _heard: OrderedDict[UUID, "Heard"] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, session: LectureSession, windows: Sequence[Window], hits: list[list[Hit]]) -> list[list[Hit]]:
        """hits: of each window, in their order; all that is left of them, likeliest first."""
        return [self._kept(self.followed(session.id, window, its), its) for window, its in zip(windows, hits, strict=True)]

    def followed(self, session: UUID, window: Window, hits: Sequence[Hit]) -> Followed:
        """A window that comes again counts once, and one that comes too late not at all; the first begins anew."""
        with self._lock:
            heard = self._heard.get(session) if window.index > 0 else None
            before = heard.until(window.index) if heard else Running()
            followed = follow(before, [place_of(hit) for hit in hits], [hit.score for hit in hits])
            if heard is None or window.index >= heard.last:
                self._heard[session] = Heard(window.index, before, followed.running)
            self._heard.move_to_end(session)
            while len(self._heard) > SESSIONS:
                self._heard.popitem(last=False)
        return followed

    def _kept(self, followed: Followed, hits: Sequence[Hit]) -> list[Hit]:
        ordered = [hits[number] for number in followed.order]
        return ordered if ordered and ordered[0].score >= self.least and followed.sure >= self.sure else []


@dataclass(frozen=True, slots=True)
class Heard:
    """last: the newest window of a session; before: what those before it say, after: with it."""

    last: int
    before: Running
    after: Running

    def until(self, index: int) -> Running:
        """What is known when that window comes."""
        return self.before if index == self.last else self.after


def place_of(hit: Hit) -> Place:
    """From a chunk's id (ingestion/chunks/cutter.py)."""
    return hit.record.version, int(hit.record.id.rpartition("-")[2])
