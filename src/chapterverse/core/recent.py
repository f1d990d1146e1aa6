"""A cache in memory for artefacts of book versions. Versions never change, so entries never become stale."""

from collections.abc import Callable, Hashable
from contextlib import suppress
from threading import Lock
from typing import Any, Protocol, TypeVar

from cachetools import LRUCache

MEMORY_BYTES = 512 * 2**20  # of books, in memory between essays


class Sized(Protocol):
    """What knows how much memory it takes."""

    @property
    def nbytes(self) -> int:
        """Bytes, about."""


Held = TypeVar("Held", bound=Sized)


class Recent:
    """Up to `most` bytes of what was asked for last; safe for threads. One object serves all of a process.

    A key names the kind of thing, too: ("context", version key). What is larger than `most` is read each time."""

    def __init__(self, most: int = MEMORY_BYTES) -> None:
        self._cache: LRUCache[Hashable, Any] = LRUCache(most, getsizeof=lambda held: held.nbytes)
        self._lock = Lock()

    def get(self, key: Hashable, read: Callable[[], Held]) -> Held:
        """What is held under the key, else what `read` gives. Two that ask at the same time may both read; that is harmless."""
        with self._lock:
            if key in self._cache:
                found: Held = self._cache[key]
                return found
        value = read()
        with self._lock, suppress(ValueError):  # larger than the whole cache
            self._cache[key] = value
        return value

    def forget(self, key: Hashable) -> None:
        """The next to ask reads anew."""
        with self._lock:
            self._cache.pop(key, None)

    @property
    def nbytes(self) -> int:
        """Bytes held, about."""
        return int(self._cache.currsize)
