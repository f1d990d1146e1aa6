"""The bytes of a transcript to segments: WebVTT, SubRip, .sbv, JSON of recognizers, plain text. The content decides on the
format.

Captions lose tags, sounds such as [Music], speakers' names, and lines that roll up. Plain text without times is spread at the
pace of a lecture. webvtt-py is not used: it skips unreadable cues silently, knows no line numbers, and cuts "x < y and y > z"
(docs/cursed-knowledge.md)."""

import codecs
import html
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from chapterverse.core.errors import BadRequest
from chapterverse.lectures.model import Segment
from chapterverse.messages import Message, message

TAG = re.compile(r"</?(?:c|i|b|u|v|lang|ruby|rt|font)(?:[.\s][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}", re.IGNORECASE)

SOUND = re.compile(
    r"""(?<!\w)(?:\[\s*_+\s*\]
        |[(\[][\s>]*(?:(?:soft|loud|upbeat|gentle|audience|student|students|class|professor)\s)?
          (?:music|applaus|laugh|chuckl|inaudible|unintelligible|indistinct|crosstalk|silence|noise|pause|cough|clears|sigh|cheer|bell
            |background)[^()\[\]]*[)\]])
      | [♪♫]+""",
    re.VERBOSE | re.IGNORECASE,
)
"""Descriptions of sounds in captions. Other words in brackets stay."""

NAME = r"[^\W\d_a-z][\w’'.-]*"

LABEL = re.compile(
    rf"""\s*(?:>>+|[-–—](?=\s))?\s*
        (?:(?P<role>[A-Z][A-Z.’' -]{{0,30}}\d*
            |(?:Speaker|Student|Professor|Lecturer|Instructor|Teacher|Audience|Interviewer|Moderator|Host|TA)(?:\s(?:\w|\d+|{NAME}))?
            |(?:Dr|Prof|Mr|Mrs|Ms)\.?\s{NAME}(?:\s{NAME})?)
          |(?P<name>{NAME}(?:\s{NAME}){{1,3}}))\s*:(?=\s|$)""",
    re.VERBOSE,
)

DASH = re.compile(r"\s*(?:>>+|[-–—](?=\s))\s*")
INLINE_TIME = re.compile(r"<\d[\d:.]*>")

ROLLING = 1 / 4
"""Minimum share of cues that repeat two words or more of the previous cue in a file of rolling captions."""


def spoken_texts(cues: Sequence[Sequence[str]]) -> list[str]:
    """Text of each cue's lines; empty if nothing was said."""
    timed_words = any(INLINE_TIME.search(line) for cue in cues for line in cue)  # only automatic captions have those
    lines = [[" ".join(html.unescape(TAG.sub("", line)).split()) for line in cue] for cue in cues]
    fresh = unrolled([[line for line in cue if line] for cue in lines], 0 if timed_words else ROLLING)
    names = names_in([line for cue in fresh for line in cue])
    return [" ".join(filter(None, (_spoken_text(line, names) for line in cue))) for cue in fresh]


def unrolled(cues: list[list[str]], min_share: float = ROLLING) -> list[list[str]]:
    """Cues without the text that the previous cue showed, if at least min_share of the cues repeat it: YouTube's automatic
    captions, and recognizers that show a line while it grows. In other files repetitions stay."""
    texts = [" ".join(cue) for cue in cues]
    overlaps = [0, *(_overlap_with(before, now) for before, now in pairwise(cues))]
    going_on = sum(" " in text[:end] and end < len(text) for text, end in zip(texts, overlaps, strict=True))
    if not going_on or going_on < min_share * (len(cues) - 1):
        return cues
    return [[text[end:].strip()] for text, end in zip(texts, overlaps, strict=True)]


def _overlap_with(before: list[str], now: list[str]) -> int:
    """Number of characters at the start of a cue that repeat the last lines, or all, of the previous one."""
    earlier, whole = " ".join(before), " ".join(now)
    if earlier and (whole == earlier or whole.startswith(earlier + " ")):
        return len(earlier)
    rolled = (count for count in range(min(len(before), len(now)), 0, -1) if before[-count:] == now[:count])
    return len(" ".join(now[: next(rolled, 0)]))


def names_in(lines: Sequence[str]) -> frozenset[str]:
    """Speakers: two or more capitalised words before a colon that begin more than one line."""
    found = Counter(match["name"] for line in lines if (match := LABEL.match(line)) and match["name"])
    return frozenset(name for name, times in found.items() if times > 1)


def _spoken_text(line: str, names: frozenset[str]) -> str:
    label = LABEL.match(line)
    if label and (label["role"] or label["name"] in names):
        line = line[label.end() :]
    return " ".join(SOUND.sub(" ", DASH.sub("", line, count=1) if DASH.match(line) else line).split())


TIME = r"(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,3}))?"
ARROW = re.compile(rf"\s*{TIME}\s*-->\s*{TIME}(?:\s.*)?")
PAIR = re.compile(rf"\s*{TIME}\s*,\s*{TIME}\s*")
ALONE = re.compile(rf"\s*{TIME}(?<=\.\d{{3}})\s*")  # seen in the wild: no end
LIKE_AN_ARROW = re.compile(r".*-->.*|\s*\d+:\d[\d:.,]*\s*[-–—=>]+\s*[\d:.,]*\s*")
LIKE_A_PAIR = re.compile(r"\s*(?=[^,]*:)[\d:.]+,[\d:.]*\s*")
ASIDE = re.compile(r"WEBVTT(?:\s|$)|(?:NOTE|STYLE|REGION)(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Cue:
    """Lines of a caption with their tags, shown from start to end, in seconds."""

    start: float
    end: float
    lines: list[str] = field(default_factory=list)


def are_captions(lines: Sequence[str]) -> bool:
    return lines[0].startswith("WEBVTT") or any("-->" in line or PAIR.fullmatch(line) for line in lines)


def read_captions(lines: Sequence[str]) -> list[Segment]:
    """Segments of captions by time, without what is shown but not said. Raises BadRequest."""
    cues = sorted(read_cues(lines), key=lambda cue: cue.start)
    texts = spoken_texts([cue.lines for cue in cues]) if cues else []
    spoken = [(cue, text) for cue, text in zip(cues, texts, strict=True) if text]
    return [Segment(str(number), cue.start, cue.end, text) for number, (cue, text) in enumerate(spoken, 1)]


def read_cues(lines: Sequence[str]) -> list[Cue]:
    """Cues in the order of the file. An empty line does not end a cue. Raises BadRequest."""
    arrows = any("-->" in line for line in lines)
    cues = list[Cue]()
    for number, line in _content(lines, arrows):
        times = _times(line, number, arrows)
        if times:
            cues.append(Cue(*times))
        elif not cues:
            raise BadRequest("transcript_text_before_time", line=number)
        else:
            cues[-1].lines.append(line)
    return cues


def _content(lines: Sequence[str], arrows: bool) -> Iterator[tuple[int, str]]:
    """Numbered lines of times and texts: without empty lines, names of cues, and WebVTT's header, notes and styles."""
    aside, before = False, ""
    for number, line in enumerate(lines, 1):
        timed = _looks_timed(line, arrows)
        aside = not timed and bool(line.strip()) and (aside or (not before.strip() and bool(ASIDE.match(line))))
        if line.strip() and not aside and not (not timed and _names_a_cue(lines, number, before, arrows)):
            yield number, line
        before = line


def _names_a_cue(lines: Sequence[str], number: int, before: str, arrows: bool) -> bool:
    """Whether a line is the name of a cue: directly above a time and after an empty line; or a number a little further up."""
    if arrows and lines[number - 1].strip().isdigit() and not _looks_timed(before, arrows):
        return _looks_timed(next((line for line in lines[number : number + 3] if line.strip()), ""), arrows)
    return not before.strip() and number < len(lines) and _looks_timed(lines[number], arrows)


def _looks_timed(line: str, arrows: bool) -> bool:
    return bool(LIKE_AN_ARROW.fullmatch(line) if arrows else LIKE_A_PAIR.fullmatch(line) or ALONE.fullmatch(line))


def _times(line: str, number: int, arrows: bool) -> tuple[float, float] | None:
    """Start and end of a line with times, in seconds; None for a line of text. Raises BadRequest."""
    if not _looks_timed(line, arrows):
        return None
    found = (ARROW if arrows else PAIR).fullmatch(line)
    if not arrows and (alone := ALONE.fullmatch(line)):
        return _seconds(*alone.groups()), _seconds(*alone.groups())
    example = "00:01:02.500 --> 00:01:04.000" if arrows else "0:01:02.500,0:01:04.000"
    if not found:
        raise BadRequest("transcript_time_invalid", line=number, example=example)
    start, end = _seconds(*found.groups()[:4]), _seconds(*found.groups()[4:])
    if end < start:
        raise BadRequest("transcript_ends_before_start", line=number)
    return start, end


def _seconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + float(f"{seconds}.{fraction or 0}")


EXAMPLE = '{"id": "17", "start": 62.5, "end": 64.0, "text": "…"}'


def are_objects(lines: Sequence[str]) -> bool:
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") or (first.startswith("[") and _whole(lines) is not None)


def read_objects(lines: Sequence[str]) -> list[Segment]:
    """Segments of JSON objects in their order. A missing id is made from the line number with a dot, so that is_next does not
    take it for a transcriber's. Raises BadRequest."""
    whole = _whole(lines)
    if whole is not None:
        return [_segment(each, number, message("transcript_segment", number=number)) for number, each in enumerate(whole, 1)]
    return [_segment(each, number, message("transcript_line", number=number)) for number, each in _objects(lines)]


def _whole(lines: Sequence[str]) -> list[Any] | None:
    """Segments of a file that is one JSON value; None if each line is one."""
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
    start, end = _objects_seconds(value.get("start")), _objects_seconds(value.get("end"))
    if start is None or end is None or end < start:
        raise BadRequest("transcript_seconds_invalid", where=where, example=EXAMPLE)
    return Segment(str(value.get("id", f"{number}.")), start, end, " ".join(value["text"].split()))


def _objects_seconds(value: Any) -> float | None:
    """Seconds; None if the value is no time."""
    is_time = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    return float(value) if is_time else None


SECONDS_A_WORD = 0.4
"""150 words a minute, the pace of a lecture."""

AT_ONCE = 25
"""Words per segment in a file without times."""

STAMP = re.compile(r"\s*[\[(]?(?:(\d{1,2}):)?(\d{1,2}):(\d\d)(?:[.,]\d{1,3})?[\])]?(?:\s*[-–—:]\s+|\s+|$)")


def read_plain(lines: Sequence[str]) -> list[Segment]:
    """Segments of plain text: by its times if it begins with one and they never decrease, else at a lecture's pace."""
    stamps = [(at, _plain_seconds(match)) for at, line in enumerate(lines) if (match := STAMP.match(line))]
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    timed = len(stamps) > 1 and stamps[0][0] == first and all(now <= then for (_, now), (_, then) in pairwise(stamps))
    return list(_stamped(lines, stamps) if timed else _paced(lines))


def _stamped(lines: Sequence[str], stamps: list[tuple[int, float]]) -> Iterator[Segment]:
    for number, ((at, start), (until, end)) in enumerate(pairwise([*stamps, (len(lines), 0.0)]), 1):
        first, *more = lines[at:until]
        text = " ".join(spoken_texts([[STAMP.sub("", first, count=1), *more]]))
        yield Segment(str(number), start, max(end, start + (until == len(lines)) * len(text.split()) * SECONDS_A_WORD), text)


def _paced(lines: Sequence[str]) -> Iterator[Segment]:
    words = " ".join(spoken_texts([[line] for line in lines])).split()
    for at in range(0, len(words), AT_ONCE):
        some = words[at : at + AT_ONCE]
        yield Segment(str(at // AT_ONCE + 1), at * SECONDS_A_WORD, (at + len(some)) * SECONDS_A_WORD, " ".join(some))


def _plain_seconds(match: re.Match[str]) -> float:
    hours, minutes, seconds = match.groups()
    return int(hours or 0) * 3600.0 + int(minutes) * 60 + int(seconds)


BOMS = {  # the longer ones first: UTF-32's begins with UTF-16's
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

FORMS = message("transcript_forms")


def read_transcript(data: bytes) -> list[Segment]:
    """Segments of a transcript: captions by time, JSON in the order of its lines. Raises BadRequest with the number of an
    unreadable line, or if there is no speech."""
    lines = decoded(data).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    segments = _segments(lines)
    if not any(segment.text for segment in segments):
        raise BadRequest("transcript_empty", forms=FORMS)
    return segments


def _segments(lines: list[str]) -> list[Segment]:
    if are_captions(lines):
        return read_captions(lines)
    return read_objects(lines) if are_objects(lines) else read_plain(lines)


def decoded(data: bytes) -> str:
    """Text in Unicode, with or without a byte order mark, else in Windows-1252. Raises BadRequest for other data."""
    text = _text(data)
    if "\0" in text or text.startswith("%PDF-"):
        raise BadRequest("transcript_not_text", forms=FORMS)
    return text


def _text(data: bytes) -> str:
    encoding = next((name for mark, name in BOMS.items() if data.startswith(mark)), None) or _unmarked(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding.startswith("utf-8"):
            return data.decode("cp1252", "replace")
        raise BadRequest("transcript_breaks_off", encoding=encoding.upper()) from error


def _unmarked(data: bytes) -> str:
    """Encoding of data without a byte order mark; in UTF-16, Latin letters have a zero byte."""
    first = data[:1000]
    if first[1::2].count(0) * 2 > len(first) // 2:
        return "utf-16-le"
    return "utf-16-be" if first[::2].count(0) * 2 > len(first) // 2 else "utf-8"
