"""From queries to the sentences that bear on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chapterverse.model import Found, Hit, Partition, Query
from chapterverse.ports import VectorIndex
from chapterverse.retrieval.diversify import keep_diverse
from chapterverse.retrieval.fuse import fuse
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries
from chapterverse.retrieval.rank import cut_to, rank

Rescore = Callable[[Sequence[Query], list[list[Hit]]], list[list[Hit]]]
"""Candidates of each query in, best first by a better score than the index's out; plan.min_score is then one of that kind."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where to look: the book versions of one partition that may be seen."""

    partition: Partition
    versions: tuple[str, ...]


def as_found(_queries: Sequence[Query], candidates: list[list[Hit]]) -> list[list[Hit]]:
    """No re-scoring: the index's cosine stands."""
    return candidates


def retrieve(
    looked_up: EmbeddedQueries,
    shelf: Shelf,
    plan: RetrievalPlan,
    index: VectorIndex,
    rescore: Rescore = as_found,
) -> list[Found]:
    """The sentences of `shelf` that bear on the queries, best first; empty if none reaches plan.min_score (S1, "Retrieval
    method"). With plan.limit at the number of paragraphs, a paragraph none of them was found by has nothing in the books.

    One index call, however many queries. rescore: puts the candidates of each query into a better order.
    Raises IndexUnavailable, DimensionMismatch."""
    candidates = index.search(shelf.partition, looked_up.vectors, plan.candidates_per_query, books=shelf.versions)
    best = keep_relevant(rescore(looked_up.queries, candidates), plan)
    ranked = rank(fuse(looked_up.queries, best, plan.fusion))
    return cut_to(keep_diverse(ranked, plan.max_similarity), plan.limit)


def keep_relevant(hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> list[list[Hit]]:
    """Of each query its first plan.hits_per_query hits, and of those the ones that reach plan.min_score."""
    return [[hit for hit in its_hits[: plan.hits_per_query] if hit.score >= plan.min_score] for its_hits in hits]
