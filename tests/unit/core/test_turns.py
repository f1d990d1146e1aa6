"""Schools take turns at the processor: one with little work is not slowed by one with much."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from chapterverse.core import turns as module
from chapterverse.core.errors import Overloaded
from chapterverse.core.ports import Pair
from chapterverse.core.turns import (
    PATIENCE,
    POLITE,
    POLITEST,
    SECONDS_A_STEP,
    SHARE,
    LateWork,
    Turns,
    at_work,
    let_pass,
    pausing,
)
from chapterverse.essays.proofreading import in_english
from chapterverse.infrastructure.llm.readers import EssayReader, TrainedReader


def test_an_essay_goes_before_the_pieces_of_a_school_with_more_which_go_on_when_it_is_done() -> None:
    turns, done = Turns(), list[str]()

    def flood() -> None:
        with turns.of("meadow").taken(at_once=True), turns.of("meadow").taken(at_once=True):
            for _ in pausing(range(50)):
                done.append("meadow")

    with ThreadPoolExecutor(1) as pool:
        with turns.of("harbour").taken():
            flooded = pool.submit(flood)
            while not turns._lets_pass._waiters:
                assert not flooded.done()
            done.append("harbour")
        flooded.result()

    assert done == ["harbour", *["meadow"] * 50]


def test_a_school_alone_does_all_at_once_and_of_several_each_one_piece_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.05)
    turns = Turns()

    with turns.of("meadow").taken(), turns.of("meadow").taken(), turns.of("meadow").taken():
        assert turns.let_pass("meadow", 9) == 0
    with turns.of("meadow").taken(), turns.of("harbour").taken(), pytest.raises(Overloaded), turns.of("meadow").taken():
        pytest.fail("a second piece of work of the same school")
    with turns.of("meadow").taken():
        pass


def test_work_between_calls_of_a_model_begins_at_once_and_work_behind_lets_all_others_go_first() -> None:
    turns = Turns()
    with turns.of("meadow").taken(), turns.of("meadow").taken(at_once=True), turns.of("harbour").taken(at_once=True):
        assert waits(turns, "meadow")
        assert not waits(turns, "harbour")

    turns = Turns()
    with turns.of("harbour").taken(behind=True), turns.of("harbour").taken():
        assert waits(turns, "harbour", behind=True)
        assert not waits(turns, "harbour")
    with turns.of("harbour").taken(behind=True), turns.of("meadow").taken():
        assert not waits(turns, "harbour", behind=True)
        assert not waits(turns, "meadow")

    turns = Turns()
    with turns.of("meadow").taken(behind=True), turns.of("meadow").taken(), turns.of("harbour").taken(behind=True):
        turns._wanted["meadow"] += 1  # which waits to begin
        assert waits(turns, "meadow")
        assert not waits(turns, "harbour", behind=True)
    assert not waits(turns, "meadow")


def waits(turns: Turns, school: str, behind: bool = False) -> bool:
    return turns.let_pass(school, 0.01, behind) > 0


class Unlucky(Turns):
    """Nobody's turn comes: whoever waits does so as long as they have to, on a clock of their own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.now = 0.0
        monkeypatch.setattr(module, "monotonic", lambda: self.now)

    def let_pass(self, school: str, seconds: float, behind: bool = False) -> float:
        assert super().let_pass(school, 0.0, behind) == 0  # seconds on its clock
        self.now += seconds
        return seconds


def test_work_that_fails_leaves_its_place_and_a_thread_that_does_none_lets_nobody_pass() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="no"), turns.of("meadow").taken():
        raise ValueError("no")
    with turns.of("harbour").taken(), turns.of("meadow").taken():
        assert turns.let_pass("harbour", 9) == 0

    turns = Turns()
    with turns.of("meadow").taken():
        pass
    turns._wanted["meadow"] += 2
    with ThreadPoolExecutor(1) as pool, turns.of("harbour").taken():
        pool.submit(let_pass).result(timeout=60)
        let_pass()


def test_work_that_waited_long_works_a_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Unlucky(monkeypatch)

    with turns.of("meadow").taken():
        for _ in pausing(range(10)):
            turns.now += 0.25  # at work
        let_pass()
        let_pass()
        assert at_work() == 2.5

    assert turns.now == PATIENCE + 2.5 + 2.5 * SHARE


def test_work_that_another_thread_holds_up_waits_no_longer_and_its_deadlines_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, now = Turns(), [10.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    turn = turns.of("meadow")

    def after(seconds: float) -> tuple[bool, float]:
        now[0] += seconds
        return turn.goes_on(), at_work()

    with turns.of("meadow").taken(at_once=True), turns.of("harbour").taken(at_once=True), turn.taken(at_once=True):
        assert [after(0), after(PATIENCE - 1), after(1), after(1)] == [(False, 10), (False, 10), (True, 10), (False, 11)]
        assert [after(SHARE - 1), after(1)] == [(False, 11), (True, 11)]
        assert after(1) == (False, 12)
        turn.gives_up()
        assert after(SHARE)[1] == 12 + SHARE


@pytest.mark.parametrize(
    "work",
    [
        lambda up: in_english(["He go."] * 2, up + 60).notes == (),
        lambda up: all(EssayReader().signs("", [["He goes home at noon."] * 99], up)[0]),
        lambda up: all(TrainedReader().chances([Pair("He goes home.", "He goes home.")] * 40, up)),
    ],
)
def test_long_work_lets_others_go_first_at_no_loss(work: Callable[[float], bool], monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Unlucky(monkeypatch)

    with turns.of("meadow").taken():
        assert work(at_work() + 0.1)
    assert turns.now > 1


def test_the_processes_of_a_school_become_nicer_with_what_they_took() -> None:
    now = [0.0]
    late = LateWork(lambda: now[0])

    def niceness_after(seconds: float) -> int:
        with late.counted("meadow"):
            now[0] += seconds
        return late.niceness("meadow")

    assert (late.niceness("meadow"), niceness_after(3 * SECONDS_A_STEP)) == (POLITE, POLITE + 3)
    assert (niceness_after(300), late.niceness("harbour")) == (POLITEST, POLITE)

    now[0] += 3600
    assert late.niceness("meadow") == POLITE
