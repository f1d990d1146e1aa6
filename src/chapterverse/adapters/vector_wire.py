"""Vectors as text: base64 of little-endian float32, row after row, as our embedder and OpenAI's interface send them."""

import base64
import binascii

import numpy as np

from chapterverse.model import Vectors


def to_base64(vectors: Vectors) -> str:
    """The rows of (n, d), one behind the other."""
    return base64.b64encode(vectors.astype("<f4").tobytes()).decode()


def from_base64(text: str, dimensions: int) -> Vectors:
    """(n, d). Raises ValueError where the text is not that of whole rows."""
    try:
        numbers = np.frombuffer(base64.b64decode(text, validate=True), "<f4")
    except binascii.Error as error:  # a ValueError, too, but it quotes nothing of use
        raise ValueError("not base64") from error
    return numbers.reshape(-1, dimensions).astype(np.float32)
