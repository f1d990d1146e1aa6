"""What was read lately, kept in memory: versions of books never change, so nothing of them goes stale."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Protocol, TypeVar

MEMORY_BYTES = 512 * 2**20  # of books, in memory between essays


class Sized(Protocol):
    """What knows how much memory it takes."""

    @property
    def nbytes(self) -> int:
        """Bytes, about."""


Held = TypeVar("Held", bound=Sized)


class Recent:
    """Up to `most` bytes of what was asked for last; safe for threads. One object serves all of a process.

    A key says what kind of thing it stands for, too: ("context", version key)."""

    def __init__(self, most: int = MEMORY_BYTES) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, read: Callable[[], Held]) -> Held:
        """What is held under the key, else what `read` gives. Two that ask at the same time may both read; that is harmless."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                found: Held = self._held[key]
                return found
        value = read()
        self._keep(key, value)
        return value

    def forget(self, key: Hashable) -> None:
        """The next to ask reads anew."""
        with self._lock:
            self._held.pop(key, None)

    @property
    def nbytes(self) -> int:
        """Bytes held, about."""
        return sum(held.nbytes for held in self._held.values())

    def _keep(self, key: Hashable, value: Sized) -> None:
        """The oldest go where there is no room; what is larger than all the room is not kept."""
        with self._lock:
            self._held[key] = value
            self._held.move_to_end(key)
            while self.nbytes > self._most:
                self._held.popitem(last=False)
