"""Many lists of hits, one a query, into one list of sentences (S1, "score fusion")."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from chapterverse.model import Found, FoundBy, Hit, Query, QueryKind, SentenceId

RRF_K = 60
EVERY_KIND_ALIKE: Mapping[QueryKind, float] = {}


class Fusion(StrEnum):
    """How the scores that several queries gave a sentence become one."""

    MAX = "max"
    SUM = "sum"
    RECIPROCAL_RANK = "reciprocal_rank"


Weights = Mapping[QueryKind, float]
"""How much a query of a kind counts; 1 for a kind that is not named."""


def best_score(found_by: Iterable[FoundBy], weights: Weights) -> float:
    """CombMAX (Fox & Shaw 1994, "Combination of multiple searches"): a second query adds nothing."""
    return max(_weight(one, weights) * one.score for one in found_by)


def sum_of_scores(found_by: Iterable[FoundBy], weights: Weights) -> float:
    """CombSUM (Fox & Shaw 1994): a sentence that several queries agree on rises."""
    return sum(_weight(one, weights) * one.score for one in found_by)


def reciprocal_rank(found_by: Iterable[FoundBy], weights: Weights) -> float:
    """Reciprocal rank fusion (Cormack, Clarke & Büttcher 2009): Σ 1/(60 + rank), ranks from 1 as in the paper; in (0, q/61]."""
    return sum(_weight(one, weights) / (RRF_K + one.rank) for one in found_by)


def _weight(found_by: FoundBy, weights: Weights) -> float:
    return weights.get(found_by.query.kind, 1.0)


FUSIONS: Mapping[Fusion, Callable[[Iterable[FoundBy], Weights], float]] = {
    Fusion.MAX: best_score,
    Fusion.SUM: sum_of_scores,
    Fusion.RECIPROCAL_RANK: reciprocal_rank,
}


def fuse(
    queries: Sequence[Query], hits: Sequence[Sequence[Hit]], fusion: Fusion, weights: Weights = EVERY_KIND_ALIKE
) -> list[Found]:
    """Every sentence once, with all queries that found it, best query first. hits: a list a query, each best first."""
    hit_of: dict[SentenceId, Hit] = {}
    found_by: dict[SentenceId, list[FoundBy]] = {}
    for query, its_hits in zip(queries, hits, strict=True):
        for rank, hit in enumerate(its_hits, start=1):
            hit_of.setdefault(hit.record.id, hit)
            found_by.setdefault(hit.record.id, []).append(FoundBy(query, hit.score, rank))
    score = FUSIONS[fusion]
    return [
        Found(hit.record, score(found_by[id_], weights), best_first(found_by[id_]), hit.vector) for id_, hit in hit_of.items()
    ]


def best_first(found_by: Iterable[FoundBy]) -> tuple[FoundBy, ...]:
    """Highest score first; of equal ones, the one that stands earlier in the essay."""
    return tuple(sorted(found_by, key=lambda one: -one.score))
