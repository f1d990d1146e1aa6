"""Keywords chosen by KeyBERT (extra `lecture`) on vectors of our own embedder: it loads no model and needs no torch."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from keybert import KeyBERT
from keybert.backend import BaseEmbedder

from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.lectures.queries import Choose, Weighed

KEYWORD_LENGTHS = (1, 2)  # words of a keyword (S3)


def keybert_backend(embedder: Embedder) -> Any:
    """Our embedder as a backend of KeyBERT (extra `lecture`)."""

    class Backend(BaseEmbedder):  # type: ignore[misc]  # keybert has no types
        def embed(self, documents: Sequence[str], verbose: bool = False) -> Vectors:  # noqa: ARG002  # KeyBERT's signature
            """(n, d), one row per text."""
            vectors: Vectors = self.embedding_model.embed_passages([str(text) for text in documents])
            return vectors

    return Backend(embedding_model=embedder)


def keybert_chooser(embedder: Embedder) -> Choose:
    """A Choose by KeyBERT. It gets the vectors, which are mostly cached; without them it would embed each candidate, which
    takes too long."""
    keybert = KeyBERT(keybert_backend(embedder))

    def choose(weighed: Weighed, limit: int, diversity: float) -> list[str]:
        options = {
            "keyphrase_ngram_range": KEYWORD_LENGTHS,
            "stop_words": None,
            "use_mmr": True,
            "diversity": diversity,
            "top_n": limit,
        }
        known = {"doc_embeddings": weighed.whole[np.newaxis], "word_embeddings": weighed.vectors}
        candidates = list(weighed.candidates)
        return [words for words, _ in keybert.extract_keywords(weighed.text, candidates=candidates, **options, **known)]

    return choose
