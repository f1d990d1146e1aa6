"""How often one key may call, and how many requests are answered at once. Both are counted in this process."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Lock

from werkzeug.wrappers import Response

from chapterverse.core.errors import Overloaded, RateLimited
from chapterverse.messages import message

MINUTE = 60.0

MOST_BUCKETS = 10_000

SOON = 2  # seconds; an answer takes about one


@dataclass
class RateLimit:
    """A bucket of tokens a key, filled evenly: a minute's calls at once, then as many as come back in the meantime. who: the
    subject of what those are told who are sent away."""

    per_minute: int
    clock: Callable[[], float] = time.monotonic
    who: str = "this_key"
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)  # tokens, and when that was
    _lock: Lock = field(default_factory=Lock)

    def take(self, key: str) -> None:
        """One call. Raises RateLimited, with the seconds until the next one may come."""
        with self._lock:
            now = self.clock()
            tokens, then = self._buckets.get(key, (float(self.per_minute), now))
            tokens = min(float(self.per_minute), tokens + (now - then) * self.per_minute / MINUTE)
            self._buckets[key] = (tokens - 1 if tokens >= 1 else tokens, now)
            self._forget_the_full(now)
        if tokens < 1:
            seconds = math.ceil((1 - tokens) * MINUTE / self.per_minute)
            raise RateLimited(
                "rate_limited", who=message(self.who), per_minute=self.per_minute, seconds=seconds, retry_after=seconds
            )

    def _forget_the_full(self, now: float) -> None:
        """A bucket that has filled up since is as good as none; where there are many, they go."""
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets = {key: held for key, held in self._buckets.items() if now - held[1] < MINUTE}


@dataclass
class Gate:
    """So many requests at once; who comes beyond that is sent away at once instead of waiting for an unknown time."""

    places: int
    _free: BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        self._free = BoundedSemaphore(self.places)

    def through(self, answer: Callable[[], Response]) -> Response:
        """The answer; its place is taken until it is made, to its last part. Raises Overloaded."""
        if not self._free.acquire(blocking=False):
            raise Overloaded("overloaded", max_requests=self.places, retry_after=SOON)
        try:
            response = answer()
        except BaseException:
            self._free.release()
            raise
        if response.is_streamed:
            response.call_on_close(self._free.release)
        else:
            self._free.release()
        return response


@dataclass(frozen=True)
class Pace:
    """How often one user may write to the help desk, and how often in one conversation."""

    user: RateLimit = field(default_factory=lambda: RateLimit(20, who="this_user"))
    conversation: RateLimit = field(default_factory=lambda: RateLimit(10, who="this_conversation"))

    def take(self, school: str, user: str, conversation: str) -> None:
        """One message. Raises RateLimited, with the seconds until the next one may come."""
        self.conversation.take(conversation)
        self.user.take(f"{school}/{user}")
