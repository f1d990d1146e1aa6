"""Which sentences say what a paragraph says: a score for each, from vectors that are there anyway.

Figures: docs/key-sentences.md."""

import numpy as np
from numpy.typing import NDArray

from chapterverse.model import Vectors

LATENESS = 0.05  # cosine that the last sentence of a paragraph loses to the first

Scores = NDArray[np.float64]
"""One a sentence of a paragraph, higher is better."""


def centrality(paragraph: Vectors, sentences: Vectors) -> Scores:
    """Nearness to the whole, early sentences before late ones, as in centroid summarisation (Radev et al. 2004).

    paragraph: (d,), sentences: (n, d), unit norm."""
    nearness = sentences @ paragraph - LATENESS * np.linspace(0, 1, len(sentences))
    return np.asarray(nearness, np.float64)


def best_of(scores: Scores, limit: int) -> list[int]:
    """Places, ascending, of so many sentences; the earlier of two that are equal."""
    return sorted(int(place) for place in np.argsort(-scores, kind="stable")[:limit])
