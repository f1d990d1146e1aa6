"""Schools take turns at the processor: one with little work is not slowed by one with much."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic, sleep

import pytest

from chapterverse.core import turns as module
from chapterverse.core.errors import Overloaded
from chapterverse.core.turns import Turns


def essay(turns: Turns, school: str, steps: int, done: Counter[str]) -> None:
    """Work that pauses now and then, as the rules do; its steps are counted."""
    turn = turns.of(school)
    with turn.taken():
        for _ in range(steps):
            turn.pause()
            done[school] += 1
            sleep(0.001)


def test_an_essay_is_not_slowed_by_twenty_of_another_school() -> None:
    turns, end, done, others = Turns(), Event(), Counter[str](), 20

    def attack() -> None:
        while not end.is_set():
            essay(turns, "meadow", 50, done)

    with ThreadPoolExecutor(others) as pool:
        for _ in range(others):
            pool.submit(attack)
        while done["meadow"] < 10 * others:
            sleep(0.001)
        before = done["meadow"]
        essay(turns, "harbour", 50, done)
        meanwhile = done["meadow"] - before
        end.set()

    assert meanwhile <= 2 * others  # each ends its step; without turns it would be 50 of each


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
