"""What was said, of what captions show: no tags, no [Music], no speakers' names, and no line a second time that rolls up."""

import html
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

TAG = re.compile(r"</?(?:c|i|b|u|v|lang|ruby|rt|font)(?:[.\s][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}", re.IGNORECASE)
SOUND = re.compile(
    r"""(?<!\w)(?:\[\s*_+\s*\]
        |[(\[][\s>]*(?:(?:soft|loud|upbeat|gentle|audience|student|students|class|professor)\s)?
          (?:music|applaus|laugh|chuckl|inaudible|unintelligible|indistinct|crosstalk|silence|noise|pause|cough|clears|sigh|cheer|bell
            |background)[^()\[\]]*[)\]])
      | [♪♫]+""",
    re.VERBOSE | re.IGNORECASE,
)
"""What captions say of sounds. Other words in brackets stay: somebody put them in to be read."""

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
"""Share of the cues that go on from two words or more of the one before, from which on a file is one of lines that roll up."""


def spoken_texts(cues: Sequence[Sequence[str]]) -> list[str]:
    """One text a cue, of its lines; empty where nothing was said."""
    timed_words = any(INLINE_TIME.search(line) for cue in cues for line in cue)  # only automatic captions have those
    lines = [[" ".join(html.unescape(TAG.sub("", line)).split()) for line in cue] for cue in cues]
    fresh = unrolled([[line for line in cue if line] for cue in lines], 0 if timed_words else ROLLING)
    names = names_in([line for cue in fresh for line in cue])
    return [" ".join(filter(None, (_said(line, names) for line in cue))) for cue in fresh]


def unrolled(cues: list[list[str]], least: float = ROLLING) -> list[list[str]]:
    """Without what the cue before showed already, in a file where cues do so again and again: YouTube's automatic captions, and
    recognizers that show a line while it grows. Anywhere else, what is said twice stays. least: the share of such cues."""
    texts = [" ".join(cue) for cue in cues]
    shown = [0, *(_shown_before(before, now) for before, now in pairwise(cues))]
    going_on = sum(" " in text[:end] and end < len(text) for text, end in zip(texts, shown, strict=True))
    if not going_on or going_on < least * (len(cues) - 1):
        return cues
    return [[text[end:].strip()] for text, end in zip(texts, shown, strict=True)]


def _shown_before(before: list[str], now: list[str]) -> int:
    """Characters at the beginning of a cue that are the last lines, or the whole, of the one before."""
    shown, whole = " ".join(before), " ".join(now)
    if shown and (whole == shown or whole.startswith(shown + " ")):
        return len(shown)
    rolled = (count for count in range(min(len(before), len(now)), 0, -1) if before[-count:] == now[:count])
    return len(" ".join(now[: next(rolled, 0)]))


def names_in(lines: Sequence[str]) -> frozenset[str]:
    """Two or more capitalised words before a colon that come again at the beginning of a line are somebody who speaks."""
    found = Counter(match["name"] for line in lines if (match := LABEL.match(line)) and match["name"])
    return frozenset(name for name, times in found.items() if times > 1)


def _said(line: str, names: frozenset[str]) -> str:
    label = LABEL.match(line)
    if label and (label["role"] or label["name"] in names):
        line = line[label.end() :]
    return " ".join(SOUND.sub(" ", DASH.sub("", line, count=1) if DASH.match(line) else line).split())
