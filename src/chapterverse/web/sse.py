"""Parts of an answer as server-sent events (WHATWG HTML, 9.2), each when it is there."""

import json
from collections.abc import Generator, Iterator
from itertools import chain
from typing import Any

from flask import Response, stream_with_context

from chapterverse.web.problems import problem_of
from chapterverse.web.words import in_readers_words

MEDIA_TYPE = "text/event-stream"
Part = tuple[str, dict[str, Any]]
"""The event's name and its data."""
Numbered = tuple[str, dict[str, Any], int]
"""The same with its id: whoever lost the stream may go on after it."""
BEAT: Part = ("", {})  # a comment: so nobody on the way takes a silent stream for a dead one


def as_stream(parts: Iterator[Part] | Iterator[Part | Numbered]) -> Response:
    """The parts. What fails before the first part is raised; what fails later is an `error` event, the last."""
    first = next(parts)
    events = stream_with_context(_events(first, parts))
    return Response(events, content_type=f"{MEDIA_TYPE}; charset=utf-8", headers={"X-Accel-Buffering": "no"})


def event(name: str, data: dict[str, Any], id: int | None = None) -> str:
    """One event, or a comment where it has no name; JSON has no line ends, so one data line is enough."""
    if not name:
        return ":\n\n"
    numbered = "" if id is None else f"id: {id}\n"
    return f"{numbered}event: {name}\ndata: {json.dumps(data, ensure_ascii=False, default=in_readers_words)}\n\n"


def _events(first: Part | Numbered, parts: Iterator[Part] | Iterator[Part | Numbered]) -> Iterator[str]:
    try:
        for part in chain([first], parts):
            yield event(*part)
    except Exception as error:  # the status is sent already: this is all that can still be said
        yield event("error", problem_of(error).model_dump(mode="json", exclude_none=True))
    finally:  # also when the client has left: nothing more is made for nobody
        if isinstance(parts, Generator):
            parts.close()
