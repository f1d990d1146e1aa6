"""An embedder with a cache of query vectors: many students ask the same questions (S5-20)."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from cachetools import TTLCache
from numpy.typing import NDArray

from chapterverse.core.hits import Vectors
from chapterverse.core.names import fingerprint
from chapterverse.core.ports import Embedder

MAX_QUERIES = 10_000  # 15 MB with MiniLM. Keys are digests, so no student's words are stored


@dataclass
class RememberedQueries:
    """An embedder over another one; query vectors stay in memory for so many seconds."""

    embedder: Embedder
    seconds: float = 300.0
    clock: Callable[[], float] = time.monotonic
    _cache: "TTLCache[str, NDArray[np.float32]]" = field(init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        self._cache = TTLCache(MAX_QUERIES, self.seconds, timer=self.clock)

    @property
    def model(self) -> str:
        return self.embedder.model

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_passages(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.embedder.count_tokens(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        keys = [fingerprint(text, digits=32) for text in texts]
        known = self._known(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            vectors = self.embedder.embed_queries(list(new.values()))
            known.update(zip(new, vectors, strict=True))
            with self._lock:
                self._cache.update((key, known[key]) for key in new)
        return np.stack([known[key] for key in keys]) if keys else self.embedder.embed_queries([])

    def _known(self, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        with self._lock:
            return {key: vector for key in keys if (vector := self._cache.get(key)) is not None}
