from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Event, Lock
from time import monotonic
from uuid import UUID

import pytest

from chapterverse.lectures.model import LectureSession, Window, WindowResult
from chapterverse.lectures.service import BROKEN, DROPPED, WindowPool

WITHIN = 60.0  # seconds; a busy machine is slow


def lecture(number: int = 1) -> LectureSession:
    return LectureSession(UUID(int=number), "school", datetime(2026, 11, 20, tzinfo=UTC))


def windows(*indices: int) -> list[Window]:
    return [Window(index, float(index), index + 1.0, f"window {index}") for index in indices]


class Looks:
    """Finds nothing, and holds on at a gate that is open unless it is closed."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, list[int]]] = []
        self.gate, self.begun = Event(), Event()
        self.gate.set()
        self._lock = Lock()

    def __call__(self, session: LectureSession, windows: Sequence[Window]) -> list[WindowResult]:
        with self._lock:
            self.calls.append((session.id.int, [window.index for window in windows]))
        self.begun.set()
        assert self.gate.wait(WITHIN)
        return [WindowResult(window) for window in windows]


def test_handing_in_returns_while_everything_is_busy_and_results_come_in_the_order_of_the_windows() -> None:
    looks, results = Looks(), list[WindowResult]()
    looks.gate.clear()
    pool = WindowPool(looks, workers=4)
    began = monotonic()
    for index in range(100):
        pool.submit(lecture(), windows(index), results.append)
    took = monotonic() - began
    looks.gate.set()
    assert pool.wait_until_idle(WITHIN)

    assert took < 10
    assert [result.window.index for result in results] == list(range(100))


def test_windows_that_pile_up_are_looked_up_together_and_no_lecture_waits_for_all_of_another() -> None:
    looks = Looks()
    looks.gate.clear()
    pool = WindowPool(looks, workers=1, batch=3)
    pool.submit(lecture(1), windows(0), lambda _: None)
    assert looks.begun.wait(WITHIN)
    pool.submit(lecture(1), windows(1, 2, 3, 4), lambda _: None)
    pool.submit(lecture(2), windows(0), lambda _: None)
    looks.gate.set()
    assert pool.wait_until_idle(WITHIN)

    assert looks.calls == [(1, [0]), (2, [0]), (1, [1, 2, 3]), (1, [4])]


def test_where_too_many_wait_the_longest_line_loses_its_oldest_and_is_told() -> None:
    looks, results = Looks(), dict[int, list[WindowResult]]()
    looks.gate.clear()
    pool = WindowPool(looks, workers=1, max_waiting=4)
    pool.submit(lecture(3), windows(0), results.setdefault(3, []).append)
    assert looks.begun.wait(WITHIN)
    pool.submit(lecture(1), windows(0, 1, 2, 3), results.setdefault(1, []).append)
    pool.submit(lecture(2), windows(0), results.setdefault(2, []).append)
    looks.gate.set()
    assert pool.wait_until_idle(WITHIN)

    assert [(result.window.index, result.failed) for result in results[1]] == [(0, DROPPED), (1, None), (2, None), (3, None)]
    assert [result.failed for result in results[2]] == [None]


def test_a_bug_costs_its_windows_citations_and_a_listener_that_fails_that_window(caplog: pytest.LogCaptureFixture) -> None:
    results, heard = list[WindowResult](), list[int]()

    def look(session: LectureSession, windows: Sequence[Window]) -> list[WindowResult]:
        if windows[0].index == 1:
            raise ZeroDivisionError
        return [WindowResult(window) for window in windows]

    def deliver(result: WindowResult) -> None:
        if result.window.index == 0:
            raise ConnectionError
        heard.append(result.window.index)

    pool = WindowPool(look, batch=1)
    pool.submit(lecture(1), windows(0, 1, 2), results.append)
    pool.submit(lecture(2), windows(0, 2), deliver)
    assert pool.wait_until_idle(WITHIN)

    assert [result.failed for result in results] == [None, BROKEN, None]
    assert "window 1" not in caplog.text
    assert heard == [2]
