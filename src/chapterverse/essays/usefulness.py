"""How likely a book's sentence is useful beside a student's paragraph, from vectors that the search has.

A logistic regression on their cosines, on the sentence's length and on its vector: what a sentence is about and how it is put
says whether it is a thought to take up or a mere detail. scripts/train/usefulness.py fits it to judged sentences, and writes
assets/usefulness. What it finds likely, the trained reader reads beside the paragraph, and may reject. Figures:
docs/quality.md."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Read

FOLDER = Path(__file__).parents[1] / "assets" / "usefulness"
WEIGHTS, CARD = "weights.npz", "card.json"
FEATURES = (
    "cosine of the paragraph",
    "best cosine of its queries",
    "mean cosine of its queries",
    "cosine of the paragraph with the text around",
    "best cosine of its queries with the text around",
    "hubness",
    "words",
    "logarithm of words",
)
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CandidateSignals:
    """n sentences. vectors, around: (n, d), of the sentence and of the text around it; hubness, words: (n,), the latter a count
    (library/artefacts.py)."""

    vectors: Vectors
    around: Vectors
    hubness: NDArray[np.float32]
    words: NDArray[np.int_]


def features(queries: Vectors, candidates: CandidateSignals) -> Numbers:
    """(n, len(FEATURES)). queries: (m, d), unit norm: the paragraph, then its key sentences."""
    near, near_around = queries @ candidates.vectors.T, queries @ candidates.around.T
    columns = (
        near[0],
        near.max(axis=0),
        near.mean(axis=0),
        near_around[0],
        near_around.max(axis=0),
        candidates.hubness,
        candidates.words,
        np.log1p(candidates.words),
    )
    return np.stack(columns, axis=1).astype(np.float64)


@dataclass(frozen=True)
class UsefulnessModel:
    """weights: (len(FEATURES),); prior: (d,), of the sentence's vector. model: the embedding model it was fitted to. threshold:
    the chance from which a sentence is shown, if `read` gives it a chance of at least `agreed`, or has no time for it."""

    weights: Numbers
    prior: Numbers
    bias: float
    model: str
    threshold: float
    agreed: float
    read: Read | None = None

    def chances(self, queries: Vectors, candidates: CandidateSignals) -> Numbers:
        """The chance that each candidate is useful beside the paragraph, (n,). queries: as for `features`."""
        odds = features(queries, candidates) @ self.weights + candidates.vectors @ self.prior + self.bias
        return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


@cache
def usefulness_model(read: Read | None = None, folder: Path = FOLDER) -> UsefulnessModel:
    """The fitted model. read: the trained reader's."""
    card = json.loads((folder / CARD).read_text("utf-8"))
    with np.load(folder / WEIGHTS, allow_pickle=False) as its:
        weights, prior, bias = (np.asarray(its[name], np.float64) for name in ("weights", "prior", "bias"))
    return UsefulnessModel(weights, prior, float(bias), card["model"], card["threshold"], card["agreed"], read)
