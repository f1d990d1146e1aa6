"""A better order for the candidates of each query: small parts of one shape, each with a weight, added to the cosine.

Parts look at meaning only, through stored vectors: no words are matched (S1) and nothing is embedded.

The contexts of book versions as artefacts: made when a book is added, read when somebody asks.

    {school}/{book}/{version}/context-{model}.npy    a record a sentence: id, hubness float32, surroundings (d,) float16

That is 0.8 kB a sentence with MiniLM. One array and no archive of three, whose checksums would take longer than reading it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Hit, Vectors
from chapterverse.library.contexts import BookContext, load_context
from chapterverse.library.model import VersionKey
from chapterverse.library.services import Services
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

Candidates = Sequence[Sequence[Hit]]

"""Hits of each query."""

Scores = NDArray[np.float32]

Part = Callable[[EmbeddedQueries, Candidates], list[Scores]]

"""What one way of looking says of every candidate: for each query (k,), higher is better."""

Rescore = Callable[[EmbeddedQueries, Candidates], list[list[Hit]]]

"""Candidates of each query in, best first by a better score than the index's out; plan.min_score is then one of that kind."""

Contexts = Mapping[str, BookContext]

"""By version."""


def as_found(_looked_up: EmbeddedQueries, candidates: Candidates) -> list[list[Hit]]:
    """No re-scoring: the index's cosine stands."""
    return [list(hits) for hits in candidates]


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """A Rescore: the cosine and what each part says, times its weight. A weight below 0 makes of praise a complaint."""

    parts: tuple[tuple[float, Part], ...]

    def __call__(self, looked_up: EmbeddedQueries, candidates: Candidates) -> list[list[Hit]]:
        totals = [np.array([hit.score for hit in hits], np.float32) for hits in candidates]
        for weight, part in self.parts:
            totals = [total + weight * said for total, said in zip(totals, part(looked_up, candidates), strict=True)]
        return [_best_first(hits, total) for hits, total in zip(candidates, totals, strict=True)]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A Part, in [-1, 1]: whether the candidate stands where the query's subject is being discussed."""

    contexts: Contexts

    def __call__(self, looked_up: EmbeddedQueries, candidates: Candidates) -> list[Scores]:
        return [self._around(hits, len(vector)) @ vector for vector, hits in zip(looked_up.vectors, candidates, strict=True)]

    def _around(self, hits: Sequence[Hit], dimensions: int) -> Vectors:
        found = [(self.contexts[hit.record.version], hit.record.id) for hit in hits]
        rows = [context.surroundings[context.rows[id]] for context, id in found]
        return np.array(rows, np.float32).reshape(len(hits), dimensions)


@dataclass(frozen=True, slots=True)
class Hubs:
    """A Part, in [-1, 1], whatever the query: how much else in its book says nearly what the candidate says."""

    contexts: Contexts

    def __call__(self, _looked_up: EmbeddedQueries, candidates: Candidates) -> list[Scores]:
        return [np.array([self._hubness(hit) for hit in hits], np.float32) for hits in candidates]

    def _hubness(self, hit: Hit) -> float:
        context = self.contexts[hit.record.version]
        return float(context.hubness[context.rows[hit.record.id]])


def _best_first(hits: Sequence[Hit], scores: Scores) -> list[Hit]:
    order = np.argsort(-scores, kind="stable")
    return [Hit(hits[i].record, float(scores[i]), hits[i].vector) for i in order]


def rescorer(plan: RetrievalPlan, keys: Iterable[VersionKey], services: Services) -> Rescore:
    """The re-scorers that have a weight in the plan, for candidates from these versions. Raises NotFound."""
    weights = (plan.surroundings, plan.hubs)
    contexts = {key.version: _recent_context(key, services) for key in keys} if any(weights) else {}
    parts: tuple[tuple[float, Part], ...] = ((plan.surroundings, Surroundings(contexts)), (-plan.hubs, Hubs(contexts)))
    return WeightedSum(tuple((weight, part) for weight, part in parts if weight))


def _recent_context(key: VersionKey, services: Services) -> BookContext:
    return services.recent.get(("context", key), lambda: load_context(services.bucket, key))
