"""A pool of threads that searches windows, so that a request that adds segments returns at once."""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Condition
from uuid import UUID

from chapterverse.lectures.model import LectureSession, Window, WindowResult

log = logging.getLogger(__name__)
DROPPED, BROKEN = "dropped", "broken"  # WindowResult.failed of a window that was not searched

Search = Callable[[LectureSession, Sequence[Window]], Sequence[WindowResult]]
"""A result for each of some windows of one lecture. Raises nothing of ours."""

Deliver = Callable[[WindowResult], None]
Waiting = tuple[Window, Deliver]


@dataclass(eq=False)
class _Line:
    """Waiting windows of one lecture, of which some may be searched now; dropped: not reported yet."""

    session: LectureSession
    waiting: deque[Waiting] = field(default_factory=deque)
    dropped: list[Waiting] = field(default_factory=list)


class WindowPool:
    """Searches windows on threads, which start with the first window.

    workers: lectures searched at the same time; windows of one lecture in order, because its place depends on the previous
    windows. batch: windows of a lecture searched together. max_waiting: windows of all lectures; beyond it the lecture with the
    longest line loses its oldest window."""

    def __init__(self, search: Search, *, workers: int = 2, batch: int = 8, max_waiting: int = 1024) -> None:
        self._search, self._batch, self._max_waiting = search, batch, max_waiting
        self._lines: dict[UUID, _Line] = {}
        self._threads = ThreadPoolExecutor(workers, "windows")
        self._closed = False
        self._changed = Condition()

    @property
    def waiting(self) -> int:
        """Number of windows not being searched yet."""
        return sum(len(line.waiting) for line in self._lines.values())

    def submit(self, session: LectureSession, windows: Sequence[Window], deliver: Deliver) -> None:
        """Queue windows and return at once. Each result is delivered on a thread of the pool, in order for a lecture; errors of
        deliver are logged. After close nothing is searched."""
        with self._changed:
            if self._closed or not windows:
                return
            is_new = session.id not in self._lines
            line = self._lines.setdefault(session.id, _Line(session))
            line.session = session  # which may have other books by now
            line.waiting.extend((window, deliver) for window in windows)
            while self.waiting > self._max_waiting:
                longest = max(self._lines.values(), key=lambda line: len(line.waiting))
                longest.dropped.append(longest.waiting.popleft())
            if is_new:
                self._threads.submit(self._work, line)

    def close(self) -> int:
        """Finish the current searches; returns the number of windows left."""
        with self._changed:
            self._closed = True
        self._threads.shutdown()
        return self.waiting

    def wait_until_idle(self, seconds: float) -> bool:
        """Whether everything was delivered within that time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._lines, seconds)

    def _work(self, line: _Line) -> None:
        """Search a lecture's next windows; what is left waits behind other lectures."""
        with self._changed:
            if self._closed:
                return
            dropped, line.dropped = line.dropped, []
            waiting = [line.waiting.popleft() for _ in range(min(self._batch, len(line.waiting)))]
        _deliver(dropped, [WindowResult(window, failed=DROPPED) for window, _ in dropped])
        _deliver(waiting, self._searched(line.session, [window for window, _ in waiting]))
        with self._changed:
            if not (line.waiting or line.dropped):
                del self._lines[line.session.id]
            elif not self._closed:
                self._threads.submit(self._work, line)
            self._changed.notify_all()

    def _searched(self, session: LectureSession, windows: Sequence[Window]) -> Sequence[WindowResult]:
        try:
            return self._search(session, windows) if windows else ()
        except Exception:  # a bug; the lecture goes on
            log.exception("Windows were not searched.", extra={"windows": len(windows)})
            return [WindowResult(window, failed=BROKEN) for window in windows]


def _deliver(waiting: Sequence[Waiting], results: Sequence[WindowResult]) -> None:
    for (_, deliver), result in zip(waiting, results, strict=True):
        try:
            deliver(result)
        except Exception:  # the next receiver still gets its result
            log.exception("A result was not delivered.")
