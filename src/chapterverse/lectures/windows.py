"""Windows of a lecture (S3): from segments as they arrive to windows of 2 or 3 sentences, 30 to 150 words.

Sentence ends are decided word by word: a stop after an ordinary word ends the sentence; after a possible abbreviation the next
word decides, by the rules for books. A window consists of units: sentences, or pieces of a long sentence or of unpunctuated
speech. The next window begins with the last unit of the one before. Limits by priority: 150 words, 30 words, sentences.
Segments count in the order in which they arrive, each once. The state between two requests is stored, so any process can
continue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from bookreader.text.sentences import DOTTED, EITHER, INITIALS, NEVER_LAST, NO_VOWEL, REFERENCES, TIMES, split_sentences
from chapterverse.core.names import fingerprint
from chapterverse.lectures.model import Segment, Window

MIN_WORDS, MAX_WORDS = 30, 150  # of a window (S3-2)
MIN_SENTENCES, MAX_SENTENCES = 2, 3  # of a window that closes before MAX_WORDS (S3-1)
ENOUGH_WORDS, NEW_WORDS = 50, 20  # with which MIN_SENTENCES are enough, and of these not in the window before
UNMARKED = 40  # words without punctuation after which speech is split into pieces
SHORT_PIECE, PIECE, LONG_PIECE = 10, 20, 30  # words from which a piece ends at a long pause, at a pause or mark, in any case
PAUSE, LONG_PAUSE = 0.25, 1.0  # seconds

NEVER_HERE = {"etc", "dr", "prof"}
"""S3-3: no sentence ends after these, although in a book one ends after "etc." before a capital."""

OPENING = "([{“‘«\"'"
CLOSING = ")]}”’»\"'*"

MARK = re.compile(rf"[.,;:?!…–—][{re.escape(CLOSING)}]*$|^[-–—]+$")
"""Matches a word with punctuation after it."""

ENOUGH = 12
"""Number of words before a stop that decide whether it ends the sentence."""

DOUBTFUL = NEVER_LAST | REFERENCES | EITHER | TIMES


def ends_sentence(spoken: Sequence[str], following: str | None = None) -> bool | None:
    """Whether the last of `spoken`, the words of a sentence so far, ends it; None if the next word decides."""
    word = spoken[-1].rstrip(CLOSING)
    if word.endswith(("?", "!")):
        return len(spoken) > 1 or len(word.strip("?!")) > 0
    if not word.endswith(".") or word.endswith(".."):  # S3: an ellipsis does not end a sentence
        return False
    return _full_stop(spoken, word[:-1].lstrip(OPENING), following)


def _full_stop(spoken: Sequence[str], word: str, following: str | None) -> bool | None:
    numbers = len(spoken) == 1 and (len(word) == 1 or word.isdigit())  # "3." opens the sentence that it numbers
    if numbers or word.casefold() in NEVER_HERE:
        return False
    last = re.split("[—-]", word)[-1]
    if not (len(last) == 1 or last in DOUBTFUL or any(shape.fullmatch(last) for shape in (INITIALS, DOTTED, NO_VOWEL))):
        return True
    text = " ".join(spoken[-ENOUGH:])  # an abbreviation perhaps: by the rules for books
    return None if following is None else any(end == len(text) for _, end in split_sentences(f"{text} {following}"))


class SpokenWord(NamedTuple):
    """A word with its estimated time in seconds and the id of its segment."""

    text: str
    start: float
    end: float
    segment: str


@dataclass
class Stream:
    """The speech of a lecture so far, as it is stored. overlap: last unit of the window before; words: those since; ends: where
    units end in them. unmarked: how many words at the end have no mark. received: fingerprints of the segments that counted;
    windows: number so far; ended: whether the speech has ended."""

    overlap: list[SpokenWord] = field(default_factory=list)
    words: list[SpokenWord] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    unmarked: int = 0
    received: set[str] = field(default_factory=set)
    windows: int = 0
    ended: bool = False

    def push(self, segments: Iterable[Segment]) -> list[Window]:
        """Add segments; returns the windows they complete. One that was received before changes nothing."""
        self.ended, completed = False, list[Window]()
        for segment in segments:
            if (mark := fingerprint(segment.id, digits=12)) not in self.received:
                self.received.add(mark)
                completed += [window for word in words_of(segment) for window in self._add(word)]
        return completed

    def flush(self) -> list[Window]:
        """End the speech; returns the remaining windows, the last one perhaps shorter than MIN_WORDS. No word stays stored;
        speech may continue."""
        if self._unit():
            self.ends.append(len(self.words))
        completed = self._complete()
        if self.words:
            completed.append(self._take(len(self.words)))
        self.overlap, self.unmarked, self.ended = [], 0, True
        return completed

    def _unit(self) -> list[str]:
        """Words of the unit that has not ended."""
        return [word.text for word in self.words[self._begun :]]

    @property
    def _begun(self) -> int:
        return self.ends[-1] if self.ends else 0

    def _add(self, word: SpokenWord) -> list[Window]:
        """Add a word; returns the windows it completes, usually none."""
        before, completed = self._unit(), list[Window]()
        if before and ends_sentence(before) is None and ends_sentence(before, word.text):
            self.ends.append(len(self.words))
            completed = self._complete()
        self.words.append(word)
        self.unmarked = 0 if MARK.search(word.text) else self.unmarked + 1
        if self.unmarked >= UNMARKED or len(self.words) > MAX_WORDS:
            begun = self._begun
            self.ends += [begun + end for end in piece_ends(self.words[begun:])]
        if (unit := self._unit()) and ends_sentence(unit):
            self.ends.append(len(self.words))
        return [*completed, *self._complete()]

    def _complete(self) -> list[Window]:
        completed = list[Window]()
        while (end := self._full_at()) is not None:
            completed.append(self._take(end))
        return completed

    def _full_at(self) -> int | None:
        """Number of words that make a complete window; None if it needs more."""
        overlap = len(self.overlap)
        fitting = [end for end in self.ends if overlap + end <= MAX_WORDS]
        for sentences, end in enumerate(fitting, 1 + bool(overlap)):
            is_enough = sentences >= MIN_SENTENCES and overlap + end >= ENOUGH_WORDS and end >= NEW_WORDS
            if overlap + end >= MIN_WORDS and (sentences >= MAX_SENTENCES or is_enough):
                return end
        if overlap + len(self.words) <= MAX_WORDS:
            return None
        if fitting and overlap + fitting[-1] >= MIN_WORDS:
            return fitting[-1]
        return self.ends[len(fitting)] if len(fitting) < len(self.ends) else None

    def _take(self, end: int) -> Window:
        """Split off the window of the first `end` words; the next one begins with its last unit."""
        room = MAX_WORDS - end
        overlap = self.overlap[max(0, len(self.overlap) - room) :] if room else []
        last = max((at for at in self.ends if at < end), default=0)
        words = [*overlap, *self.words[:end]]
        window = Window(
            index=self.windows,
            start=min(word.start for word in words),
            end=max(word.end for word in words),
            text=" ".join(word.text for word in words),
            overlap=len(" ".join(word.text for word in overlap)),
            segments=tuple(dict.fromkeys(word.segment for word in words)),
        )
        self.overlap, self.words = self.words[last:end], self.words[end:]
        self.ends = [at - end for at in self.ends if at > end]
        self.windows += 1
        return window


def piece_ends(words: Sequence[SpokenWord]) -> list[int]:
    """Ends of pieces in speech without sentences: at pauses and marks, else by count. Words after the last end are left
    over."""
    ends, start = list[int](), 0
    for at, (word, following) in enumerate(pairwise(words), 1):
        length, pause = at - start, following.start - word.end
        rests = pause >= PAUSE or MARK.search(word.text)
        if length >= LONG_PIECE or (length >= PIECE and rests) or (length >= SHORT_PIECE and pause >= LONG_PAUSE):
            ends.append(at)
            start = at
    return ends


def all_windows(segments: Iterable[Segment]) -> list[Window]:
    stream = Stream()
    return [*stream.push(segments), *stream.flush()]


def words_of(segment: Segment) -> list[SpokenWord]:
    """Words of a segment, each with an equal share of its time."""
    texts = segment.text.split()
    step = (segment.end - segment.start) / len(texts) if texts else 0.0
    return [
        SpokenWord(text, segment.start + at * step, segment.start + (at + 1) * step, segment.id)
        for at, text in enumerate(texts)
    ]
