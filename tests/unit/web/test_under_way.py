from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import pytest

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.web import sse
from chapterverse.web.sse import Part, UnderWay


@dataclass
class Later:
    """A timer whose time does not come by itself."""

    seconds: float
    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def start(self) -> None:
        """Wait for the test."""


def test_who_leaves_in_the_middle_hears_the_rest_later_and_nothing_is_made_twice() -> None:
    under_way, go_on, begun = UnderWay(), Event(), []

    def parts() -> Iterator[Part]:
        begun.append(1)
        yield "evidence", {}
        assert go_on.wait(60)
        yield "done", {}

    first = under_way.follow("a", parts)
    assert next(first) == ("evidence", {}, 1)
    first.close()  # type: ignore[attr-defined]  # a generator
    second = under_way.follow("a", parts, after=1)
    go_on.set()

    assert list(second) == [("done", {}, 2)]
    assert begun == [1]


def test_what_fails_is_told_to_all_and_may_be_tried_again() -> None:
    under_way = UnderWay()

    def failing() -> Iterator[Part]:
        yield "evidence", {}
        raise EmbedderUnavailable("Try again.")

    for _ in range(2):
        with pytest.raises(EmbedderUnavailable):
            list(under_way.follow("a", failing))
    assert list(under_way.follow("a", lambda: iter([("done", {})]))) == [("done", {}, 1)]


def test_what_is_kept_nowhere_can_be_heard_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = list[Later]()
    monkeypatch.setattr(sse, "Timer", lambda *given: timers.append(Later(*given)) or timers[-1])
    under_way = UnderWay(lingers=30)

    def once(made: list[Part]) -> Iterator[Part]:
        yield made.pop()

    made: list[Part] = [("done", {})]
    assert list(under_way.follow("a", lambda: once(made), is_stored=False)) == list(
        under_way.follow("a", lambda: once(made), is_stored=False)
    )
    [timer] = timers
    assert (timer.seconds, list(under_way._works)) == (30, ["a"])
    timer.function(*timer.arguments)
    assert under_way._works == {}
