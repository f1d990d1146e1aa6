"""JSON to segments: one object a line, as we write them, or one file with `segments`, as recognizers do (Whisper's, say)."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from chapterverse.errors import BadRequest
from chapterverse.messages import Message, message
from chapterverse.model import Segment

EXAMPLE = '{"id": "17", "start": 62.5, "end": 64.0, "text": "…"}'


def are_objects(lines: Sequence[str]) -> bool:
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") or (first.startswith("[") and _whole(lines) is not None)


def read_objects(lines: Sequence[str]) -> list[Segment]:
    """In their order. Where an id is missing it is made of the line's number, so that it does not look like one of the
    transcriber's, which tell what follows what. Raises BadRequest."""
    whole = _whole(lines)
    if whole is not None:
        return [_segment(each, number, message("transcript_segment", number=number)) for number, each in enumerate(whole, 1)]
    return [_segment(each, number, message("transcript_line", number=number)) for number, each in _objects(lines)]


def _whole(lines: Sequence[str]) -> list[Any] | None:
    """The segments of a file that is one JSON value; None where each line is one."""
    try:
        value = json.loads("\n".join(lines))
    except ValueError:
        return None
    found = value.get("segments") if isinstance(value, dict) else value
    return found if isinstance(found, list) else None


def _objects(lines: Sequence[str]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise BadRequest("transcript_not_json", line=number, example=EXAMPLE) from error


def _segment(value: Any, number: int, where: Message) -> Segment:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise BadRequest("transcript_no_text", where=where, example=EXAMPLE)
    start, end = _seconds(value.get("start")), _seconds(value.get("end"))
    if start is None or end is None or end < start:
        raise BadRequest("transcript_seconds_invalid", where=where, example=EXAMPLE)
    return Segment(str(value.get("id", f"{number}.")), start, end, " ".join(value["text"].split()))


def _seconds(value: Any) -> float | None:
    """None for what is no time."""
    is_time = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    return float(value) if is_time else None
