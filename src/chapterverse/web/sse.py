"""Responses as server-sent events (WHATWG HTML, 9.2), each part as soon as it is there.

Work goes on if the client leaves, and can be followed again without paying twice. It is held in this process's memory; another
process would start it anew."""

import json
from collections.abc import Callable, Generator, Iterator
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import chain
from threading import Condition, Lock, Thread, Timer
from typing import Any

from flask import Response, stream_with_context
from pydantic import BaseModel

from chapterverse.web.bare import problem_of
from chapterverse.web.language import as_json, in_readers_words

MEDIA_TYPE = "text/event-stream"
Data = dict[str, Any] | BaseModel

Part = tuple[str, Data]
"""The event's name and its data."""

Numbered = tuple[str, Data, int]
"""A part with its id, after which a lost stream can be resumed."""

BEAT: Part = ("", {})  # a comment, so that no proxy closes a silent stream


def as_stream(parts: Iterator[Part] | Iterator[Part | Numbered]) -> Response:
    """The parts as a stream. An error before the first part is raised; a later one becomes the last event, `error`."""
    first = next(parts)
    events = stream_with_context(_events(first, parts))
    return Response(events, content_type=f"{MEDIA_TYPE}; charset=utf-8", headers={"X-Accel-Buffering": "no"})


def event(name: str, data: Data, id: int | None = None) -> str:
    """One event; a comment if it has no name. JSON has no line ends, so one data line is enough."""
    if not name:
        return ":\n\n"
    values = as_json(data) if isinstance(data, BaseModel) else data
    numbered = "" if id is None else f"id: {id}\n"
    return f"{numbered}event: {name}\ndata: {json.dumps(values, ensure_ascii=False, default=in_readers_words)}\n\n"


def _events(first: Part | Numbered, parts: Iterator[Part] | Iterator[Part | Numbered]) -> Iterator[str]:
    try:
        for part in chain([first], parts):
            yield event(*part)
    except Exception as error:  # the status is already sent
        yield event("error", problem_of(error).model_dump(mode="json", exclude_none=True))
    finally:  # also when the client has left
        if isinstance(parts, Generator):
            parts.close()


BEAT_SECONDS = 10.0  # proxies give up on a stream that is silent for a minute


@dataclass
class _Work:
    """One stream. parts: those made so far; failed: the error it ended with."""

    parts: list[Part] = field(default_factory=list)
    ended: bool = False
    failed: BaseException | None = None
    changed: Condition = field(default_factory=Condition)

    def do(self, parts: Iterator[Part]) -> None:
        try:
            for part in parts:
                with self.changed:
                    self.parts.append(part)
                    self.changed.notify_all()
        except BaseException as error:  # raised in listen
            self.failed = error
        finally:
            with self.changed:
                self.ended = True
                self.changed.notify_all()

    def listen(self, after: int) -> Iterator[Part | Numbered]:
        """The parts after that number, counted from 1, with beats in between. Raises the error the work ended with."""
        at = after
        while True:
            is_new, new = self._new_parts(at)
            yield from ((*part, number) for number, part in enumerate(new, start=at + 1))
            at += len(new)
            if not is_new:
                yield BEAT
            elif self.ended and at >= len(self.parts):
                break
        if self.failed:
            raise self.failed

    def _new_parts(self, at: int) -> tuple[bool, list[Part]]:
        """Whether anything is new within BEAT_SECONDS, and the parts from there on."""
        with self.changed:
            is_new = self.changed.wait_for(lambda: len(self.parts) > at or self.ended, BEAT_SECONDS)
            return is_new, self.parts[at:]


@dataclass
class UnderWay:
    """Work in progress, by id. lingers: seconds that finished work which is not stored can still be followed."""

    lingers: float = 120.0
    _works: dict[str, _Work] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def follow(
        self, id: str, begin: Callable[[], Iterator[Part]], after: int = 0, *, is_stored: bool = True
    ) -> Iterator[Part | Numbered]:
        """The parts after that number; starts the work if it is not in progress. is_stored: whether `begin`
        finds finished parts in a store."""
        with self._lock:
            work = self._works.get(id)
            if work is None:
                work = self._works[id] = _Work()
                parts, lingers = begin(), 0.0 if is_stored else self.lingers
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
