"""Rate limits per key, a limit on requests that are answered at once, and work that nobody waits for."""

import logging
import math
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Condition, Thread
from time import monotonic, sleep

from werkzeug.wrappers import Response

from chapterverse.core.errors import Overloaded, RateLimited
from chapterverse.core.ports import TokenBuckets
from chapterverse.messages import message

RETRY_SECONDS = 2  # a response takes about one


@dataclass(frozen=True)
class RateLimit:
    """Calls per minute of one key: a minute's calls at once, then as many as come back evenly in the meantime.

    name: tells this limit's buckets from those of other limits in the same store. who: id of the message that names the
    subject in the refusal ("this key")."""

    per_minute: int
    buckets: TokenBuckets
    name: str = "requests"
    who: str = "this_key"

    def take(self, key: str) -> None:
        """Count one call. Raises RateLimited, with the seconds until the next call is allowed; CatalogUnavailable."""
        if wait := self.buckets.take(f"{self.name}/{key}", self.per_minute):
            seconds = math.ceil(round(wait, 3))
            raise RateLimited(
                "rate_limited", who=message(self.who), per_minute=self.per_minute, seconds=seconds, retry_after=seconds
            )


ACTIVE_SECONDS = 60.0  # that a caller counts as present after a request


class Gate:
    """Limits the requests that run at once, by school and then by person, so that no school and nobody in it takes all places.

    A caller may always hold a share: the places divided by the schools present, and that by the school's people present. Who
    holds it already is let in only while a quarter is free, or alone; others wait so many seconds for a place. full: answers
    who gets none."""

    def __init__(
        self, places: int, wait: float = 0.0, full: Callable[[], Response] | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._places, self._wait, self._full, self._clock = places, wait, full, clock
        self._held: Counter[tuple[str, str]] = Counter()
        self._seen: dict[tuple[str, str], float] = {}
        self._waiting = 0
        self._changed = Condition()

    def through(self, answer: Callable[[], Response], school: str = "", person: str = "") -> Response:
        """The response; it counts until its last part is sent. Raises Overloaded, or answers by `full`."""
        caller = school, person
        with self._changed:
            self._seen[caller] = self._clock()
            may_wait = self._is_below_share(caller) and self._waiting < self._places
            self._waiting += 1
            let_in = self._changed.wait_for(lambda: self._has_place(caller), self._wait if may_wait else 0.0)
            self._waiting -= 1
            if let_in:
                self._held[caller] += 1
        if let_in:
            with ExitStack() as leaving:
                leaving.callback(self._leave, caller)
                response = answer()
                if response.is_streamed:
                    response.call_on_close(leaving.pop_all().close)
                return response
        if self._full:
            return self._full()
        raise Overloaded("overloaded", max_requests=self._places, retry_after=RETRY_SECONDS)

    def _leave(self, caller: tuple[str, str]) -> None:
        with self._changed:
            self._held -= Counter([caller])  # drops who holds nothing
            self._changed.notify_all()

    def _has_place(self, caller: tuple[str, str]) -> bool:
        free = self._places - self._held.total()
        return free > 0 and (self._is_below_share(caller) or free > self._places // 4)

    def _is_below_share(self, caller: tuple[str, str]) -> bool:
        """Whether caller and school hold less than their shares."""
        now, school = self._clock(), caller[0]
        self._seen = {each: when for each, when in self._seen.items() if now - when <= ACTIVE_SECONDS or self._held[each]}
        schools, people = {each[0] for each in self._seen}, sum(each[0] == school for each in self._seen)
        share = max(1, self._places // max(1, len(schools)))
        own = sum(held for each, held in self._held.items() if each[0] == school)
        return own < share and self._held[caller] < max(1, share // max(1, people))


EVEN_SECONDS = 2.0  # a mail server takes less
log = logging.getLogger(__name__)
Work = Callable[[], None]


AFTER_SECONDS = 0.1  # that work waits, so that it does not slow the response down, which would tell of it


def in_background() -> Callable[[Work], None]:
    """A function that hands work to other threads and returns at once."""
    pool = ThreadPoolExecutor(2, thread_name_prefix="later")

    def do(work: Work) -> None:
        sleep(AFTER_SECONDS)
        quietly(work)

    def later(work: Work) -> None:
        pool.submit(do, work)

    return later


def evenly(work: Work) -> None:
    """Do the work on another thread, and return after the same time whatever it does: for platforms where threads stop between
    requests."""
    Thread(target=quietly, args=(work,), daemon=True).start()
    sleep(EVEN_SECONDS)


def quietly(work: Work) -> None:
    """Do the work. Of an error only its kind is logged: nobody waits for it."""
    try:
        work()
    except Exception as error:
        log.warning("work was not done: %s", type(error).__name__)
