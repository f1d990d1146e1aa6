"""Segments of a transcript in the time of the lecture, or as fast as it goes, and what is found for their windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chapterverse.model import LectureSession, Segment, Window, WindowResult
    from chapterverse.usecases.lectures.desk import LectureDesk

Show = Callable[["WindowResult"], None]


def replay(session: LectureSession, segments: Sequence[Segment], desk: LectureDesk, speed: float | None, show: Show) -> None:
    """speed: so many times as fast as it was spoken; None: one window after the other."""
    from chapterverse.usecases.lectures.listening import load_models

    load_models(desk)
    if speed is None:
        at_once(session, segments, desk, show)
    else:
        in_time(session, segments, desk, speed, show)


def at_once(session: LectureSession, segments: Sequence[Segment], desk: LectureDesk, show: Show) -> None:
    """Each window alone, as soon as the one before is shown."""
    from chapterverse.usecases.lectures.cite import cite_windows

    for windows in windows_by_segment(segments):
        for window in windows:
            show(cite_windows(session, [window], desk)[0])


def in_time(session: LectureSession, segments: Sequence[Segment], desk: LectureDesk, speed: float, show: Show) -> None:
    """Through the pool, as when somebody speaks: the transcript waits for nothing."""
    from chapterverse.usecases.lectures.cite import cite_windows
    from chapterverse.usecases.lectures.pool import WindowPool

    found: SimpleQueue[WindowResult] = SimpleQueue()
    asked = shown = 0
    with closing(WindowPool(partial(cite_windows, desk=desk))) as pool:
        dues = [monotonic() + seconds / speed for seconds in heard_at(segments)]
        for due, windows in zip([*dues, dues[-1]], windows_by_segment(segments), strict=True):
            for result in arriving(found, due):
                show(result)
                shown += 1
            pool.submit(session, windows, found.put)
            asked += len(windows)
        for _ in range(asked - shown):
            show(found.get())


def windows_by_segment(segments: Sequence[Segment]) -> Iterator[list[Window]]:
    """Those that each segment fills, and at the end those that are left."""
    from chapterverse.lecture.windows import WindowBuffer

    state = WindowBuffer()
    for segment in segments:
        state, windows = state.push(segment)
        yield windows
    yield state.flush()[1]


def heard_at(segments: Sequence[Segment]) -> list[float]:
    """Seconds after the first word at which each is known: when it has been said, and not before one that came earlier."""
    first, latest, heard = segments[0].start, 0.0, list[float]()
    for segment in segments:
        latest = max(latest, segment.end - first)
        heard.append(latest)
    return heard


def arriving(found: SimpleQueue[WindowResult], until: float) -> Iterator[WindowResult]:
    """What is found until then; until: as monotonic() counts."""
    while True:
        try:
            yield found.get(timeout=max(0.0, until - monotonic()))
        except Empty:
            return
