"""An embedder that does nothing until a test lets it, and says what it was given."""

from collections.abc import Sequence
from queue import Queue
from threading import Semaphore

import numpy as np

from chapterverse.core.hits import Vectors

WITHIN = 60  # seconds; only a test that fails waits so long


class GatedEmbedder:
    """The vector of a text is its length and whether it is a query, so no two texts of different length share one.

    Each call is put into `calls`, and waits there for `let_through`. A text with "poison" in it cannot be embedded."""

    model, dimensions = "gated", 2

    def __init__(self) -> None:
        self.calls: Queue[list[str]] = Queue()
        self._gate = Semaphore(0)

    def let_through(self, calls: int = 1) -> None:
        self._gate.release(calls)

    def next_call(self) -> list[str]:
        """Wait for the model to be called; the texts it is called with."""
        return self.calls.get(timeout=WITHIN)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, 0)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, 1)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def _embed(self, texts: Sequence[str], kind: int) -> Vectors:
        self.calls.put(list(texts))
        assert self._gate.acquire(timeout=WITHIN)
        if any("poison" in text for text in texts):
            raise ValueError("poison")
        return np.array([[len(text), kind] for text in texts], np.float32).reshape(-1, 2)
