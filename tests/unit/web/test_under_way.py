import time
from collections.abc import Iterator
from threading import Event

import pytest

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.web.sse import Part, UnderWay


def test_who_leaves_in_the_middle_hears_the_rest_later_and_nothing_is_made_twice() -> None:
    under_way, go_on, begun = UnderWay(), Event(), []

    def parts() -> Iterator[Part]:
        begun.append(1)
        yield "evidence", {}
        assert go_on.wait(10)
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


def test_what_is_kept_nowhere_can_be_heard_for_a_while() -> None:
    under_way = UnderWay(lingers=0.3)

    def once(made: list[Part]) -> Iterator[Part]:
        yield made.pop()

    made: list[Part] = [("done", {})]
    assert list(under_way.follow("a", lambda: once(made), is_stored=False)) == list(
        under_way.follow("a", lambda: once(made), is_stored=False)
    )
    time.sleep(1)
    assert under_way._works == {}
