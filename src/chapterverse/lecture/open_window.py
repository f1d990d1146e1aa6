"""The window that is being filled, one word after another, and when it is full (S3, "Sliding Window Logic").

A window is made of units: sentences, or pieces of a sentence that is too long or of speech that nobody has put marks into. The
next window begins with the last unit of the one before. Where the wishes conflict, 150 words are hard, then come 30, and the
number of sentences last; an overlap that does not fit loses words at its front."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from chapterverse.lecture.speech import MARK, ends_sentence


class Word(NamedTuple):
    """A word with the seconds that it was probably said at, and the segment that brought it."""

    text: str
    start: float
    end: float
    segment: str


@dataclass(frozen=True, slots=True)
class WindowRules:
    """Words, sentences, seconds. Defaults of the first four: S3; of the others: ours.

    enough, new: a window of `least_sentences` is closed only with so many words, so many of them not in the one before.
    unmarked: after so many words without any mark, speech counts as not punctuated and is cut into pieces, at a
    `long_pause` from `short_piece` words on, at a `pause` or a mark from `piece`, at the latest after `long_piece`."""

    least: int = 30
    most: int = 150
    least_sentences: int = 2
    most_sentences: int = 3
    enough: int = 50
    new: int = 20
    unmarked: int = 40
    short_piece: int = 10
    piece: int = 20
    long_piece: int = 30
    pause: float = 0.25
    long_pause: float = 1.0


@dataclass(frozen=True, slots=True)
class Filled:
    """A window's words; the first `overlap` of them were in the one before."""

    words: tuple[Word, ...]
    overlap: int


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """What the next window will hold. overlap: the last unit of the one before; words: what was said since.

    ends: where units of `words` end. unmarked: words without a mark so far, and before the first of `words`."""

    overlap: tuple[Word, ...] = ()
    words: tuple[Word, ...] = ()
    ends: tuple[int, ...] = ()
    unmarked: int = 0
    unmarked_before: int = 0

    @property
    def begun(self) -> int:
        """Where the unit begins that has not ended."""
        return self.ends[-1] if self.ends else 0

    def ended(self, *ends: int) -> "OpenWindow":
        """With these ends of units, too."""
        return replace(self, ends=(*self.ends, *ends))


def add(window: OpenWindow, word: Word, rules: WindowRules) -> tuple[OpenWindow, list[Filled]]:
    """One word more; usually nothing is full."""
    window, filled = _doubt_resolved(window, word.text, rules)
    unmarked = 0 if MARK.search(word.text) else window.unmarked + 1
    window = replace(window, words=(*window.words, word), unmarked=unmarked)
    if unmarked >= rules.unmarked or len(window.words) > rules.most:
        window = window.ended(*(window.begun + end for end in piece_ends(window.words[window.begun :], rules)))
    if window.begun < len(window.words) and ends_sentence(_said(window)):
        window = window.ended(len(window.words))
    window, more = close(window, rules)
    return window, [*filled, *more]


def finish(window: OpenWindow, rules: WindowRules) -> tuple[OpenWindow, list[Filled]]:
    """Nothing more will be said: what is left is a window, too, even if it is short. Nothing left: none."""
    if window.begun < len(window.words):
        window = window.ended(len(window.words))
    window, filled = close(window, rules)
    if not window.words:
        return window, filled
    window, last = _taken(window, len(window.words), rules)
    return window, [*filled, last]


def close(window: OpenWindow, rules: WindowRules) -> tuple[OpenWindow, list[Filled]]:
    """All windows that are full."""
    filled: list[Filled] = []
    while (end := _full_at(window, rules)) is not None:
        window, one = _taken(window, end, rules)
        filled.append(one)
    return window, filled


def piece_ends(words: Sequence[Word], rules: WindowRules) -> list[int]:
    """Where to cut what has no sentences: at pauses and marks, else by count. The rest behind the last cut is no piece yet."""
    ends, start = [], 0
    for at, (word, following) in enumerate(pairwise(words), 1):
        length, pause = at - start, following.start - word.end
        rests = pause >= rules.pause or MARK.search(word.text)
        if (
            length >= rules.long_piece
            or (length >= rules.piece and rests)
            or (length >= rules.short_piece and pause >= rules.long_pause)
        ):
            ends.append(at)
            start = at
    return ends


def _doubt_resolved(window: OpenWindow, following: str, rules: WindowRules) -> tuple[OpenWindow, list[Filled]]:
    """Now that the next word is known, the last one may turn out to have ended its sentence."""
    if window.begun == len(window.words) or ends_sentence(_said(window)) is not None:
        return window, []
    if not ends_sentence(_said(window), following):
        return window, []
    return close(window.ended(len(window.words)), rules)


def _said(window: OpenWindow) -> list[str]:
    """The words of the unit that has not ended."""
    return [word.text for word in window.words[window.begun :]]


def _full_at(window: OpenWindow, rules: WindowRules) -> int | None:
    """How many of its words are a window; None while it waits for more."""
    overlap = len(window.overlap)
    fitting = [end for end in window.ends if overlap + end <= rules.most]
    for units, end in enumerate(fitting, 1):
        if _is_full(units + bool(overlap), overlap + end, end, rules):
            return end
    if overlap + len(window.words) <= rules.most:
        return None
    if fitting and overlap + fitting[-1] >= rules.least:
        return fitting[-1]
    return window.ends[len(fitting)] if len(fitting) < len(window.ends) else None


def _is_full(sentences: int, words: int, new: int, rules: WindowRules) -> bool:
    if words < rules.least or sentences < rules.least_sentences:
        return False
    return sentences >= rules.most_sentences or (words >= rules.enough and new >= rules.new)


def _taken(window: OpenWindow, end: int, rules: WindowRules) -> tuple[OpenWindow, Filled]:
    """The window of the first `end` words, and the next one, which begins with its last unit."""
    room = rules.most - end
    overlap = window.overlap[max(0, len(window.overlap) - room) :] if room else ()
    last = max((at for at in window.ends if at < end), default=0)
    unmarked = _unmarked(window.words[:end], window.unmarked_before)
    ends = tuple(at - end for at in window.ends if at > end)
    rest = OpenWindow(window.words[last:end], window.words[end:], ends, window.unmarked, unmarked)
    return rest, Filled((*overlap, *window.words[:end]), len(overlap))


def _unmarked(words: Sequence[Word], before: int) -> int:
    """Words without a mark at the end of `words`."""
    for back, word in enumerate(reversed(words)):
        if MARK.search(word.text):
            return back
    return before + len(words)
