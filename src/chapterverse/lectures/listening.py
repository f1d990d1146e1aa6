"""What those who follow a lecture are sent. All listeners of a process share its looks at the catalogue: one a second for all
lectures together, and one sooner after this process has stored something."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Condition, Lock
from time import monotonic
from uuid import UUID

from pydantic import TypeAdapter

from chapterverse.lectures.model import WindowResult
from chapterverse.lectures.store import LectureNews, SqlLectures
from chapterverse.lectures.windows import Stream

POLL_SECONDS = 1.0  # between two looks for results of other processes
SOON_SECONDS = 0.5  # between two looks while this process stores results
FORGOTTEN_SECONDS = 60.0  # after which a lecture that nobody asks for is looked at no more
STREAM = TypeAdapter(Stream)
MAX_RESULTS = 100  # newest results of a lecture in memory; a listener who is further behind reads the catalogue


@dataclass(frozen=True, slots=True)
class NewResults:
    """Results without spoken words, each with its number; last: the highest number, or the one asked for if there are none;
    ended: speech has ended and all windows were searched."""

    windows: Sequence[tuple[int, WindowResult]]
    last: int
    ended: bool


def has_ended(news: LectureNews) -> bool:
    """Whether speech has ended and all its windows were searched."""
    return bool(news.ended) and news.newest >= STREAM.validate_json(news.ended).windows - 1


@dataclass
class _Followed:
    """A lecture that somebody follows. after: the number that the results begin behind; asked: when somebody last asked."""

    after: int
    asked: float
    ended: bool = False
    results: list[tuple[int, WindowResult]] = field(default_factory=list)

    @property
    def last(self) -> int:
        return self.results[-1][0] if self.results else self.after


@dataclass
class Listeners:
    """The results that listeners of this process wait for. Safe for threads."""

    store: SqlLectures
    clock: Callable[[], float] = monotonic
    _followed: dict[UUID, _Followed] = field(default_factory=dict)
    _poll_lock: Lock = field(default_factory=Lock)
    _changed: Condition = field(default_factory=Condition)
    _announced: int = 0
    _polled: tuple[float, int] = (float("-inf"), 0)  # when, and how often notify was called until then

    def notify(self) -> None:
        """Wake all who wait: this process has stored something."""
        with self._changed:
            self._announced += 1
            self._changed.notify_all()

    def wait(self) -> None:
        """Until something may be new, at most POLL_SECONDS."""
        with self._changed:
            announced = self._announced
            if self._changed.wait_for(lambda: self._announced > announced, POLL_SECONDS):
                self._changed.wait_for(lambda: False, max(0.0, self._polled[0] + SOON_SECONDS - self.clock()))

    def since(self, session: UUID, after: int) -> NewResults:
        """Results of a lecture with a higher number, as of the last look. Raises CatalogUnavailable."""
        with self._poll_lock:
            now = self.clock()
            followed = self._followed.get(session)
            if followed is None or followed.after > after:
                followed = _Followed(after, now)
                self._look({session: followed})
                self._followed.setdefault(session, followed)
            followed.asked = now
            if now >= self._polled[0] + (SOON_SECONDS if self._announced > self._polled[1] else POLL_SECONDS):
                self._polled = now, self._announced
                self._followed = {id: each for id, each in self._followed.items() if each.asked > now - FORGOTTEN_SECONDS}
                self._look(self._followed)
            first = bisect_right([number for number, _ in followed.results], after)
            windows = followed.results[first:]
            if len(followed.results) > MAX_RESULTS:
                followed.after = followed.results[-MAX_RESULTS - 1][0]
                del followed.results[:-MAX_RESULTS]
            return NewResults(windows, windows[-1][0] if windows else after, followed.ended)

    def _look(self, chosen: Mapping[UUID, _Followed]) -> None:
        for id, news in self.store.news({id: each.last for id, each in chosen.items()}).items():
            chosen[id].ended = has_ended(news)
            chosen[id].results += news.results
