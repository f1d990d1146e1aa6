"""What windows found, in the order of where their lectures are in the books; nothing where that is not sure enough."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from threading import Lock
from uuid import UUID

from chapterverse.errors import CatalogUnavailable, NotFound
from chapterverse.lecture.running import Followed, Place, Running, follow
from chapterverse.model import ChunkId, Citation, Hit, LectureSession, Window

GAP = 5  # windows that are dropped, or have no citation, now and then
RECALLED = 20  # windows with citations; where they have led, those before them say nothing of any more
BELOW = 0.3  # of score, that what was not shown is taken to have had below what was
SESSIONS = 1_000  # that are remembered, of each about 8 bytes a paragraph


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Following:
    """Reorder (usecases/lectures/desk.py) by lecture/running.py; safe for threads.

    least: score of the first, below which a window has no citation; sure: Followed.sure, likewise. Where a session is, this
    process remembers; of one that has been elsewhere for more than GAP windows, the citations that `recall` gives say it,
    which are those of all its windows, in order."""

    least: float = 0.42  # cosine and words, for MiniLM and the words' weight of 2 (docs/lectures.md)
    sure: float = 0.2
    recall: Callable[[LectureSession], Sequence[Citation]] = lambda _: ()
    _heard: OrderedDict[UUID, "Heard"] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, session: LectureSession, windows: Sequence[Window], hits: list[list[Hit]]) -> list[list[Hit]]:
        """hits: of each window, in their order; all that is left of them, likeliest first."""
        if windows and self._has_been_elsewhere(session.id, windows[0].index):
            self._go_on(session, windows[0].index)
        return [self._kept(self.followed(session.id, window, its), its) for window, its in zip(windows, hits, strict=True)]

    def _has_been_elsewhere(self, session: UUID, index: int) -> bool:
        with self._lock:
            heard = self._heard.get(session)
        return index > (heard.last if heard else 0) + GAP

    def _go_on(self, session: LectureSession, index: int) -> None:
        """From what its windows before that one have found."""
        try:
            before = [citation for citation in self.recall(session) if citation.window_index < index]
        except (CatalogUnavailable, NotFound) as error:
            log.warning("lecture without its place", extra={"session": str(session.id), "error": error.code})
            return
        if before:
            running = followed_again(before)
            with self._lock:
                self._heard[session.id] = Heard(before[-1].window_index, running, running)

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


def followed_again(citations: Sequence[Citation]) -> Running:
    """Where windows lead that had these citations, in the order of their windows; the last RECALLED of them."""
    running = Running()
    of_windows = [list(its) for _, its in groupby(citations, key=lambda citation: citation.window_index)]
    for its in of_windows[-RECALLED:]:
        places = [place_of_chunk(citation.version, citation.chunk_id) for citation in its]
        scores = [citation.relevance_score for citation in its]
        running = follow(running, [*places, _elsewhere(places)], [*scores, min(scores) - BELOW]).running
    return running


def _elsewhere(places: Sequence[Place]) -> Place:
    """One that stands for all that was found there and not shown."""
    version = places[0][0]
    return next((version, number) for number in count() if (version, number) not in places)


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
    """Of a paragraph that was found."""
    return place_of_chunk(hit.record.version, hit.record.id)


def place_of_chunk(version: str, id: ChunkId) -> Place:
    """From a chunk's id (ingestion/chunks/cutter.py)."""
    return version, int(id.rpartition("-")[2])
