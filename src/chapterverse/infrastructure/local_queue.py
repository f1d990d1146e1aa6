"""A queue inside this process, for one machine: fair, so that no school and no person can hold up the others.

Due tasks are taken in turn: round robin over the schools, within a school over its people, and of a person in order. No school
holds all threads, so a task of another one begins at once."""

import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread, local
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


@dataclass
class DueTasks:
    """Due tasks by school and person, each in order of arrival; a school or person that was served goes to the end."""

    _schools: dict[str, dict[str, deque[_Waiting]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(len(tasks) for people in self._schools.values() for tasks in people.values())

    def add(self, waiting: _Waiting) -> None:
        """Let a task wait behind those of its person."""
        self._schools.setdefault(waiting.task.school, {}).setdefault(waiting.task.person, deque()).append(waiting)

    def take(self, may: Callable[[str], bool]) -> _Waiting | None:
        """The next task of the first school that may begin another one; None if none may."""
        school = next(filter(may, self._schools), None)
        if school is None:
            return None
        people = self._schools.pop(school)
        person, tasks = next(iter(people.items()))
        del people[person]
        taken = tasks.popleft()
        if tasks:
            people[person] = tasks
        if people:
            self._schools[school] = people
        return taken


class LocalQueue:
    """TaskQueue with its own threads. Waiting tasks are lost when the process ends; the next process has to find them again.

    share: threads that one school may hold; all but one if not given. A task that is added while another one of its school is
    done is of the same person. After a failure a task waits first_wait seconds, doubling up to longest_wait, or longer if the
    error demands it."""

    def __init__(
        self, workers: int = 1, first_wait: float = 1.0, longest_wait: float = 300.0, share: int | None = None
    ) -> None:
        self._workers, self._first_wait, self._longest_wait = workers, first_wait, longest_wait
        self._share = share or max(1, workers - 1)
        self._waiting: list[_Waiting] = []
        self._due = DueTasks()
        self._held: Counter[str] = Counter()
        self._here = local()
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
                doing: Task | None = getattr(self._here, "task", None)
                if doing and doing.school == task.school and not task.person:
                    task = replace(task, person=doing.person)
                self._put(task, attempt=1, seconds=task.wait)

    def start(self, handler: Handler) -> None:
        """Start the threads, which begin with the tasks added so far."""
        for number in range(self._workers):
            thread = Thread(target=self._work, args=(handler,), name=f"tasks-{number}", daemon=True)
            self._threads.append(thread)
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
            if not self._changed.wait_for(lambda: not self._left and not self._running, seconds):
                raise TimeoutError(f"{self._left} tasks wait, {self._running} are being done.")

    @property
    def _left(self) -> int:
        return len(self._waiting) + len(self._due)

    def _put(self, task: Task, attempt: int, seconds: float) -> None:
        heappush(self._waiting, _Waiting(time.monotonic() + seconds, next(self._numbers), task, attempt))
        self._changed.notify_all()

    def _work(self, handler: Handler) -> None:
        while waiting := self._next():
            wait = self._do(handler, waiting)
            with self._changed:
                self._running -= 1
                self._held[waiting.task.school] -= 1
                if wait is not None:
                    self._put(waiting.task, waiting.attempt + 1, wait)
                self._changed.notify_all()

    def _next(self) -> _Waiting | None:
        """Wait for the next due task; None after close."""
        with self._changed:
            while not self._closed:
                while self._waiting and self._waiting[0].due <= time.monotonic():
                    self._due.add(heappop(self._waiting))
                if waiting := self._due.take(lambda school: self._held[school] < self._share):
                    self._running += 1
                    self._held[waiting.task.school] += 1
                    return waiting
                self._changed.wait(max(0.0, self._waiting[0].due - time.monotonic()) if self._waiting else None)
        return None

    def _do(self, handler: Handler, waiting: _Waiting) -> float | None:
        """Do a task; returns seconds until the next attempt, None if it succeeded."""
        self._here.task = waiting.task
        try:
            handler(waiting.task, waiting.attempt)
        except Exception as error:  # of any kind: the task is repeated
            facts = {"task": waiting.task.name, "attempt": waiting.attempt, "error": type(error).__name__}
            log.warning("task failed", extra=facts)
            retry_after = error.retry_after if isinstance(error, RetryableError) else 0
            backoff = self._first_wait * 2.0 ** min(waiting.attempt - 1, _DOUBLINGS)
            return max(min(backoff, self._longest_wait), retry_after)
        return None
