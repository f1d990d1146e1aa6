"""Schools take turns at the processor: one with little work is not slowed by one with much."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic, process_time, sleep

import pytest

from chapterverse.core import turns as module
from chapterverse.core.errors import Overloaded
from chapterverse.core.turns import Turns


def working(seconds: float, pause: Callable[[], None]) -> None:
    """Python work that pauses now and then, as the rules do."""
    until = process_time() + seconds
    while process_time() < until:
        sum(range(2_000))
        pause()


def essay(turns: Turns, school: str, seconds: float) -> float:
    """The seconds until it is done."""
    began, turn = monotonic(), turns.of(school)
    with turn.taken():
        working(seconds, turn.pause)
    return monotonic() - began


def test_an_essay_is_not_slowed_by_twenty_of_another_school() -> None:
    turns, end = Turns(), Event()

    def attack() -> None:
        while not end.is_set():
            essay(turns, "meadow", 0.5)

    with ThreadPoolExecutor(20) as pool:
        for _ in range(20):
            pool.submit(attack)
        sleep(0.1)
        began = process_time()
        essay(turns, "harbour", 0.1)
        spent = process_time() - began
        end.set()

    assert spent < 2 * 0.1  # of the processor, by all: nobody else worked meanwhile


def test_a_school_alone_does_all_at_once() -> None:
    turns = Turns()
    with turns.of("harbour").taken(), turns.of("harbour").taken(), turns.of("harbour").taken():
        assert turns.let_pass("harbour", 9) == 0


def test_of_several_schools_each_does_one_piece_of_work_and_the_rest_is_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.05)
    turns = Turns()

    with turns.of("meadow").taken(), turns.of("harbour").taken(), pytest.raises(Overloaded), turns.of("meadow").taken():
        pytest.fail("a second piece of work of the same school")
    with turns.of("meadow").taken():
        pass


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    turns = Turns()
    waiting = turns.of("meadow")

    with turns.of("harbour").taken(), waiting.taken():
        turns._wanted["meadow"] += 1
        began = monotonic()
        for _ in range(5):
            waiting.pause()

    assert 0.05 < monotonic() - began < 2


def test_a_piece_of_work_that_fails_leaves_its_place() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="no"), turns.of("meadow").taken():
        raise ValueError("no")

    with turns.of("harbour").taken(), turns.of("meadow").taken():
        assert turns.let_pass("harbour", 9) == 0
