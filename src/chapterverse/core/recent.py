"""What is made once: a cache in memory for artefacts of book versions, which never change, so that entries never become stale;
and properties that are computed without a lock."""

import functools
from collections.abc import Callable, Hashable
from contextlib import suppress
from operator import attrgetter, itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from cachetools import LRUCache

MEMORY_BYTES = 512 * 2**20


Value = TypeVar("Value")


class Recent:
    """The values used last, up to max_bytes; safe for threads. One object serves a whole process.

    A key contains the kind of value: ("context", version key). A value larger than max_bytes is read each time."""

    def __init__(self, max_bytes: int = MEMORY_BYTES) -> None:
        self._cache: LRUCache[Hashable, tuple[Any, int]] = LRUCache(max_bytes, getsizeof=itemgetter(1))
        self._lock = Lock()

    def find(self, key: Hashable) -> Any:
        """The cached value; None if it is not here."""
        with self._lock:
            return self._cache.get(key, (None, 0))[0]

    def get(self, key: Hashable, read: Callable[[], Value], size: Callable[[Value], int] = attrgetter("nbytes")) -> Value:
        """The cached value, else the one that `read` returns. size: approximate bytes of a value in memory. Two threads may
        read the same value at once, which is harmless."""
        found: Value | None = self.find(key)
        if found is not None:
            return found
        value = read()
        with self._lock, suppress(ValueError):  # larger than the whole cache
            self._cache[key] = value, size(value)
        return value

    def forget(self, key: Hashable) -> None:
        with self._lock:
            self._cache.pop(key, None)

    @property
    def nbytes(self) -> int:
        """Approximate bytes in the cache."""
        return int(self._cache.currsize)


T = TypeVar("T")


class lazy(functools.cached_property[T]):  # noqa: N801  # read as the decorator that it is
    """As functools.cached_property, for what belongs to one request. That one, up to Python 3.11, has a lock for all instances
    of a class: while one request computes the property, those of other schools wait, also if it pauses to let them go first.
    Threads that share an instance may compute it twice."""

    if not TYPE_CHECKING:  # the types are those of functools

        def __get__(self, instance: object, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value
