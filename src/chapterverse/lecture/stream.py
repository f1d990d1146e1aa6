"""A lecture between two hand-ins of segments, small enough to be kept: whichever process is told next goes on with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from chapterverse.lecture.open_window import OpenWindow
from chapterverse.lecture.windows import WindowBuffer
from chapterverse.model import Segment, Window
from chapterverse.names import fingerprint

CORRECTABLE = 32  # last segments whose words are kept, so that a correction is understood


@dataclass(frozen=True, slots=True)
class Stream:
    """past: fingerprints of the segments before the last CORRECTABLE: their words stand in windows and are forgotten, and when
    they come again nothing happens. ended: nobody speaks any more."""

    buffer: WindowBuffer = field(default_factory=WindowBuffer)
    past: frozenset[str] = frozenset()
    ended: bool = False

    def push(self, segments: Iterable[Segment]) -> tuple[Stream, list[Window]]:
        """These have arrived; the windows that they fill."""
        buffer, windows = self.buffer, list[Window]()
        for segment in segments:
            if _mark(segment.id) not in self.past:
                buffer, more = buffer.push(segment)
                windows += more
        return replace(self, buffer=buffer, ended=False)._without_the_past(), windows

    def flush(self) -> tuple[Stream, list[Window]]:
        """The end: what was still open. No word is kept after it; speech may go on all the same."""
        buffer, windows = self.buffer.flush()
        past = self.past | set(map(_mark, buffer.taken))
        return Stream(replace(buffer, taken={}, open=OpenWindow()), past, ended=True), windows

    def _without_the_past(self) -> Stream:
        taken = self.buffer.taken
        open_ = {word.segment for word in self.buffer.open.words}
        old = [id for id in islice(taken, max(0, len(taken) - CORRECTABLE)) if id not in open_]
        left = {id: words for id, words in taken.items() if id not in set(old)}
        return replace(self, buffer=replace(self.buffer, taken=left), past=self.past | set(map(_mark, old)))


def _mark(id: str) -> str:
    return fingerprint(id, digits=12)
