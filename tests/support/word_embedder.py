"""An embedder without a model: texts that share words are near one another."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from chapterverse.core.hits import Vectors

DIMENSIONS = 4096  # so many that words hardly share one
STOP_WORDS = {
    "a", "all", "an", "and", "are", "be", "he", "i", "in", "is", "it", "no", "not", "of", "or", "that", "the", "they", "to",
    "we",
}  # fmt: skip


@dataclass
class WordEmbedder:
    """A text is the sum of its words, each a direction of its own; calls holds what was asked, embedded that and what was to be
    found, call by call."""

    model: str = "words"
    dimensions: int = DIMENSIONS
    calls: list[list[str]] = field(default_factory=list)
    embedded: list[list[str]] = field(default_factory=list)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded.append(list(texts))
        return np.array([self._vector(text) for text in texts], np.float32).reshape(-1, DIMENSIONS)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return self.embed_passages(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """A word is a token."""
        return [len(text.split()) for text in texts]

    def _vector(self, text: str) -> Vectors:
        vector = np.full(DIMENSIONS, 1e-6, np.float32)
        for word in set(re.findall(r"\w+", text.lower())) - STOP_WORDS:
            vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1
        return np.asarray(vector / np.linalg.norm(vector), np.float32)
