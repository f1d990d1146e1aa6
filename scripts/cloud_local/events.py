"""Cloud Storage's events as Eventarc brings them: CloudEvents in binary mode by HTTP, at least once, in no order.

Sources: https://cloud.google.com/eventarc/docs/cloudevents (attributes),
https://docs.cloud.google.com/storage/docs/pubsub-notifications#events (which event tells what), CloudEvents 1.0.2, 3.1.3.2."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from threading import Thread
from typing import Any
from urllib.parse import quote

import httpx

FINALIZED = "google.cloud.storage.object.v1.finalized"
DELETED = "google.cloud.storage.object.v1.deleted"
ARCHIVED = "google.cloud.storage.object.v1.archived"  # in place of deleted where the bucket keeps versions
DEADLINE = 10.0  # seconds an answer may take, as of a new trigger's subscription (terraform-provider-google, 17701)


@dataclass
class Event:
    """What happened to one object. attempts: deliveries so far; done: it was answered with 2xx."""

    id: str
    type: str
    resource: dict[str, Any]
    time: str
    attempts: int = 0
    done: bool = False

    @property
    def headers(self) -> dict[str, str]:
        bucket, name = self.resource["bucket"], self.resource["name"]
        return {
            "ce-id": self.id,
            "ce-specversion": "1.0",
            "ce-type": self.type,
            "ce-source": f"//storage.googleapis.com/projects/_/buckets/{bucket}",
            "ce-subject": quote(f"objects/{name}", safe="/ !#$&'()*+,:;=?@[]-._~"),
            "ce-time": self.time,
            "ce-bucket": bucket,
            "content-type": "application/json",
        }

    def told(self) -> dict[str, Any]:
        """For people and tests."""
        object_ = {part: self.resource[part] for part in ("bucket", "name", "generation")}
        return object_ | {"id": self.id, "type": self.type, "attempts": self.attempts, "done": self.done}


@dataclass
class Events:
    """Brings each event to the address for its type until it is answered with 2xx; a wait doubles from first to longest (s).

    tokens: where the token of the events' own account comes from; empty: none goes with them."""

    addresses: dict[str, str]  # by type; an event without one is only kept
    first_wait: float
    longest_wait: float
    tokens: str = ""
    history: list[Event] = field(default_factory=list)
    deadline: float = DEADLINE
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    def start(self) -> None:
        # No connection is kept: one to a function that was killed would look like a failure of the next.
        self._http = httpx.AsyncClient(trust_env=False, limits=httpx.Limits(max_connections=None, max_keepalive_connections=0))
        Thread(target=self._loop.run_forever, daemon=True).start()

    def happened(self, kind: str, resource: dict[str, Any]) -> None:
        event = Event(str(next(self._numbers)), kind, dict(resource), datetime.now(UTC).isoformat())
        self.history.append(event)
        asyncio.run_coroutine_threadsafe(self._deliver(event), self._loop)

    async def _deliver(self, event: Event) -> None:
        if not (address := self.addresses.get(event.type)):
            return
        body, wait = json.dumps(event.resource), self.first_wait
        while not await self._accepted(address, event, body):
            await asyncio.sleep(wait)
            wait = min(2 * wait, self.longest_wait)
        event.done = True

    async def _accepted(self, address: str, event: Event, body: str) -> bool:
        event.attempts += 1
        try:
            told = event.headers | await self._token(address)
            return (await self._http.post(address, content=body, headers=told, timeout=self.deadline)).is_success
        except httpx.HTTPError:
            return False

    async def _token(self, audience: str) -> dict[str, str]:
        if not self.tokens:
            return {}
        token = await self._http.get(self.tokens, params={"audience": audience}, headers={"Metadata-Flavor": "Google"})
        return {"authorization": f"Bearer {token.text}"}
