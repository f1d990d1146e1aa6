"""Learning events by Caliper Analytics 1.2 (1EdTech), sent to the endpoint of a school that has one; off by default.

An event says who did what with which thing, and when. It holds no text, name or e-mail address: people are numbers that only a
school's own endpoint sees again. Events are statistics: they wait in memory, the oldest give way, and a restart loses them."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from hmac import new as hmac
from threading import Condition, Thread
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import UUID, uuid4

from chapterverse.core.errors import ChapterverseError
from chapterverse.core.names import is_safe

VERSION = "http://purl.imsglobal.org/ctx/caliper/v1p2"
MAX_WAITING = 10_000  # events of a process
IN_AN_ENVELOPE = 100
ATTEMPTS = 5
FIRST_WAIT = 1.0  # seconds before the second attempt; each further wait is four times as long
TIMEOUT = 10.0  # seconds
TAKEN = range(200, 300)  # statuses
log = logging.getLogger(__name__)

Event = Mapping[str, Any]


class Action(StrEnum):
    """What is reported."""

    SUBMITTED = "Submitted"
    GRADED = "Graded"
    PUBLISHED = "Published"
    VIEWED = "Viewed"
    SEARCHED = "Searched"


SHAPES: Mapping[Action, tuple[str, str, str, str]] = {
    Action.SUBMITTED: ("AssignableEvent", "AssignableProfile", "AssignableDigitalResource", "assignments"),
    Action.GRADED: ("GradeEvent", "GradingProfile", "Attempt", "attempts"),
    Action.PUBLISHED: ("ResourceManagementEvent", "ResourceManagementProfile", "AssignableDigitalResource", "assignments"),
    Action.VIEWED: ("ViewEvent", "ReadingProfile", "Document", "feedback"),
    Action.SEARCHED: ("SearchEvent", "SearchProfile", "DigitalResourceCollection", "collections"),
}
"""Type of the event, profile, type of the object, and the folder of its address."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a school's events go. url: https; key: sent as a bearer token."""

    url: str
    key: str


@dataclass
class Sensor:
    """Collects and sends events. site: this installation's address; endpoints: by school; check: raises for an address that may
    not be called."""

    site: str
    endpoints: Mapping[str, Endpoint]
    check: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    lost: int = 0
    _waiting: deque[tuple[str, Event]] = field(default_factory=deque)
    _changed: Condition = field(default_factory=Condition)
    _thread: Thread | None = None
    _is_sending: bool = False

    def note(self, action: Action, school: str, person: str, thing: str) -> None:
        """Queue an event; does nothing for a school without an endpoint. thing: id of the object."""
        if not (endpoint := self.endpoints.get(school)):
            return
        event = event_of(action, self.site, actor_id(endpoint, school, person), thing, datetime.now(UTC))
        with self._changed:
            self._waiting.append((school, event))
            if len(self._waiting) > MAX_WAITING:
                self._waiting.popleft()
                self.lost += 1
            if self._thread is None:
                self._thread = Thread(target=self._run, name="caliper", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait_until_sent(self, seconds: float) -> bool:
        """Whether nothing is left after at most so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._is_sending, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
                school, events = self._take()
                self._is_sending = True
            is_sent = any(self._post(self.endpoints[school], events) for _ in self._attempts())
            with self._changed:
                self.lost += 0 if is_sent else len(events)
                self._is_sending = False
                self._changed.notify_all()

    def _take(self) -> tuple[str, list[Event]]:
        """The oldest event, and those of the same school that follow it."""
        school, events = self._waiting[0][0], list[Event]()
        while self._waiting and self._waiting[0][0] == school and len(events) < IN_AN_ENVELOPE:
            events.append(self._waiting.popleft()[1])
        return school, events

    def _attempts(self) -> Iterator[int]:
        for attempt in range(ATTEMPTS):
            if attempt:
                self.sleep(FIRST_WAIT * 4 ** (attempt - 1))
            yield attempt

    def _post(self, to: Endpoint, events: Sequence[Event]) -> bool:
        """Send them; whether they were taken."""
        import requests  # at the first event: it delays the start

        body, headers = envelope(self.site, events), {"Authorization": f"Bearer {to.key}"}
        try:
            self.check(to.url)
            answer = requests.post(to.url, json=body, headers=headers, timeout=TIMEOUT, allow_redirects=False)
        except (requests.RequestException, ChapterverseError) as error:
            log.warning("caliper endpoint was not reached: %s", type(error).__name__)
            return False
        is_taken = answer.status_code in TAKEN
        if not is_taken:
            log.warning("caliper endpoint refused events", extra={"status": answer.status_code})
        return is_taken


def event_of(action: Action, site: str, actor: str, thing: str, at: datetime) -> dict[str, Any]:
    """The event as JSON-LD."""
    kind, profile, of, folder = SHAPES[action]
    object_ = f"{site}/{folder}/{quote(thing, safe='')}"
    event: dict[str, Any] = {
        "@context": VERSION,
        "id": uuid4().urn,
        "type": kind,
        "profile": profile,
        "actor": {"id": actor, "type": "Person"},
        "action": action.value,
        "object": {"id": object_, "type": of},
        "eventTime": _time(at),
        "edApp": {"id": site, "type": "SoftwareApplication"},
    }
    if action is Action.SUBMITTED:
        event["generated"] = {"id": f"{object_}/attempts/{actor}", "type": "Attempt", "assignee": actor, "assignable": object_}
    if action is Action.GRADED:
        event["generated"] = {"id": f"{object_}/score", "type": "Score", "attempt": object_}
    return event


def envelope(site: str, events: Sequence[Event]) -> dict[str, Any]:
    """What is posted to an endpoint."""
    return {"sensor": site, "sendTime": _time(datetime.now(UTC)), "dataVersion": VERSION, "data": list(events)}


def actor_id(endpoint: Endpoint, school: str, person: str) -> str:
    """The number of a person, the same each time, from which nobody without the endpoint's key finds the person."""
    return UUID(bytes=hmac(endpoint.key.encode(), f"{school}\0{person}".encode(), sha256).digest()[:16], version=4).urn


def read_endpoints(given: Mapping[str, str]) -> dict[str, Endpoint]:
    """The endpoints of the setting: "https://key@host/path" by school. Raises ValueError."""
    return {school: _endpoint(address) for school, address in given.items()}


def _endpoint(address: str) -> Endpoint:
    parts = urlsplit(address)
    url = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    if not (parts.username and is_safe(url)):
        raise ValueError("An endpoint is https://key@host/path.")
    return Endpoint(url, parts.username)


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
