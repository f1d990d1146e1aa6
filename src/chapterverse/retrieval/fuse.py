"""Many lists of hits, one a query, into one list of sentences (S1, "score fusion")."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from chapterverse.model import Found, FoundBy, Hit, Query, SentenceId

RRF_K = 60


class Fusion(StrEnum):
    """How the scores that several queries gave a sentence become one."""

    MAX = "max"
    SUM = "sum"
    RECIPROCAL_RANK = "reciprocal_rank"


def best_score(found_by: Iterable[FoundBy]) -> float:
    """CombMAX (Fox & Shaw 1994, "Combination of multiple searches"): in [-1, 1]; a second query adds nothing."""
    return max(one.score for one in found_by)


def sum_of_scores(found_by: Iterable[FoundBy]) -> float:
    """CombSUM (Fox & Shaw 1994): in [-q, q] for q queries; a sentence that several queries agree on rises."""
    return sum(one.score for one in found_by)


def reciprocal_rank(found_by: Iterable[FoundBy]) -> float:
    """Reciprocal rank fusion (Cormack, Clarke & Büttcher 2009): Σ 1/(60 + rank), ranks from 1 as in the paper; in (0, q/61]."""
    return sum(1 / (RRF_K + one.rank) for one in found_by)


FUSIONS: Mapping[Fusion, Callable[[Iterable[FoundBy]], float]] = {
    Fusion.MAX: best_score,
    Fusion.SUM: sum_of_scores,
    Fusion.RECIPROCAL_RANK: reciprocal_rank,
}


def fuse(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], fusion: Fusion) -> list[Found]:
    """Every sentence once, with all queries that found it, best query first. hits: a list a query, each best first."""
    hit_of: dict[SentenceId, Hit] = {}
    found_by: dict[SentenceId, list[FoundBy]] = {}
    for query, its_hits in zip(queries, hits, strict=True):
        for rank, hit in enumerate(its_hits, start=1):
            hit_of.setdefault(hit.record.id, hit)
            found_by.setdefault(hit.record.id, []).append(FoundBy(query, hit.score, rank))
    score = FUSIONS[fusion]
    return [Found(hit.record, score(found_by[id_]), best_first(found_by[id_]), hit.vector) for id_, hit in hit_of.items()]


def best_first(found_by: Iterable[FoundBy]) -> tuple[FoundBy, ...]:
    """Highest cosine first; of equal ones, the one that stands earlier in the essay."""
    return tuple(sorted(found_by, key=lambda one: -one.score))
