"""Keywords by KeyBERT (extra `lecture`), on vectors of our own embedder: it loads no model and needs no torch."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from keybert import KeyBERT
from keybert.backend import BaseEmbedder

from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.lectures.queries import Weighed

PAIRS = (1, 2)  # words of a keyword (S3)


class EmbedderBackend(BaseEmbedder):  # type: ignore[misc]  # keybert has no types
    """Our embedder as KeyBERT knows them."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(embedding_model=embedder)

    def embed(self, documents: Sequence[str], verbose: bool = False) -> Vectors:  # noqa: ARG002  # KeyBERT's signature
        """(n, d), a row a text."""
        vectors: Vectors = self.embedding_model.embed_passages([str(text) for text in documents])
        return vectors


@dataclass(frozen=True)
class KeyBertKeywords:
    """usecases.lectures.enrich.Choose. KeyBERT is told the vectors: they were made together with other windows', and most were
    known already. Called with a text alone, it asks for all of them, which takes too long (scripts/bench/keywords.py)."""

    embedder: Embedder
    _keybert: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_keybert", KeyBERT(EmbedderBackend(self.embedder)))

    def __call__(self, weighed: Weighed, most: int, diversity: float) -> list[str]:
        how = {"keyphrase_ngram_range": PAIRS, "stop_words": None, "use_mmr": True, "diversity": diversity, "top_n": most}
        known = {"doc_embeddings": weighed.whole[np.newaxis], "word_embeddings": weighed.vectors}
        candidates = list(weighed.candidates)
        return [words for words, _ in self._keybert.extract_keywords(weighed.text, candidates=candidates, **how, **known)]
