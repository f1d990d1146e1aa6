"""A queue inside this process, for one machine."""

import logging
import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from typing import NamedTuple

from chapterverse.core.errors import QueueUnavailable, RetryableError
from chapterverse.core.tasks import Task

_DOUBLINGS = 30  # a higher power could overflow
log = logging.getLogger(__name__)
Handler = Callable[[Task, int], None]  # a task and the number of the attempt, from 1; after an error the task is repeated


class _Waiting(NamedTuple):
    """A waiting task, ordered by due time, then by arrival."""

    due: float  # monotonic
    number: int
    task: Task
    attempt: int


class LocalQueue:
    """TaskQueue with its own threads. Waiting tasks are lost when the process ends; the next process has to find them again.

    After a failure a task waits first_wait seconds, doubling up to longest_wait, or longer if the error demands it."""

    def __init__(self, workers: int = 1, first_wait: float = 1.0, longest_wait: float = 300.0) -> None:
        self._workers, self._first_wait, self._longest_wait = workers, first_wait, longest_wait
        self._waiting: list[_Waiting] = []
        self._names: set[str] = set()
        self._numbers = count()
        self._running = 0
        self._closed = False
        self._changed = Condition()
        self._threads: list[Thread] = []

    def add(self, task: Task) -> None:
        with self._changed:
            if self._closed:
                raise QueueUnavailable("program_ending")
            if task.name not in self._names:
                self._names.add(task.name)
                self._put(task, attempt=1, seconds=task.wait)

    def start(self, handler: Handler) -> None:
        """Start the threads, which begin with the tasks added so far."""
        names = (f"tasks-{number}" for number in range(self._workers))
        self._threads = [Thread(target=self._work, args=(handler,), name=name, daemon=True) for name in names]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Finish the current tasks and start no others."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def wait_until_idle(self, seconds: float) -> None:
        """Wait until all tasks are done. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: not self._waiting and not self._running, seconds):
                raise TimeoutError(f"{len(self._waiting)} tasks wait, {self._running} are being done.")

    def _put(self, task: Task, attempt: int, seconds: float) -> None:
        heappush(self._waiting, _Waiting(time.monotonic() + seconds, next(self._numbers), task, attempt))
        self._changed.notify_all()

    def _work(self, handler: Handler) -> None:
        while waiting := self._next():
            wait = self._do(handler, waiting)
            with self._changed:
                self._running -= 1
                if wait is not None:
                    self._put(waiting.task, waiting.attempt + 1, wait)
                self._changed.notify_all()

    def _next(self) -> _Waiting | None:
        """Wait for the next due task; None after close."""
        with self._changed:
            while not self._closed:
                seconds = self._waiting[0].due - time.monotonic() if self._waiting else None
                if seconds is not None and seconds <= 0:
                    self._running += 1
                    return heappop(self._waiting)
                self._changed.wait(seconds)
        return None

    def _backoff(self, attempt: int) -> float:
        doublings = min(attempt - 1, _DOUBLINGS)
        return min(self._first_wait * float(2**doublings), self._longest_wait)

    def _do(self, handler: Handler, waiting: _Waiting) -> float | None:
        """Do a task; returns seconds until the next attempt, None if it succeeded."""
        try:
            handler(waiting.task, waiting.attempt)
        except Exception as error:  # of any kind: the task is repeated
            facts = {"task": waiting.task.name, "attempt": waiting.attempt, "error": type(error).__name__}
            log.warning("task failed", extra=facts)
            retry_after = error.retry_after if isinstance(error, RetryableError) else 0
            return max(self._backoff(waiting.attempt), retry_after)
        return None
