"""What those who follow a lecture are sent. All listeners of a process share what the database announces (PostgreSQL) and its
looks at the catalogue: without announcements one a second for all lectures together, and one sooner after this process has
stored something."""

import logging
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Condition, Lock, Thread
from time import monotonic
from uuid import UUID

from chapterverse.core.errors import CatalogUnavailable
from chapterverse.lectures.model import WindowResult
from chapterverse.lectures.store import Announced, LectureNews, SqlLectures

log = logging.getLogger(__name__)
POLL_SECONDS = 1.0  # between two looks for results of other processes, where none are announced
SURE_SECONDS = 30.0  # between two looks where they are
SOON_SECONDS = 0.5  # between two looks while this process stores results
FORGOTTEN_SECONDS = 60.0  # after which a lecture that nobody asks for is looked at no more
MAX_RESULTS = 100  # newest results of a lecture in memory; a listener who is further behind reads the catalogue


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
    _changes: int = 0
    _stale: bool = False  # whether the catalogue has what was not announced
    _polled: float = float("-inf")
    _hears: bool = False
    _hearing: Thread = field(default_factory=Thread)

    def notify(self) -> None:
        """Wake all who wait: this process has stored something."""
        if not self._hears:
            self._wake(stale=True)

    def _wake(self, *, stale: bool) -> None:
        with self._changed:
            self._stale |= stale
            self._changes += 1
            self._changed.notify_all()

    def wait(self) -> None:
        """Until something may be new, at most POLL_SECONDS."""
        with self._changed:
            changes = self._changes
            if self._changed.wait_for(lambda: self._changes > changes, POLL_SECONDS) and self._stale:
                self._changed.wait_for(lambda: False, max(0.0, self._polled + SOON_SECONDS - self.clock()))

    def since(self, session: UUID, after: int) -> LectureNews:
        """Results of a lecture with a higher number, as of the last look. Raises CatalogUnavailable."""
        with self._poll_lock:
            now = self.clock()
            followed = self._followed.get(session)
            if followed is None or followed.after > after:
                followed = _Followed(after, now)
                self._look({session: followed})
                self._followed.setdefault(session, followed)
            followed.asked = now
            if now >= self._polled + (SOON_SECONDS if self._stale else SURE_SECONDS if self._hears else POLL_SECONDS):
                self._polled, self._stale = now, False
                if self.store.announces and not self._hearing.is_alive():
                    self._hearing = Thread(target=self._hear, name="lectures", daemon=True)
                    self._hearing.start()
                self._followed = {id: each for id, each in self._followed.items() if each.asked > now - FORGOTTEN_SECONDS}
                self._look(self._followed)
            first = bisect_right([number for number, _ in followed.results], after)
            windows = followed.results[first:]
            if len(followed.results) > MAX_RESULTS:
                followed.after = followed.results[-MAX_RESULTS - 1][0]
                del followed.results[:-MAX_RESULTS]
            return LectureNews(windows, windows[-1][0] if windows else after, followed.ended)

    def _hear(self) -> None:
        """Take what is announced, until nobody follows a lecture any more or the connection is lost."""
        try:
            for news in self.store.announced():
                with self._poll_lock:
                    if not any(each.asked > self.clock() - FORGOTTEN_SECONDS for each in self._followed.values()):
                        break
                    self._take(news)
        except CatalogUnavailable:
            log.warning("what is new in lectures is looked for each second, not announced")
        finally:
            self._hears = False

    def _take(self, news: Announced | None) -> None:
        if news is None:
            if not self._hears:
                self._hears = True
                self._wake(stale=True)  # for what was stored since the last look
            return
        id, number, result = news
        followed = self._followed.get(id)
        if followed and (result is None or number > followed.last):
            followed.results += [] if result is None else [(number, result)]
            self._wake(stale=result is None)

    def _look(self, chosen: Mapping[UUID, _Followed]) -> None:
        for id, news in self.store.news({id: each.last for id, each in chosen.items()}).items():
            chosen[id].ended = news.ended
            chosen[id].results += news.results
