"""The bytes of a transcript to segments: captions (WebVTT, SubRip, .sbv) or plain text. The content decides on the format.

Captions lose tags, lines in brackets, speakers' names, and lines that roll up. Plain text is spread at the pace of
a lecture. webvtt-py is not used: it skips unreadable cues silently, knows no line numbers, and cuts "x < y and y > z"."""

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chapterverse.core.errors import BadRequest
from chapterverse.core.names import decoded
from chapterverse.lectures.model import Segment
from chapterverse.messages import message

TAG = re.compile(r"</?(?:c|i|b|u|v|lang|ruby|rt|font)(?:[.\s][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}", re.IGNORECASE)
SOUNDS = re.compile(r"^\s*(?:\[[^\[\]:]*\]|\([^():]*\))\s*$|[♪♫]+")  # a whole line in brackets is a sound
LABEL = re.compile(r"\s*(?:>>+|[-–—](?=\s))?\s*(?P<name>[^\W\d_][\w.’' -]{0,40}?)\s*:(?=\s|$)")
DASH = re.compile(r"^\s*(?:>>+|[-–—](?=\s))\s*")
INLINE_TIME = re.compile(r"<\d[\d:.]*>")
TIME = r"(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,3}))?"
TIMES = re.compile(rf"\s*{TIME}(?:\s*(?:-->|,)\s*{TIME}(?:\s.*)?|(?<=\.\d{{3}})\s*)")  # some .sbv files lack an end
ASIDE = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)")
ROLLING = 1 / 4  # least share of cues that repeat two words or more of the one before in a file of rolling captions
SECONDS_A_WORD = 0.4  # 150 words a minute, the pace of a lecture
AT_ONCE = 25  # words per segment in a file without times
FORMS = message("transcript_forms")


def read_transcript(data: bytes) -> list[Segment]:
    """Segments of a transcript: captions by time. Raises BadRequest with the number of an unreadable line, or if there is no
    speech."""
    text = decoded(data)
    if text is None or text.lstrip().startswith(("{", "[{")):  # JSON of a program
        raise BadRequest("transcript_not_text", forms=FORMS)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0].startswith("WEBVTT") or any("-->" in line or TIMES.fullmatch(line) for line in lines):
        cues = sorted(read_cues(lines), key=lambda cue: cue.start)
        texts = zip(cues, spoken_texts([cue.lines for cue in cues]), strict=True)  # what is shown but not spoken is empty
        spoken = [(cue, text) for cue, text in texts if text]
        segments = [Segment(str(number), cue.start, cue.end, text) for number, (cue, text) in enumerate(spoken, 1)]
    else:
        segments = list(read_plain(lines))
    if not any(segment.text for segment in segments):
        raise BadRequest("transcript_empty", forms=FORMS)
    return segments


@dataclass(frozen=True, slots=True)
class Cue:
    """Lines of a caption with their tags, shown from start to end, in seconds."""

    start: float
    end: float
    lines: list[str] = field(default_factory=list)


def read_cues(lines: Sequence[str]) -> list[Cue]:
    """Cues in the order of the file, without WebVTT's header, notes and styles. An empty line does not end a cue. Raises
    BadRequest."""
    cues, is_aside = list[Cue](), False
    for number, (before, line) in enumerate(pairwise(["", *lines]), 1):
        times = _times(line, number)
        is_aside = not times and bool(line.strip()) and (is_aside or (not before.strip() and bool(ASIDE.match(line))))
        if times:
            cues.append(Cue(*times))
        elif line.strip() and not is_aside and not _names_a_cue(lines, number, before):
            if not cues:
                raise BadRequest("transcript_text_before_time", line=number)
            cues[-1].lines.append(line)
    return cues


def _names_a_cue(lines: Sequence[str], number: int, before: str) -> bool:
    """Whether a line is the name of a cue: after an empty line and directly above a time; or a number a little further up."""
    if lines[number - 1].strip().isdigit() and not TIMES.fullmatch(before):
        return bool(TIMES.fullmatch(next((line for line in lines[number : number + 3] if line.strip()), "")))
    return not before.strip() and number < len(lines) and bool(TIMES.fullmatch(lines[number]))


def _times(line: str, number: int) -> tuple[float, float] | None:
    """Start and end of a line with times, in seconds; None for a line of text. Raises BadRequest."""
    if not (found := TIMES.fullmatch(line)):
        if "-->" in line:
            raise BadRequest("transcript_time_invalid", line=number, example="00:01:02.500 --> 00:01:04.000")
        return None
    start = _seconds(*found.groups()[:4])
    end = _seconds(*found.groups()[4:]) if found[6] else start
    if end < start:
        raise BadRequest("transcript_ends_before_start", line=number)
    return start, end


def _seconds(hours: str | None, minutes: str | None, seconds: str | None, fraction: str | None) -> float:
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(f"{seconds}.{fraction or 0}")


def spoken_texts(cues: Sequence[Sequence[str]]) -> list[str]:
    """Text of each cue's lines; empty if nothing was said. A name before a colon that begins more than one line is a
    speaker's."""
    timed_words = any(INLINE_TIME.search(line) for cue in cues for line in cue)  # only automatic captions have those
    lines = [[" ".join(html.unescape(TAG.sub("", line)).split()) for line in cue] for cue in cues]
    fresh = unrolled([[line for line in cue if line] for cue in lines], 0 if timed_words else ROLLING)
    labels = Counter(match["name"] for cue in fresh for line in cue if (match := LABEL.match(line)))
    names = {name for name, times in labels.items() if times > 1}
    return [" ".join(filter(None, (_spoken_text(line, names) for line in cue))) for cue in fresh]


def unrolled(cues: list[list[str]], min_share: float = ROLLING) -> list[list[str]]:
    """Cues without the text that the previous cue showed, if at least min_share of the cues repeat it: YouTube's automatic
    captions, and recognizers that show a line while it grows. In other files repetitions stay."""
    texts = [" ".join(cue) for cue in cues]
    overlaps = [0, *(_overlap_with(before, now) for before, now in pairwise(cues))]
    going_on = sum(" " in text[:end] and end < len(text) for text, end in zip(texts, overlaps, strict=False))
    if not going_on or going_on < min_share * (len(cues) - 1):
        return cues
    return [[text[end:].strip()] for text, end in zip(texts, overlaps, strict=True)]


def _overlap_with(before: list[str], now: list[str]) -> int:
    """Number of characters at the start of a cue that repeat the last lines, or all, of the previous one."""
    earlier, whole = " ".join(before), " ".join(now)
    if f"{whole} ".startswith(f"{earlier} "):
        return len(earlier)
    rolled = (count for count in range(min(len(before), len(now)), 0, -1) if before[-count:] == now[:count])
    return len(" ".join(now[: next(rolled, 0)]))


def _spoken_text(line: str, names: set[str]) -> str:
    label = LABEL.match(line)
    line = line[label.end() :] if label and label["name"] in names else DASH.sub("", line)
    return " ".join(SOUNDS.sub(" ", line).split())


def read_plain(lines: Sequence[str]) -> Iterator[Segment]:
    """Segments of plain text at a lecture's pace."""
    words = " ".join(spoken_texts([[line] for line in lines])).split()
    for at in range(0, len(words), AT_ONCE):
        some = words[at : at + AT_ONCE]
        yield Segment(str(at // AT_ONCE + 1), at * SECONDS_A_WORD, (at + len(some)) * SECONDS_A_WORD, " ".join(some))
