"""From queries to the sentences that bear on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from chapterverse.model import Found, Hit, Partition, Query
from chapterverse.ports import LexicalIndex, VectorIndex
from chapterverse.retrieval.diversify import keep_diverse
from chapterverse.retrieval.fuse import fuse
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries
from chapterverse.retrieval.rank import cut_to, rank
from chapterverse.retrieval.rescore import Rescore, as_found
from chapterverse.retrieval.support import support
from chapterverse.retrieval.words import find_words, stored_hits, with_words


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where to look: the book versions of one partition that may be seen."""

    partition: Partition
    versions: tuple[str, ...]


def retrieve(
    looked_up: EmbeddedQueries,
    shelf: Shelf,
    plan: RetrievalPlan,
    index: VectorIndex,
    *,
    rescore: Rescore = as_found,
    words: LexicalIndex | None = None,
) -> list[Found]:
    """The sentences of `shelf` that bear on the queries, best first; empty if none reaches plan.min_score (S1, "Retrieval
    method"). With plan.limit at the number of paragraphs, a paragraph none of them was found by has nothing in the books.

    One index call, however many queries; words are asked, too, where there are any and the plan gives them a weight, and then a
    score is the cosine and more. Raises IndexUnavailable, DimensionMismatch."""
    return choose(looked_up.queries, best_candidates(looked_up, shelf, plan, index, rescore=rescore, words=words), plan)


def choose(queries: Sequence[Query], candidates: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> list[Found]:
    """What is shown of the candidates of each query, best first."""
    best = keep_relevant(queries, candidates, plan)
    ranked = rank(fuse(queries, best, plan.query_weights))
    return cut_to(keep_diverse(ranked, plan.max_similarity), plan.limit)


def best_candidates(
    looked_up: EmbeddedQueries,
    shelf: Shelf,
    plan: RetrievalPlan,
    index: VectorIndex,
    *,
    rescore: Rescore = as_found,
    words: LexicalIndex | None = None,
) -> list[list[Hit]]:
    """Of each query plan.candidates_per_query hits, as many again where words are asked, too, in the order that rescore puts
    them into. Raises as retrieve does."""
    return rescore(looked_up, candidates(looked_up, shelf, plan, index, words))


def candidates(
    looked_up: EmbeddedQueries, shelf: Shelf, plan: RetrievalPlan, index: VectorIndex, words: LexicalIndex | None
) -> list[list[Hit]]:
    """Found by meaning, or by meaning and words, best first. Raises as retrieve does."""
    by_meaning = index.search(shelf.partition, looked_up.vectors, plan.candidates_per_query, books=shelf.versions)
    if not words or not plan.lexical:
        return by_meaning
    by_words = find_words(looked_up, shelf.partition, plan.candidates_per_query, shelf.versions, words)
    stored = stored_hits(by_meaning, by_words, shelf.partition, index)
    return with_words(looked_up, by_meaning, by_words, stored, plan.lexical)


def keep_relevant(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> list[list[Hit]]:
    """Of each query its first plan.hits_per_query hits that reach plan.min_score, if its paragraph's support does, too."""
    supported = {paragraph for paragraph, score in support(queries, hits).items() if score >= plan.min_score}
    return [
        [hit for hit in its_hits[: plan.hits_per_query] if query.paragraph in supported and hit.score >= plan.min_score]
        for query, its_hits in zip(queries, hits, strict=True)
    ]
