"""Segments as they arrive → windows: a pure state machine, which is told of one segment after another.

Segments may come in any order, twice, and corrected. One that does not go on where the last one ended, and is not numbered as
the next one either, waits for what may still be missing between them, but neither long (`Patience`) nor beyond `flush`. What
comes later than that counts as said when it comes, so no word is lost. A window is never taken back: a correction of what is in
one already changes only the words that are in none."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from chapterverse.lecture.open_window import Filled, OpenWindow, WindowRules, Word, add, finish
from chapterverse.model import Segment, Window

NUMBERED = re.compile(r"(.*?)(\d{1,15})")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a gap is waited for. touching: a gap of so many seconds is a breath, and nothing is missing in it.

    seconds: until a segment begins so much later than the one that waits. segments: until more than so many wait."""

    touching: float = 1.0
    seconds: float = 5.0
    segments: int = 4


@dataclass(frozen=True, slots=True)
class WindowBuffer:
    """The state; never changed, `push` and `flush` give the next one.

    waiting: by time. newest: when the latest segment begins; taken_to: up to where speech has gone into words, in seconds.
    taken: the words of each segment that has; last: the last of them. windows: how many there were."""

    rules: WindowRules = field(default_factory=WindowRules)
    patience: Patience = field(default_factory=Patience)
    waiting: tuple[Segment, ...] = ()
    newest: float = 0.0
    taken_to: float = 0.0
    taken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    last: str = ""
    open: OpenWindow = field(default_factory=OpenWindow)
    windows: int = 0

    def push(self, segment: Segment) -> tuple[WindowBuffer, list[Window]]:
        """A segment has arrived; the windows that it fills, mostly none."""
        if segment.id in self.taken:
            return self._corrected(segment)
        waiting = [other for other in self.waiting if other.id != segment.id]
        insort(waiting, segment, key=_by_time)
        state = replace(self, waiting=tuple(waiting), newest=max(self.newest, segment.start))
        return state._advanced(wait=True)

    def flush(self) -> tuple[WindowBuffer, list[Window]]:
        """Nobody speaks any more: all that is left, the last window perhaps shorter than 30 words."""
        state, windows = self._advanced(wait=False)
        rest, filled = finish(state.open, state.rules)
        state, last = replace(state, open=rest)._numbered(filled)
        return state, [*windows, *last]

    def _advanced(self, wait: bool) -> tuple[WindowBuffer, list[Window]]:
        """Takes what need not wait."""
        state, windows = self, list[Window]()
        while state.waiting and not (wait and state._must_wait()):
            state, more = state._take_first()
            windows += more
        return state, windows

    def _must_wait(self) -> bool:
        """Something may be missing in front of the first segment, and there is still hope."""
        first, patience = self.waiting[0], self.patience
        if first.start <= self.taken_to + patience.touching or is_next(self.last, first.id):
            return False
        return len(self.waiting) <= patience.segments and self.newest < first.start + patience.seconds

    def _take_first(self) -> tuple[WindowBuffer, list[Window]]:
        first, *rest = self.waiting
        words = words_of(first)
        taken = {**self.taken, first.id: tuple(word.text for word in words)}
        taken_to = max(self.taken_to, first.end)
        return replace(self, waiting=tuple(rest), taken=taken, last=first.id, taken_to=taken_to)._added(words)

    def _added(self, words: Iterable[Word]) -> tuple[WindowBuffer, list[Window]]:
        window, filled = self.open, list[Filled]()
        for word in words:
            window, more = add(window, word, self.rules)
            filled += more
        return replace(self, open=window)._numbered(filled)

    def _numbered(self, filled: list[Filled]) -> tuple[WindowBuffer, list[Window]]:
        windows = [window_of(index, each) for index, each in enumerate(filled, self.windows)]
        return replace(self, windows=self.windows + len(windows)), windows

    def _corrected(self, segment: Segment) -> tuple[WindowBuffer, list[Window]]:
        """Another text for words that are in no window yet; of the others, what was added behind them."""
        before, now = self.taken[segment.id], words_of(segment)
        texts = tuple(word.text for word in now)
        if texts == before:
            return self, []
        unused = [at for at, word in enumerate(self.open.words) if word.segment == segment.id]
        used = kept_until(before, texts, len(before) - len(unused))
        place = unused[0] if unused else len(self.open.words)
        others = [word for word in self.open.words if word.segment != segment.id]
        words = [*others[:place], *now[used:], *others[place:]]
        fresh = OpenWindow(self.open.overlap, unmarked=self.open.unmarked_before, unmarked_before=self.open.unmarked_before)
        return replace(self, open=fresh, taken={**self.taken, segment.id: texts})._added(words)


def all_windows(segments: Iterable[Segment], start: WindowBuffer | None = None) -> list[Window]:
    """Those of a whole lecture, by the same way."""
    state, windows = start or WindowBuffer(), list[Window]()
    for segment in segments:
        state, more = state.push(segment)
        windows += more
    return [*windows, *state.flush()[1]]


def words_of(segment: Segment) -> list[Word]:
    """Each with its share of the segment's time."""
    texts = segment.text.split()
    step = (segment.end - segment.start) / len(texts) if texts else 0.0
    return [Word(text, segment.start + at * step, segment.start + (at + 1) * step, segment.id) for at, text in enumerate(texts)]


def window_of(index: int, filled: Filled) -> Window:
    """As it is looked up and shown; its times are those of its first and last words."""
    texts = [word.text for word in filled.words]
    return Window(
        index=index,
        start=min(word.start for word in filled.words),
        end=max(word.end for word in filled.words),
        text=" ".join(texts),
        overlap=len(" ".join(texts[: filled.overlap])),
        segments=tuple(dict.fromkeys(word.segment for word in filled.words)),
    )


def kept_until(before: tuple[str, ...], now: tuple[str, ...], used: int) -> int:
    """How many words of the corrected text stand for the first `used` ones of the text before."""
    if used in (0, len(before)) and now[:used] == before[:used]:
        return used
    blocks = SequenceMatcher(a=before, b=now, autojunk=False).get_matching_blocks()
    at_a, at_b, size = max((block for block in blocks[:-1] if block.a < used), default=(0, 0, 0))
    inside = min(size, used - at_a)
    return min(len(now), at_b + inside + max(0, used - at_a - inside))


def is_next(last: str, id: str) -> bool:
    """Whether the ids are numbered, and nothing can be between them: "s17" and "s18"."""
    before, now = NUMBERED.fullmatch(last), NUMBERED.fullmatch(id)
    return bool(before and now and before[1] == now[1] and int(before[2]) + 1 == int(now[2]))


def _by_time(segment: Segment) -> tuple[float, float, str]:
    return segment.start, segment.end, segment.id
