from pathlib import Path
from threading import Event, Thread
from time import sleep

import pytest
from werkzeug.wrappers import Response

from chapterverse.core.errors import Overloaded
from chapterverse.infrastructure.quotas import MemoryTokenBuckets
from chapterverse.web import limits
from chapterverse.web.limits import AFTER_SECONDS, Gate, in_background
from tests.support.made import Clock
from tests.support.web import Caller, site

PATIENCE = 60.0  # seconds; a busy machine is slow


def test_a_stream_keeps_its_place_until_it_is_closed_and_an_answer_that_fails_gives_it_back() -> None:
    def fail() -> Response:
        raise ZeroDivisionError

    gate = Gate(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            gate.through(fail)
    stream = gate.through(lambda: Response(iter(["part"])))

    with pytest.raises(Overloaded):
        gate.through(Response)
    stream.close()

    assert gate.through(Response).status_code == 200


def test_keys_and_people_of_one_key_are_counted_each_and_no_more_than_fifty_at_once_by_all_keys_of_a_school(
    tmp_path: Path,
) -> None:
    with site(tmp_path, requests_per_minute=1) as running:
        timeless = running.but(rates=MemoryTokenBuckets(Clock()))  # however slow this machine is
        platform, other = timeless.caller(), timeless.caller()

        def ask(person: str = "", key: Caller = platform) -> int:
            headers = {"X-Chapterverse-Person": person} if person else {}
            return key("GET", "/api/v1/collections/books/sources", headers=headers).status_code

        assert [ask(), ask(), ask(key=other)] == [200, 429, 200]
        assert [ask("ada"), ask("ben"), ask("ada")] == [200, 200, 429]
        assert [ask(f"pupil {number}") for number in range(60)] == [200] * 44 + [429] * 16
        refused = other("GET", "/api/v1/collections/books/sources", headers={"X-Chapterverse-Person": "eve"})

    assert (refused.status_code, refused.get_json()["code"], refused.headers["Retry-After"]) == (429, "rate_limited", "2")
    assert "50 requests a minute" in refused.get_json()["detail"]


class Places:
    """Requests that run until the test ends them."""

    def __init__(self, gate: Gate) -> None:
        self.gate, self.streams = gate, list[Response]()

    def take(self, school: str, person: str = "ada") -> bool:
        """Whether a request is let in; it stays open."""
        try:
            response = self.gate.through(lambda: Response(iter(())), school, person)
        except Overloaded:
            return False
        self.streams.append(response)
        return True


@pytest.mark.parametrize(
    ("other", "flood"),
    [
        (("harbour", "ada"), [("meadow", f"pupil {number}") for number in range(190)]),
        (("meadow", "ben"), [("meadow", "ada")] * 50),
    ],
    ids=["a school", "a person"],
)
def test_a_school_or_a_person_that_floods_leaves_others_shares(other: tuple[str, str], flood: list[tuple[str, str]]) -> None:
    places = Places(Gate(8))
    places.take(*other)

    assert sum(places.take(*each) for each in flood) <= 6
    assert places.take(*other)


def test_a_newcomer_waits_for_a_place_that_the_flood_does_not_get_again() -> None:
    places = Places(Gate(4, PATIENCE))
    for number in range(4):
        places.take("meadow", f"pupil {number}")
    let_in: list[bool] = []
    newcomer = Thread(target=lambda: let_in.append(places.take("harbour")))
    newcomer.start()
    while not places.gate._waiting:
        sleep(0.01)
    places.streams[0].close()
    newcomer.join(PATIENCE)

    assert let_in == [True]
    assert not places.take("meadow", "pupil 0")


def test_one_school_alone_may_use_every_place_a_minute_after_another_left() -> None:
    clock = Clock()
    places = Places(Gate(8, clock=clock))
    places.take("harbour")
    places.streams[0].close()
    clock.now += 61

    assert [places.take("meadow", "ada") for _ in range(9)] == [True] * 8 + [False]


def test_background_work_begins_after_the_response_and_a_failure_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    done, answered, waits = Event(), Event(), list[float]()
    monkeypatch.setattr(limits, "sleep", lambda seconds: (waits.append(seconds), answered.wait(PATIENCE)))

    later = in_background()
    later(lambda: 1 // 0)
    later(done.set)

    assert not done.is_set()
    answered.set()
    assert done.wait(PATIENCE)
    assert waits == [AFTER_SECONDS, AFTER_SECONDS]
