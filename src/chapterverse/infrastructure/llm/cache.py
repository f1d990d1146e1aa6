"""A re-ranker that judges no pair twice: an essay submitted again, or a query that several students have."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock

from cachetools import LRUCache

from chapterverse.core.ports import Reranker

MOST = 100_000  # pairs


@dataclass(frozen=True)
class RememberedReranker:
    """Reranker over another one, for many threads; of a pair only a digest is stored, so no words of a student's."""

    reranker: Reranker
    cache: LRUCache[bytes, float] = field(default_factory=lambda: LRUCache(MOST), repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def model(self) -> str:
        return self.reranker.model

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        """A pair that there was no time for is judged another time."""
        keys = [_digest(pair) for pair in pairs]
        with self.lock:
            found = [self.cache.get(key) for key in keys]
        missing = [place for place, score in enumerate(found) if score is None]
        if missing:
            for place, score in zip(missing, self.reranker.scores([pairs[place] for place in missing], deadline), strict=True):
                found[place] = score
            with self.lock:
                self.cache.update((keys[place], score) for place in missing if (score := found[place]) is not None)
        return found


def _digest(pair: tuple[str, str]) -> bytes:
    """Lengths keep ("a", "bc") and ("ab", "c") apart."""
    first, second = pair
    return sha256(f"{len(first)} {first}{second}".encode("utf-8", "surrogatepass")).digest()
