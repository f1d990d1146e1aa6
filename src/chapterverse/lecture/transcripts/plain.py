"""Plain text to segments: with a time at the beginning of lines, or above them; without any, at the pace of a lecture."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from chapterverse.lecture.transcripts.spoken import spoken_texts
from chapterverse.model import Segment

SECONDS_A_WORD = 0.4
"""150 words a minute, as people speak who explain something."""

AT_ONCE = 25
"""Words of a segment where there are no times."""

STAMP = re.compile(r"\s*[\[(]?(?:(\d{1,2}):)?(\d{1,2}):(\d\d)(?:[.,]\d{1,3})?[\])]?(?:\s*[-–—:]\s+|\s+|$)")


def read_plain(lines: Sequence[str]) -> list[Segment]:
    """Timed where the text begins with a time, and the times only grow; empty where nothing is said."""
    stamps = [(at, _seconds(match)) for at, line in enumerate(lines) if (match := STAMP.match(line))]
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


def _seconds(match: re.Match[str]) -> float:
    hours, minutes, seconds = match.groups()
    return int(hours or 0) * 3600.0 + int(minutes) * 60 + int(seconds)
