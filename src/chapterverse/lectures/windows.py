"""Windows of a lecture (S3): from segments as they arrive to windows of 2 or 3 sentences, 30 to 150 words.

Sentence ends are decided word by word: a stop after an ordinary word ends the sentence; after a possible abbreviation the next
word decides, by the rules for books. A window consists of units: sentences, or pieces of a long sentence or of unpunctuated
speech. The next window begins with the last unit of the one before. Limits by priority: 150 words, 30 words, sentences.

Segments may arrive in any order, twice, and corrected. A gap is waited for within `GapTolerance` or until `flush`; later
segments count as spoken when they arrive, so no word is lost. A closed window never changes. The state between two requests is
small and stored, so any process can continue."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import islice, pairwise
from typing import NamedTuple

from bookreader.text.sentences import DOTTED, EITHER, INITIALS, NEVER_LAST, NO_VOWEL, REFERENCES, TIMES, split_sentences
from chapterverse.core.names import fingerprint
from chapterverse.lectures.model import Segment, Window

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
    if not _is_doubtful(last):
        return True
    return None if following is None else _in_a_book(spoken, following)


def _is_doubtful(word: str) -> bool:
    """Whether the word may be an abbreviation."""
    return len(word) == 1 or word in DOUBTFUL or any(shape.fullmatch(word) for shape in (INITIALS, DOTTED, NO_VOWEL))


def _in_a_book(spoken: Sequence[str], following: str) -> bool:
    """Whether the rules for books end a sentence between the two, given the last ENOUGH words."""
    text = " ".join(spoken[-ENOUGH:])
    return any(end == len(text) for _, end in split_sentences(f"{text} {following}"))


class SpokenWord(NamedTuple):
    """A word with its estimated time in seconds and the id of its segment."""

    text: str
    start: float
    end: float
    segment: str


@dataclass(frozen=True, slots=True)
class WindowRules:
    """Limits in words, sentences and seconds; the first four are S3's.

    A window closes at the end of a sentence: with `min_words`, if it has `max_sentences`, or if it has `min_sentences` and
    `enough_words`, `new_words` of them not in the previous window. One that would exceed `max_words` closes at the sentence end
    before that, or after it if it would have fewer than `min_words`.

    unmarked: after so many words without punctuation, speech is split into pieces: from `short_piece` words on at a
    `long_pause`, from `piece` words on at a `pause` or a mark, at the latest after `long_piece`."""

    min_words: int = 30
    max_words: int = 150
    min_sentences: int = 2
    max_sentences: int = 3
    enough_words: int = 50
    new_words: int = 20
    unmarked: int = 40
    short_piece: int = 10
    piece: int = 20
    long_piece: int = 30
    pause: float = 0.25
    long_pause: float = 1.0


@dataclass(frozen=True, slots=True)
class Filled:
    """Words of a completed window; the first `overlap` of them repeat the previous window."""

    words: tuple[SpokenWord, ...]
    overlap: int


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """The window being filled. overlap: last unit of the previous window; words: the words since.

    ends: where units end in `words`. unmarked: number of words without a mark at the end of the speech so far;
    unmarked_before: its value at the start of `words`."""

    overlap: tuple[SpokenWord, ...] = ()
    words: tuple[SpokenWord, ...] = ()
    ends: tuple[int, ...] = ()
    unmarked: int = 0
    unmarked_before: int = 0

    @property
    def begun(self) -> int:
        """Start of the unit that has not ended."""
        return self.ends[-1] if self.ends else 0

    def ended(self, *ends: int) -> OpenWindow:
        """The window with more ends of units."""
        return replace(self, ends=(*self.ends, *ends))


def add(window: OpenWindow, word: SpokenWord, rules: WindowRules) -> tuple[OpenWindow, list[Filled]]:
    """Add a word; returns the windows it completes, usually none."""
    window, filled = _doubt_resolved(window, word.text, rules)
    unmarked = 0 if MARK.search(word.text) else window.unmarked + 1
    window = replace(window, words=(*window.words, word), unmarked=unmarked)
    if unmarked >= rules.unmarked or len(window.words) > rules.max_words:
        window = window.ended(*(window.begun + end for end in piece_ends(window.words[window.begun :], rules)))
    if window.begun < len(window.words) and ends_sentence(_spoken_words(window)):
        window = window.ended(len(window.words))
    window, more = close(window, rules)
    return window, [*filled, *more]


def finish(window: OpenWindow, rules: WindowRules) -> tuple[OpenWindow, list[Filled]]:
    """End the speech; the words left over make a last window, however short."""
    if window.begun < len(window.words):
        window = window.ended(len(window.words))
    window, filled = close(window, rules)
    if not window.words:
        return window, filled
    window, last = _taken(window, len(window.words), rules)
    return window, [*filled, last]


def close(window: OpenWindow, rules: WindowRules) -> tuple[OpenWindow, list[Filled]]:
    """Take out all complete windows."""
    filled: list[Filled] = []
    while (end := _full_at(window, rules)) is not None:
        window, one = _taken(window, end, rules)
        filled.append(one)
    return window, filled


def piece_ends(words: Sequence[SpokenWord], rules: WindowRules) -> list[int]:
    """Ends of pieces in speech without sentences: at pauses and marks, else by count. Words after the last end are left
    over."""
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
    """End the unit if the next word shows that its last word ended a sentence."""
    if window.begun == len(window.words) or ends_sentence(_spoken_words(window)) is not None:
        return window, []
    if not ends_sentence(_spoken_words(window), following):
        return window, []
    return close(window.ended(len(window.words)), rules)


def _spoken_words(window: OpenWindow) -> list[str]:
    """Words of the unit that has not ended."""
    return [word.text for word in window.words[window.begun :]]


def _full_at(window: OpenWindow, rules: WindowRules) -> int | None:
    """Number of words that make a complete window; None if it needs more."""
    overlap = len(window.overlap)
    fitting = [end for end in window.ends if overlap + end <= rules.max_words]
    for units, end in enumerate(fitting, 1):
        if _is_full(units + bool(overlap), overlap + end, end, rules):
            return end
    if overlap + len(window.words) <= rules.max_words:
        return None
    if fitting and overlap + fitting[-1] >= rules.min_words:
        return fitting[-1]
    return window.ends[len(fitting)] if len(fitting) < len(window.ends) else None


def _is_full(sentences: int, words: int, new: int, rules: WindowRules) -> bool:
    if words < rules.min_words or sentences < rules.min_sentences:
        return False
    return sentences >= rules.max_sentences or (words >= rules.enough_words and new >= rules.new_words)


def _taken(window: OpenWindow, end: int, rules: WindowRules) -> tuple[OpenWindow, Filled]:
    """Split off the window of the first `end` words; the next one begins with its last unit."""
    room = rules.max_words - end
    overlap = window.overlap[max(0, len(window.overlap) - room) :] if room else ()
    last = max((at for at in window.ends if at < end), default=0)
    unmarked = _unmarked(window.words[:end], window.unmarked_before)
    ends = tuple(at - end for at in window.ends if at > end)
    rest = OpenWindow(window.words[last:end], window.words[end:], ends, window.unmarked, unmarked)
    return rest, Filled((*overlap, *window.words[:end]), len(overlap))


def _unmarked(words: Sequence[SpokenWord], before: int) -> int:
    """Number of words without a mark at the end of `words`."""
    for back, word in enumerate(reversed(words)):
        if MARK.search(word.text):
            return back
    return before + len(words)


NUMBERED = re.compile(r"(.*?)(\d{1,15})")


@dataclass(frozen=True, slots=True)
class GapTolerance:
    """Tolerance for missing segments. touching: gap in seconds that needs none; seconds, segments: give up after this much.

    seconds: between the beginnings of the first waiting segment and the newest one. segments: number of those waiting."""

    touching: float = 1.0
    seconds: float = 5.0
    segments: int = 4


@dataclass(frozen=True, slots=True)
class WindowBuffer:
    """Immutable state of windowing; `push` and `flush` return the next one.

    waiting: segments by time. newest: start of the latest segment; taken_to: time up to which segments were taken, in seconds.
    taken: words of each segment taken; last: id of the last one. windows: number of windows so far."""

    rules: WindowRules = field(default_factory=WindowRules)
    tolerance: GapTolerance = field(default_factory=GapTolerance)
    waiting: tuple[Segment, ...] = ()
    newest: float = 0.0
    taken_to: float = 0.0
    taken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    last: str = ""
    open: OpenWindow = field(default_factory=OpenWindow)
    windows: int = 0

    def push(self, segment: Segment) -> tuple[WindowBuffer, list[Window]]:
        """Add a segment; returns the windows it completes, usually none."""
        if segment.id in self.taken:
            return self._corrected(segment)
        waiting = [other for other in self.waiting if other.id != segment.id]
        insort(waiting, segment, key=_by_time)
        state = replace(self, waiting=tuple(waiting), newest=max(self.newest, segment.start))
        return state._advanced(wait=True)

    def flush(self) -> tuple[WindowBuffer, list[Window]]:
        """End the speech; returns the remaining windows, the last one perhaps shorter than 30 words."""
        state, windows = self._advanced(wait=False)
        rest, filled = finish(state.open, state.rules)
        state, last = replace(state, open=rest)._numbered(filled)
        return state, [*windows, *last]

    def _advanced(self, wait: bool) -> tuple[WindowBuffer, list[Window]]:
        """Take the segments that need not wait."""
        state, windows = self, list[Window]()
        while state.waiting and not (wait and state._must_wait()):
            state, more = state._take_first()
            windows += more
        return state, windows

    def _must_wait(self) -> bool:
        """Whether a segment before the first waiting one is missing and may still arrive."""
        first, tolerance = self.waiting[0], self.tolerance
        if first.start <= self.taken_to + tolerance.touching or is_next(self.last, first.id):
            return False
        return len(self.waiting) <= tolerance.segments and self.newest < first.start + tolerance.seconds

    def _take_first(self) -> tuple[WindowBuffer, list[Window]]:
        first, *rest = self.waiting
        words = words_of(first)
        taken = {**self.taken, first.id: tuple(word.text for word in words)}
        taken_to = max(self.taken_to, first.end)
        return replace(self, waiting=tuple(rest), taken=taken, last=first.id, taken_to=taken_to)._added(words)

    def _added(self, words: Iterable[SpokenWord]) -> tuple[WindowBuffer, list[Window]]:
        window, filled = self.open, list[Filled]()
        for word in words:
            window, more = add(window, word, self.rules)
            filled += more
        return replace(self, open=window)._numbered(filled)

    def _numbered(self, filled: list[Filled]) -> tuple[WindowBuffer, list[Window]]:
        windows = [window_of(index, each) for index, each in enumerate(filled, self.windows)]
        return replace(self, windows=self.windows + len(windows)), windows

    def _corrected(self, segment: Segment) -> tuple[WindowBuffer, list[Window]]:
        """Replace the segment's words that are in no window yet; of a segment in a window, only words added at its end
        count."""
        before, now = self.taken[segment.id], words_of(segment)
        texts = tuple(word.text for word in now)
        if texts == before:
            return self, []
        unused = [at for at, word in enumerate(self.open.words) if word.segment == segment.id]
        used = words_used(before, texts, len(before) - len(unused))
        place = unused[0] if unused else len(self.open.words)
        others = [word for word in self.open.words if word.segment != segment.id]
        words = [*others[:place], *now[used:], *others[place:]]
        fresh = OpenWindow(self.open.overlap, unmarked=self.open.unmarked_before, unmarked_before=self.open.unmarked_before)
        return replace(self, open=fresh, taken={**self.taken, segment.id: texts})._added(words)


def all_windows(segments: Iterable[Segment], start: WindowBuffer | None = None) -> list[Window]:
    """All windows of a lecture."""
    state, windows = start or WindowBuffer(), list[Window]()
    for segment in segments:
        state, more = state.push(segment)
        windows += more
    return [*windows, *state.flush()[1]]


def words_of(segment: Segment) -> list[SpokenWord]:
    """Words of a segment, each with an equal share of its time."""
    texts = segment.text.split()
    step = (segment.end - segment.start) / len(texts) if texts else 0.0
    return [
        SpokenWord(text, segment.start + at * step, segment.start + (at + 1) * step, segment.id)
        for at, text in enumerate(texts)
    ]


def window_of(index: int, filled: Filled) -> Window:
    """The window as it is searched and shown, from its first to its last word's time."""
    texts = [word.text for word in filled.words]
    return Window(
        index=index,
        start=min(word.start for word in filled.words),
        end=max(word.end for word in filled.words),
        text=" ".join(texts),
        overlap=len(" ".join(texts[: filled.overlap])),
        segments=tuple(dict.fromkeys(word.segment for word in filled.words)),
    )


def words_used(before: tuple[str, ...], now: tuple[str, ...], used: int) -> int:
    """Number of words of the corrected text that correspond to the first `used` words of the old text."""
    if used in (0, len(before)) and now[:used] == before[:used]:
        return used
    blocks = SequenceMatcher(a=before, b=now, autojunk=False).get_matching_blocks()
    at_a, at_b, size = max((block for block in blocks[:-1] if block.a < used), default=(0, 0, 0))
    inside = min(size, used - at_a)
    return min(len(now), at_b + inside + max(0, used - at_a - inside))


def is_next(last: str, id: str) -> bool:
    """Whether the ids are consecutive numbers, like "s17" and "s18"."""
    before, now = NUMBERED.fullmatch(last), NUMBERED.fullmatch(id)
    return bool(before and now and before[1] == now[1] and int(before[2]) + 1 == int(now[2]))


def _by_time(segment: Segment) -> tuple[float, float, str]:
    return segment.start, segment.end, segment.id


CORRECTABLE = 32  # last segments whose words stay in the state, so that they can be corrected


@dataclass(frozen=True, slots=True)
class Stream:
    """Stored state of a lecture's speech. past: fingerprints of segments before the last CORRECTABLE, whose words are no longer
    stored; when they arrive again nothing happens. ended: whether the speech has ended."""

    buffer: WindowBuffer = field(default_factory=WindowBuffer)
    past: frozenset[str] = frozenset()
    ended: bool = False

    def push(self, segments: Iterable[Segment]) -> tuple[Stream, list[Window]]:
        """Add segments; returns the windows they complete."""
        buffer, windows = self.buffer, list[Window]()
        for segment in segments:
            if _fingerprint(segment.id) not in self.past:
                buffer, more = buffer.push(segment)
                windows += more
        return replace(self, buffer=buffer, ended=False)._without_the_past(), windows

    def flush(self) -> tuple[Stream, list[Window]]:
        """End the speech; returns the remaining windows. No word stays stored; speech may continue."""
        buffer, windows = self.buffer.flush()
        past = self.past | set(map(_fingerprint, buffer.taken))
        return Stream(replace(buffer, taken={}, open=OpenWindow()), past, ended=True), windows

    def _without_the_past(self) -> Stream:
        taken = self.buffer.taken
        open_ = {word.segment for word in self.buffer.open.words}
        old = [id for id in islice(taken, max(0, len(taken) - CORRECTABLE)) if id not in open_]
        left = {id: words for id, words in taken.items() if id not in set(old)}
        return replace(self, buffer=replace(self.buffer, taken=left), past=self.past | set(map(_fingerprint, old)))


def _fingerprint(id: str) -> str:
    return fingerprint(id, digits=12)
