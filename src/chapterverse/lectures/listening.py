"""What those who follow a lecture are sent. All listeners of a process share its looks at the catalogue: at most one each
POLL_SECONDS for all lectures together, so that any number of processes can find and show results."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from uuid import UUID

from chapterverse.lectures.model import WindowResult
from chapterverse.lectures.store import LectureNews, SqlLectures

POLL_SECONDS = 0.5  # between two looks
FORGOTTEN_SECONDS = 60.0  # after which a lecture that nobody asks for is looked at no more


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
    _lock: Lock = field(default_factory=Lock)
    _polled: float = float("-inf")

    def since(self, session: UUID, after: int) -> LectureNews:
        """Results of a lecture with a higher number, as of the last look. Raises CatalogUnavailable."""
        with self._lock:
            now = self.clock()
            followed = self._followed.get(session)
            if followed is None or followed.after > after:
                followed = _Followed(after, now)
                self._look({session: followed})
                self._followed.setdefault(session, followed)
            followed.asked = now
            if now >= self._polled + POLL_SECONDS:
                self._polled = now
                self._followed = {id: each for id, each in self._followed.items() if each.asked > now - FORGOTTEN_SECONDS}
                self._look(self._followed)
            windows = followed.results[bisect_right([number for number, _ in followed.results], after) :]
            return LectureNews(windows, windows[-1][0] if windows else after, followed.ended)

    def _look(self, chosen: Mapping[UUID, _Followed]) -> None:
        for id, news in self.store.news({id: each.last for id, each in chosen.items()}).items():
            chosen[id].ended = news.ended
            chosen[id].results += news.results
