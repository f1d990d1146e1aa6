"""Fits an embedding model to the thresholds of search, questions and lectures, which were chosen for all-MiniLM-L6-v2.

The cosines of many models lie close together: two sentences that have nothing in common have 0.8 in one and 0.1 in another. So
a share of the books' mean vector is taken away from every vector: as much as leaves the nearest wrong sentence as near as with
the reference. How near the right one then is, is measured and printed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from chapterverse.core.errors import BadRequest
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.evaluation.search import VariantCase
from chapterverse.infrastructure.embedding.local import LocalEmbedder, unit
from chapterverse.infrastructure.embedding.model_files import CENTRE
from chapterverse.search.plan import ESSAY_FEEDBACK

STEPS = 16  # of a bisection
REACHES = ESSAY_FEEDBACK.min_score


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of variants to their own sentence, and to the nearest other one of the book: medians, and the shares that reach
    the threshold of essays."""

    own: float
    other: float
    own_reaching: float
    other_reaching: float


@dataclass(frozen=True, slots=True)
class Embedded:
    """Variants and all sentences of a book. queries: (m, d), passages: (n, d), both of unit norm; places: (m,), of each
    variant's own sentence."""

    queries: Vectors
    passages: Vectors
    places: Sequence[int]

    @classmethod
    def by(cls, model: Embedder, sentences: Sequence[str], cases: Sequence[VariantCase]) -> Self:
        """The cases' full paraphrases, or half their words."""
        queries = model.embed_queries([case.level2 for case in cases])
        return cls(queries, model.embed_passages(sentences), [sentences.index(case.sentence) for case in cases])

    def without(self, centre: Vectors) -> "Embedded":
        """With the centre, (d,), taken away from each."""
        return replace(self, queries=unit(self.queries - centre), passages=unit(self.passages - centre))

    def nearness(self) -> Nearness:
        """By the cosines of these vectors."""
        cosines, rows = self.queries @ self.passages.T, np.arange(len(self.queries))
        own = cosines[rows, self.places].copy()
        cosines[rows, self.places] = -1.0
        other = cosines.max(axis=1)
        reaching = (float(np.mean(each >= REACHES)) for each in (own, other))
        return Nearness(float(np.median(own)), float(np.median(other)), *reaching)


def fit(
    model: Embedder, reference: Embedder, sentences: Sequence[str], cases: Sequence[VariantCase]
) -> tuple[Nearness, Nearness, Nearness]:
    """Write the centre into the folder of the model, and return the nearness with the model as it was, with its centre, and
    with the reference. sentences: of a book, those of the cases among them. Raises BadRequest for a model without a folder."""
    if not isinstance(model, LocalEmbedder) or not (folder := Path(model.name).expanduser()).is_dir():
        raise BadRequest("fit_needs_folder")
    wanted = Embedded.by(reference, sentences, cases).nearness()
    embedded = Embedded.by(replace(model, is_centred=False), sentences, cases)
    centre = centre_of(embedded, wanted.other)
    np.save(folder / CENTRE, centre)
    return embedded.nearness(), embedded.without(centre).nearness(), wanted


def centre_of(embedded: Embedded, other: float) -> Vectors:
    """(d,): the least share of the passages' mean without which the nearest other sentence is not nearer than this."""
    mean, low, high = embedded.passages.mean(axis=0), 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        is_near = embedded.without(middle * mean).nearness().other > other
        low, high = (middle, high) if is_near else (low, middle)
    centre: Vectors = (high * mean).astype(np.float32)
    return centre
