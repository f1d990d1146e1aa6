"""A query moved towards what it found first, for a second look."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chapterverse.model import Hit, Vectors
from chapterverse.retrieval.queries import EmbeddedQueries

FIRST = 3  # hits that are taken for good ones


def expanded(looked_up: EmbeddedQueries, candidates: Sequence[Sequence[Hit]], weight: float) -> EmbeddedQueries:
    """Each query's vector plus weight × the mean of its first hits', unit norm again: pseudo-relevance feedback by Rocchio's
    formula without its negative part (Rocchio 1971). candidates: of each query, best first; one without any stays as it is."""
    moved = [vector + weight * _mean(hits, vector) for vector, hits in zip(looked_up.vectors, candidates, strict=True)]
    rows = np.array(moved, np.float32).reshape(looked_up.vectors.shape)
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return replace(looked_up, vectors=np.asarray(rows / lengths, np.float32))


def _mean(hits: Sequence[Hit], query: Vectors) -> Vectors:
    vectors = [hit.vector for hit in hits[:FIRST]]
    return np.asarray(np.mean(vectors, axis=0) if vectors else np.zeros_like(query), np.float32)
