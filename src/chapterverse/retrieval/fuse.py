"""Many lists of hits, one a query, into one list of sentences (S1, "score fusion")."""

from collections.abc import Iterable, Mapping, Sequence

from chapterverse.model import Found, FoundBy, Hit, Query, QueryKind, SentenceId

EVERY_KIND_ALIKE: Mapping[QueryKind, float] = {}

Weights = Mapping[QueryKind, float]
"""How much a query of a kind counts; 1 for a kind that is not named."""


def best_score(found_by: Iterable[FoundBy], weights: Weights) -> float:
    """CombMAX (Fox & Shaw 1994, "Combination of multiple searches"): a second query adds nothing."""
    return max(weights.get(one.query.kind, 1.0) * one.score for one in found_by)


def fuse(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], weights: Weights = EVERY_KIND_ALIKE) -> list[Found]:
    """Every sentence once, with all queries that found it, best query first. hits: a list a query, each best first."""
    hit_of: dict[SentenceId, Hit] = {}
    found_by: dict[SentenceId, list[FoundBy]] = {}
    for query, its_hits in zip(queries, hits, strict=True):
        for rank, hit in enumerate(its_hits, start=1):
            hit_of.setdefault(hit.record.id, hit)
            found_by.setdefault(hit.record.id, []).append(FoundBy(query, hit.score, rank))
    return [
        Found(hit.record, best_score(found_by[id_], weights), best_first(found_by[id_]), hit.vector)
        for id_, hit in hit_of.items()
    ]


def best_first(found_by: Iterable[FoundBy]) -> tuple[FoundBy, ...]:
    """Highest score first; of equal ones, the one that stands earlier in the essay."""
    return tuple(sorted(found_by, key=lambda one: -one.score))
