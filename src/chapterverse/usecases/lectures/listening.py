"""A lecture as it is heard: segments come in, windows go to the pool, and whoever listens is told that something was found.

Where its windowing stands is kept with the session, so that a process that starts again, or another one, goes on with it.
Nobody who hands in waits for more than that, or, where a process does nothing between requests, for `hold` seconds."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Condition, Event, Thread
from uuid import UUID

from pydantic import TypeAdapter

from chapterverse.errors import ChapterverseError
from chapterverse.lecture.stream import Stream
from chapterverse.model import LectureSession, Segment, Window, WindowResult
from chapterverse.usecases.lectures.cite import keep, make_ready
from chapterverse.usecases.lectures.desk import LectureDesk
from chapterverse.usecases.lectures.pool import BROKEN, DROPPED, WindowPool
from chapterverse.usecases.lectures.sessions import find_session

log = logging.getLogger(__name__)
STREAM = TypeAdapter(Stream)
Step = Callable[[Stream], tuple[Stream, list[Window]]]


class Bell:
    """Rings when something was found for a lecture, in this process."""

    def __init__(self) -> None:
        self._rings: dict[UUID, int] = {}
        self._rung = Condition()

    def ring(self, session: UUID) -> None:
        """Whoever waits for it goes on."""
        with self._rung:
            self._rings[session] = self.rings(session) + 1
            self._rung.notify_all()

    def rings(self, session: UUID) -> int:
        """How often it has rung."""
        return self._rings.get(session, 0)

    def wait(self, session: UUID, heard: int, seconds: float) -> None:
        """Until it has rung more often than `heard`, or that time is over."""
        with self._rung:
            self._rung.wait_for(lambda: self.rings(session) > heard, seconds)


@dataclass(frozen=True)
class Listening:
    """hold: seconds that a hand-in may wait for what is found for its windows: 0 where threads run on between requests. warm:
    whether the models are loaded, or just being."""

    desk: LectureDesk
    pool: WindowPool
    bell: Bell = field(default_factory=Bell)
    hold: float = 0.0
    warm: Event = field(default_factory=Event)


@dataclass(frozen=True, slots=True)
class Found:
    """Windows that were looked up, without their words, each with its number; last: the highest number, or what was asked
    for where there are none; ended: nobody speaks any more, and all windows were looked up."""

    windows: Sequence[tuple[int, WindowResult]]
    last: int
    ended: bool


def warm_up(listening: Listening) -> None:
    """Load the models that windows need, on a thread, once a process: the first window of a lecture need not wait for them."""
    if not listening.warm.is_set():
        listening.warm.set()
        Thread(target=load_models, args=(listening.desk,), name="warm-up", daemon=True).start()


def load_models(desk: LectureDesk) -> None:
    """Now. What cannot be loaded is logged, and tried again with the first window."""
    try:
        make_ready(desk)
    except ChapterverseError as error:
        log.warning("models of lectures not loaded", extra={"error": error.code})


def hear(school: str, id: UUID, segments: Sequence[Segment], listening: Listening) -> list[Window]:
    """These were said; the windows that they fill, which are looked up meanwhile. Raises NotFound, CatalogUnavailable."""
    return _step(school, id, lambda stream: stream.push(segments), listening)


def end_speech(school: str, id: UUID, listening: Listening) -> list[Window]:
    """Nothing more is said; the last windows. Raises as hear does."""
    return _step(school, id, lambda stream: stream.flush(), listening)


def found_since(school: str, id: UUID, after: int, listening: Listening) -> Found:
    """What was found after that number. Raises NotFound, CatalogUnavailable."""
    find_session(school, id, listening.desk)
    stream = _read(listening.desk.store.stream(school, id))
    all_there = listening.desk.store.newest_window(id) >= stream.buffer.windows - 1  # asked first, or the last one is missed
    windows = listening.desk.store.windows(school, id, after)
    return Found(windows, windows[-1][0] if windows else after, ended=stream.ended and all_there)


def _step(school: str, id: UUID, step: Step, listening: Listening) -> list[Window]:
    session, windows = find_session(school, id, listening.desk), list[Window]()

    def change(kept: str) -> str:
        stream, filled = step(_read(kept))
        windows[:] = filled
        return STREAM.dump_json(stream).decode()

    listening.desk.store.change_stream(school, id, change)
    delivered = _Delivery(len(windows), listening, session)
    listening.pool.submit(session, windows, delivered)
    listening.bell.ring(id)  # also where only the end is new
    delivered.wait(listening.hold)
    return windows


@dataclass
class _Delivery:
    """What becomes of the windows of one hand-in. left: of them."""

    left: int
    listening: Listening
    session: LectureSession
    _all: Event = field(default_factory=Event)

    def __call__(self, result: WindowResult) -> None:
        """One was looked up, or given up, which nobody has kept."""
        if result.failed in {DROPPED, BROKEN}:
            keep(self.session, [result], self.listening.desk)
        self.listening.bell.ring(self.session.id)
        self.left -= 1
        if self.left <= 0:
            self._all.set()

    def wait(self, seconds: float) -> None:
        if self.left and seconds:
            self._all.wait(seconds)


def _read(kept: str) -> Stream:
    return STREAM.validate_json(kept) if kept else Stream()
