"""WebVTT (W3C), SubRip and YouTube's .sbv to segments, by one reader: all are times with lines of text below them.

The library for them, webvtt-py, is not inside: it skips a cue that it cannot read and says nothing, does not know line numbers,
and takes the middle out of "x < y and y > z" (docs/cursed-knowledge.md)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chapterverse.errors import BadRequest
from chapterverse.lecture.transcripts.spoken import spoken_texts
from chapterverse.model import Segment

TIME = r"(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,3}))?"
ARROW = re.compile(rf"\s*{TIME}\s*-->\s*{TIME}(?:\s.*)?")
PAIR = re.compile(rf"\s*{TIME}\s*,\s*{TIME}\s*")
ALONE = re.compile(rf"\s*{TIME}(?<=\.\d{{3}})\s*")  # seen in the wild: no end
LIKE_AN_ARROW = re.compile(r".*-->.*|\s*\d+:\d[\d:.,]*\s*[-–—=>]+\s*[\d:.,]*\s*")
LIKE_A_PAIR = re.compile(r"\s*(?=[^,]*:)[\d:.]+,[\d:.]*\s*")
ASIDE = re.compile(r"WEBVTT(?:\s|$)|(?:NOTE|STYLE|REGION)(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Cue:
    """Seconds, and the lines shown then, with their tags."""

    start: float
    end: float
    lines: list[str] = field(default_factory=list)


def are_captions(lines: Sequence[str]) -> bool:
    return lines[0].startswith("WEBVTT") or any("-->" in line or PAIR.fullmatch(line) for line in lines)


def read_captions(lines: Sequence[str]) -> list[Segment]:
    """By time; what is shown but not said is left out. Raises BadRequest."""
    cues = sorted(read_cues(lines), key=lambda cue: cue.start)
    texts = spoken_texts([cue.lines for cue in cues]) if cues else []
    said = [(cue, text) for cue, text in zip(cues, texts, strict=True) if text]
    return [Segment(str(number), cue.start, cue.end, text) for number, (cue, text) in enumerate(said, 1)]


def read_cues(lines: Sequence[str]) -> list[Cue]:
    """In the order of the file. An empty line within a cue ends nothing. Raises BadRequest."""
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
    """Numbered lines that are neither empty, nor a cue's name or number, nor WebVTT's header, notes and styles."""
    aside, before = False, ""
    for number, line in enumerate(lines, 1):
        timed = _looks_timed(line, arrows)
        aside = not timed and bool(line.strip()) and (aside or (not before.strip() and bool(ASIDE.match(line))))
        if line.strip() and not aside and not (not timed and _names_a_cue(lines, number, before, arrows)):
            yield number, line
        before = line


def _names_a_cue(lines: Sequence[str], number: int, before: str, arrows: bool) -> bool:
    """A line directly above a time that does not go on with a text; or a number alone, a little further up."""
    if arrows and lines[number - 1].strip().isdigit() and not _looks_timed(before, arrows):
        return _looks_timed(next((line for line in lines[number : number + 3] if line.strip()), ""), arrows)
    return not before.strip() and number < len(lines) and _looks_timed(lines[number], arrows)


def _looks_timed(line: str, arrows: bool) -> bool:
    return bool(LIKE_AN_ARROW.fullmatch(line) if arrows else LIKE_A_PAIR.fullmatch(line) or ALONE.fullmatch(line))


def _times(line: str, number: int, arrows: bool) -> tuple[float, float] | None:
    """None for a line of text. Raises BadRequest."""
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
