"""Parts of an answer as server-sent events (WHATWG HTML, 9.2), each when it is there.

Streams that go on when nobody listens any more, and can be listened to again: whoever lost one does not pay twice.

What is under way is in this process's memory: `chapterverse serve` is one. Of several, another one writes anew."""

import json
from collections.abc import Callable, Generator, Iterator
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import chain
from threading import Condition, Lock, Thread, Timer
from typing import Any

from flask import Response, stream_with_context
from pydantic import BaseModel

from chapterverse.web.problems import problem_of
from chapterverse.web.words import as_json, in_readers_words

MEDIA_TYPE = "text/event-stream"

Data = dict[str, Any] | BaseModel

Part = tuple[str, Data]

"""The event's name and its data."""

Numbered = tuple[str, Data, int]

"""The same with its id: whoever lost the stream may go on after it."""

BEAT: Part = ("", {})  # a comment: so nobody on the way takes a silent stream for a dead one


def as_stream(parts: Iterator[Part] | Iterator[Part | Numbered]) -> Response:
    """The parts. What fails before the first part is raised; what fails later is an `error` event, the last."""
    first = next(parts)
    events = stream_with_context(_events(first, parts))
    return Response(events, content_type=f"{MEDIA_TYPE}; charset=utf-8", headers={"X-Accel-Buffering": "no"})


def event(name: str, data: Data, id: int | None = None) -> str:
    """One event, or a comment where it has no name; JSON has no line ends, so one data line is enough."""
    if not name:
        return ":\n\n"
    values = as_json(data) if isinstance(data, BaseModel) else data
    numbered = "" if id is None else f"id: {id}\n"
    return f"{numbered}event: {name}\ndata: {json.dumps(values, ensure_ascii=False, default=in_readers_words)}\n\n"


def _events(first: Part | Numbered, parts: Iterator[Part] | Iterator[Part | Numbered]) -> Iterator[str]:
    try:
        for part in chain([first], parts):
            yield event(*part)
    except Exception as error:  # the status is sent already: this is all that can still be said
        yield event("error", problem_of(error).model_dump(mode="json", exclude_none=True))
    finally:  # also when the client has left: nothing more is made for nobody
        if isinstance(parts, Generator):
            parts.close()


BEAT_SECONDS = 10.0  # proxies give up on a stream that is silent for a minute


@dataclass
class _Work:
    """One stream. parts: so far; failed: what it ended with."""

    parts: list[Part] = field(default_factory=list)
    ended: bool = False
    failed: BaseException | None = None
    news: Condition = field(default_factory=Condition)

    def do(self, parts: Iterator[Part]) -> None:
        """All of it."""
        try:
            for part in parts:
                with self.news:
                    self.parts.append(part)
                    self.news.notify_all()
        except BaseException as error:  # those who listen raise it
            self.failed = error
        finally:
            with self.news:
                self.ended = True
                self.news.notify_all()

    def listen(self, after: int) -> Iterator[Part | Numbered]:
        """Parts count from 1; from time to time a beat. Raises what the work ended with."""
        at = after
        while True:
            told, new = self._news(at)
            yield from ((*part, number) for number, part in enumerate(new, start=at + 1))
            at += len(new)
            if not told:
                yield BEAT
            elif self.ended and at >= len(self.parts):
                break
        if self.failed:
            raise self.failed

    def _news(self, at: int) -> tuple[bool, list[Part]]:
        """Whether there is any, and the parts from there on; after a while there is none."""
        with self.news:
            told = self.news.wait_for(lambda: len(self.parts) > at or self.ended, BEAT_SECONDS)
            return told, self.parts[at:]


@dataclass
class UnderWay:
    """What is being written just now, by id. lingers: seconds that what is kept nowhere else can still be listened to."""

    lingers: float = 120.0
    _works: dict[str, _Work] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def follow(
        self, id: str, begin: Callable[[], Iterator[Part]], after: int = 0, *, kept: bool = True
    ) -> Iterator[Part | Numbered]:
        """The parts after that number; they begin to be made where they are not yet. kept: whether `begin` finds them again
        when they are done."""
        with self._lock:
            work = self._works.get(id)
            if work is None:
                work = self._works[id] = _Work()
                parts, lingers = begin(), 0.0 if kept else self.lingers
                Thread(target=copy_context().run, args=(self._do, id, work, parts, lingers), daemon=True).start()
        yield from work.listen(after)

    def _do(self, id: str, work: _Work, parts: Iterator[Part], lingers: float) -> None:
        work.do(parts)
        if lingers and not work.failed:
            later = Timer(lingers, self._works.pop, (id, None))
            later.daemon = True
            later.start()
        else:
            self._works.pop(id, None)
