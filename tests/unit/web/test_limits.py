from pathlib import Path
from threading import Event, Thread

import pytest
from werkzeug.wrappers import Response

from chapterverse.core.errors import Overloaded, RateLimited
from chapterverse.infrastructure.quotas import MemoryTokenBuckets
from chapterverse.web.limits import Gate, RateLimit
from tests.support.web import site


class Clock:
    """Time that a test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_minutes_calls_may_come_at_once_and_the_next_has_to_wait() -> None:
    limit = RateLimit(6, MemoryTokenBuckets(Clock()))

    for _ in range(6):
        limit.take("key")
    with pytest.raises(RateLimited) as refusal:
        limit.take("key")

    assert refusal.value.retry_after == 10


def test_who_waits_as_long_as_told_is_let_in() -> None:
    clock = Clock()
    limit = RateLimit(1, MemoryTokenBuckets(clock))
    limit.take("key")

    with pytest.raises(RateLimited) as refusal:
        limit.take("key")
    clock.now += refusal.value.retry_after

    limit.take("key")


def test_limits_on_one_store_count_apart() -> None:
    store = MemoryTokenBuckets(Clock())

    RateLimit(1, store, "requests").take("key")
    RateLimit(1, store, "letters").take("key")


def test_who_finds_the_gate_full_is_sent_away_at_once() -> None:
    gate, inside, go_on = Gate(1), Event(), Event()

    def slow() -> Response:
        inside.set()
        go_on.wait(10)
        return Response()

    first = Thread(target=gate.through, args=(slow,))
    first.start()
    inside.wait(10)
    with pytest.raises(Overloaded):
        gate.through(Response)
    go_on.set()
    first.join()

    assert gate.through(Response).status_code == 200


def test_a_stream_keeps_its_place_until_it_is_closed() -> None:
    gate = Gate(1)
    stream = gate.through(lambda: Response(iter(["part"])))

    with pytest.raises(Overloaded):
        gate.through(Response)
    stream.close()

    assert gate.through(Response).status_code == 200


def test_an_answer_that_fails_gives_its_place_back() -> None:
    gate = Gate(1)

    def fail() -> Response:
        raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            gate.through(fail)


def test_a_key_that_calls_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    with site(tmp_path, requests_per_minute=2) as running:
        student = running.caller()
        answers = [student("GET", "/api/v1/books") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) in (29, 30)
    assert answers[-1].get_json()["code"] == "rate_limited"
