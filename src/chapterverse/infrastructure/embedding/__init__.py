"""Embedding models. Here: the addresses of our own embedder, and vectors as it sends them."""

import base64

import numpy as np

from chapterverse.core.hits import Vectors

ONLINE, BULK = "/v1/embed", "/v1/embed/bulk"  # by priority
PREDICT = "/v1/predict"  # any of the others, as Vertex AI asks
TOKENS = "/v1/tokens"


def to_base64(vectors: Vectors) -> str:
    """Rows of (n, d) as base64 of little-endian float32."""
    return base64.b64encode(vectors.astype("<f4").tobytes()).decode()


def from_base64(text: str, dimensions: int) -> Vectors:
    """Vectors (n, d) from to_base64. Raises ValueError for other text."""
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4").reshape(-1, dimensions).astype(np.float32)
