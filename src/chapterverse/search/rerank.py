"""A better score for the candidates of each query: the cosine plus weighted signals from the book's own vectors.

No words are matched (S1-16) and nothing is embedded."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Hit, Vectors
from chapterverse.library.contexts import BookContext, load_context
from chapterverse.library.model import VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import Candidates, EmbeddedQueries, RetrievalPlan

Scores = NDArray[np.float32]

Signal = Callable[[EmbeddedQueries, Candidates], list[Scores]]
"""One score for every candidate: for each query (k,), higher is better."""

Rescore = Callable[[EmbeddedQueries, Candidates], list[list[Hit]]]
"""Puts the candidates of each query in the order of a better score; plan.min_score is then on the scale of that score."""


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """A Rescore: the cosine and each signal times its weight. A negative weight is a penalty; no signals, no change."""

    signals: tuple[tuple[float, Signal], ...]

    def __call__(self, queries: EmbeddedQueries, candidates: Candidates) -> list[list[Hit]]:
        if not self.signals:
            return [list(hits) for hits in candidates]
        totals = [np.array([hit.score for hit in hits], np.float32) for hits in candidates]
        for weight, signal in self.signals:
            totals = [total + weight * score for total, score in zip(totals, signal(queries, candidates), strict=True)]
        return [_best_first(hits, total) for hits, total in zip(candidates, totals, strict=True)]


def _best_first(hits: Sequence[Hit], scores: Scores) -> list[Hit]:
    order = np.argsort(-scores, kind="stable")
    return [Hit(hits[i].record, float(scores[i]), hits[i].vector) for i in order]


@dataclass(frozen=True, slots=True)
class ContextSimilarity:
    """A Signal in [-1, 1]: cosine of the query with the candidate's surrounding text. contexts: by version."""

    contexts: Mapping[str, BookContext]

    def __call__(self, queries: EmbeddedQueries, candidates: Candidates) -> list[Scores]:
        return [self._around(hits, len(vector)) @ vector for vector, hits in zip(queries.vectors, candidates, strict=True)]

    def _around(self, hits: Sequence[Hit], dimensions: int) -> Vectors:
        found = [(self.contexts[hit.record.version], hit.record.id) for hit in hits]
        rows = [context.directions[context.rows[id]] for context, id in found]
        return np.array(rows, np.float32).reshape(len(hits), dimensions)


@dataclass(frozen=True, slots=True)
class Hubness:
    """A Signal in [-1, 1]: how much of its book says nearly the same as the candidate; the same for every query. contexts: by
    version."""

    contexts: Mapping[str, BookContext]

    def __call__(self, _queries: EmbeddedQueries, candidates: Candidates) -> list[Scores]:
        return [np.array([self._hubness(hit) for hit in hits], np.float32) for hits in candidates]

    def _hubness(self, hit: Hit) -> float:
        context = self.contexts[hit.record.version]
        return float(context.hubness[context.rows[hit.record.id]])


def rescorer(plan: RetrievalPlan, keys: Iterable[VersionKey], services: CollectionServices) -> Rescore:
    """The signals that have a weight in the plan, for candidates from these versions. Raises NotFound."""
    weights = (plan.context_weight, plan.hubness_penalty)
    contexts = {key.version: recent_context(key, services) for key in keys} if any(weights) else {}
    signals: tuple[tuple[float, Signal], ...] = (
        (plan.context_weight, ContextSimilarity(contexts)),
        (-plan.hubness_penalty, Hubness(contexts)),
    )
    return WeightedSum(tuple((weight, signal) for weight, signal in signals if weight))


def recent_context(key: VersionKey, services: CollectionServices) -> BookContext:
    """The context of a version, from the cache if it was read lately. Raises NotFound."""
    return services.recent.get(("context", key), lambda: load_context(services.bucket, key))


def logistic(logit: float) -> float:
    """The logistic function: the chance in [0, 1] with these logarithmic odds."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))
