"""A pool of threads that searches windows, so that a request that adds segments returns at once."""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread
from uuid import UUID

from chapterverse.lectures.model import LectureSession, Window, WindowResult

log = logging.getLogger(__name__)
DROPPED, BROKEN = "dropped", "broken"  # WindowResult.failed of a window that was not searched

Search = Callable[[LectureSession, Sequence[Window]], Sequence[WindowResult]]
"""A result for each of some windows of one lecture. Raises nothing of ours."""

Deliver = Callable[[WindowResult], None]
Waiting = tuple[Window, Deliver]


@dataclass(eq=False)
class _Queue:
    """Waiting windows of one lecture. given_up: dropped, not reported yet. busy: some are being searched."""

    session: LectureSession
    waiting: deque[Waiting] = field(default_factory=deque)
    given_up: list[Waiting] = field(default_factory=list)
    busy: bool = False


class WindowPool:
    """Searches windows on threads, which start with the first window.

    workers: lectures searched at the same time; windows of one lecture in order, because its place depends on the previous
    windows. batch: windows of a lecture searched together. max_waiting: windows of all lectures; beyond it the lecture with the
    longest queue loses its oldest window. dropped: number of windows lost."""

    def __init__(self, search: Search, *, workers: int = 2, batch: int = 8, max_waiting: int = 1024) -> None:
        self.dropped = 0
        self._search, self._workers, self._batch, self._max_waiting = search, workers, batch, max_waiting
        self._lines: dict[UUID, _Queue] = {}
        self._turns: deque[_Queue] = deque()
        self._threads: list[Thread] = []
        self._waiting = 0
        self._closed = False
        self._changed = Condition()

    @property
    def waiting(self) -> int:
        """Number of windows not being searched yet."""
        return self._waiting

    def submit(self, session: LectureSession, windows: Sequence[Window], deliver: Deliver) -> None:
        """Queue windows and return at once. Each result is delivered on a thread of the pool, in order for a lecture; errors of
        deliver are logged. After close nothing is searched."""
        with self._changed:
            if self._closed or not windows:
                return
            line = self._lines.setdefault(session.id, _Queue(session))
            line.session = session  # which may have other books by now
            line.waiting.extend((window, deliver) for window in windows)
            self._waiting += len(windows)
            while self._waiting > self._max_waiting:
                self._give_up_one()
            self._queue(line)
            self._begin()

    def close(self) -> int:
        """Finish the current searches; returns the number of windows left."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        return self._waiting

    def wait_until_idle(self, seconds: float) -> bool:
        """Whether everything was delivered within that time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._lines, seconds)

    def _give_up_one(self) -> None:
        longest = max(self._lines.values(), key=lambda line: len(line.waiting))
        longest.given_up.append(longest.waiting.popleft())
        self._waiting -= 1
        self.dropped += 1

    def _queue(self, line: _Queue) -> None:
        if not line.busy and line not in self._turns:
            self._turns.append(line)
            self._changed.notify()

    def _begin(self) -> None:
        while len(self._threads) < self._workers:
            thread = Thread(target=self._work, name=f"windows-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        while turn := self._next():
            line, given_up, waiting = turn
            _deliver(given_up, [WindowResult(window, failed=DROPPED) for window, _ in given_up])
            _deliver(waiting, self._searched(line.session, [window for window, _ in waiting]))
            self._done(line)

    def _next(self) -> tuple[_Queue, list[Waiting], list[Waiting]] | None:
        """The next lecture's windows; waits for one, None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._turns)
            if self._closed:
                return None
            line = self._turns.popleft()
            line.busy = True
            waiting = [line.waiting.popleft() for _ in range(min(self._batch, len(line.waiting)))]
            self._waiting -= len(waiting)
            given_up, line.given_up = line.given_up, []
            return line, given_up, waiting

    def _done(self, line: _Queue) -> None:
        with self._changed:
            line.busy = False
            if line.waiting or line.given_up:
                self._queue(line)
            else:
                del self._lines[line.session.id]
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
