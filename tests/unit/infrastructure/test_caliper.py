"""Learning events leave in the shape of Caliper 1.2, without a word of a person, and nobody waits for them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from chapterverse import composition
from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import BadRequest
from chapterverse.infrastructure import caliper
from chapterverse.infrastructure.caliper import SHAPES, VERSION, Action, Endpoint, Sensor, read_endpoints
from chapterverse.lti.keys import KeySets
from chapterverse.settings import Settings
from chapterverse.web.app import create_app
from tests.support.web import ESSAY, Site
from tests.unit.assignments.test_assignments import an_assignment, handed_in, joined

SITE, PERSON = "https://chapterverse.example", "ada@school.example"


@dataclass
class Store:
    """A store of learning events. statuses: of its answers, in turn; then 200."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    got: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [event for _, envelope in self.got for event in envelope["data"]]


@pytest.fixture
def store() -> Iterator[Store]:
    running = Store()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status = running.statuses.pop(0) if running.statuses else 200
            if status == 200:
                running.got.append((self.headers["Authorization"], body))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.url = f"http://127.0.0.1:{server.server_address[1]}/caliper"
    Thread(target=server.serve_forever, daemon=True).start()
    yield running
    server.shutdown()
    server.server_close()


def sensor_to(store: Store, **more: Any) -> Sensor:
    return Sensor(SITE, {"school": Endpoint(store.url, "a-key")}, **{"check": KeySets().check, "sleep": lambda _: None} | more)


@pytest.mark.parametrize("action", Action)
def test_an_event_has_the_shape_of_its_profile(store: Store, action: Action) -> None:
    sensor = sensor_to(store)

    sensor.note(action, "school", PERSON, "thing/1")

    assert sensor.wait_until_sent(20)
    [(authorization, envelope)] = store.got
    [event] = envelope["data"]
    kind, profile, of, _ = SHAPES[action]
    assert (authorization, envelope["sensor"], envelope["dataVersion"]) == ("Bearer a-key", SITE, VERSION)
    assert (event["@context"], event["type"], event["profile"], event["action"]) == (VERSION, kind, profile, action.value)
    assert (event["object"]["type"], event["actor"]["type"], event["edApp"]["id"]) == (of, "Person", SITE)
    assert event["id"].startswith("urn:uuid:")
    assert event["eventTime"].endswith("Z")
    assert event["object"]["id"].endswith("/thing%2F1")


def test_a_person_is_the_same_number_each_time_and_no_address_leaves(store: Store) -> None:
    sensor = sensor_to(store)

    for person in (PERSON, PERSON, "ben@school.example"):
        sensor.note(Action.VIEWED, "school", person, "f1")

    assert sensor.wait_until_sent(20)
    first, again, other = (event["actor"]["id"] for event in store.events)
    assert (first == again, first == other) == (True, False)
    assert "ada" not in json.dumps(store.got)


def test_a_school_without_an_endpoint_sends_nothing(store: Store) -> None:
    sensor = sensor_to(store)

    sensor.note(Action.VIEWED, "another-school", PERSON, "f1")

    assert sensor.wait_until_sent(1)
    assert store.got == []


def test_an_endpoint_that_fails_is_tried_again_and_one_that_stays_away_costs_no_more_than_its_events(store: Store) -> None:
    sensor = sensor_to(store)
    store.statuses = [503, 500, 429]
    sensor.note(Action.VIEWED, "school", PERSON, "f1")
    assert sensor.wait_until_sent(20)
    assert (len(store.events), sensor.lost) == (1, 0)

    store.statuses = [503] * caliper.ATTEMPTS
    sensor.note(Action.VIEWED, "school", PERSON, "f2")
    assert sensor.wait_until_sent(20)
    assert (len(store.events), sensor.lost) == (1, 1)


def test_of_too_many_events_the_oldest_give_way(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caliper, "MAX_WAITING", 3)
    sensor = sensor_to(store, check=lambda _: None)
    monkeypatch.setattr(Sensor, "_run", lambda _: None)

    for number in range(10):
        sensor.note(Action.VIEWED, "school", PERSON, f"f{number}")

    assert sensor.lost == 7
    assert [event["object"]["id"][-2:] for _, event in sensor._waiting] == ["f7", "f8", "f9"]


def test_no_event_goes_to_an_address_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = KeySets(resolve=lambda *_: ["169.254.169.254"])
    sensor = Sensor(SITE, {"school": Endpoint("https://events.example", "k")}, keys.check, sleep=lambda _: None)

    sensor.note(Action.VIEWED, "school", PERSON, "f1")

    assert sensor.wait_until_sent(20)
    assert sensor.lost == 1


@pytest.mark.parametrize("address", ["https://host/path", "http://key@host/path", "ftp://key@host", "", "key@host"])
def test_an_endpoint_without_key_or_encryption_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="https://key@host/path"):
        read_endpoints({"school": address})
    with pytest.raises(BadRequest, match="CALIPER"):
        composition.schools.sensor(Settings(home=tmp_path, caliper={"school": address}))


def test_what_students_and_teachers_do_is_reported_without_their_words(library: Site, store: Store) -> None:
    sensor = sensor_to(store)
    parts = replace(library.parts, sensor=sensor)
    site = Site(parts, create_app(parts))
    teacher = site.caller(KeyScope.TEACHER)
    assignment = an_assignment(teacher)
    browser, _ = joined(site, assignment["join_code"], "Ada Lovelace")

    feedback = handed_in(browser, assignment["id"])
    browser.get(f"/api/v1/feedback/{feedback}", headers={"Sec-Fetch-Site": "same-origin"})

    assert sensor.wait_until_sent(20)
    assert {event["action"] for event in store.events} >= {"Submitted"}
    sent = json.dumps(store.got)
    assert not [word for word in (*ESSAY.split("\n\n"), "Ada", "Lovelace", "Free speech") if word in sent]
