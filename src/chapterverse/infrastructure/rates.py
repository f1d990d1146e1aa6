"""Token buckets in this process's memory, for an installation of one process."""

import time
from collections.abc import Callable
from threading import Lock

MINUTE = 60.0  # seconds in which an empty bucket fills up
MAX_BUCKETS = 10_000  # beyond this, full buckets are dropped: a missing bucket counts as full


class MemoryTokenBuckets:
    """TokenBuckets of one process; safe for threads. clock: seconds, never going back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._full_at: dict[str, float] = {}  # when each bucket is full again

    def take(self, key: str, per_minute: int) -> float:
        token = MINUTE / per_minute
        with self._lock:
            now = self._clock()
            full_at = max(self._full_at.get(key, now), now) + token
            wait = full_at - now - MINUTE
            if wait > token / 1000:  # the sum of 1/n, n times, is not quite 1
                return wait
            self._full_at[key] = full_at
            if len(self._full_at) > MAX_BUCKETS:
                self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
            return 0.0
