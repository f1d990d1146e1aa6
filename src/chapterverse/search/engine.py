"""Many lists of hits, one a query, into one list of sentences (S1, "score fusion").

The order of the sentences found, and the cut to as many as are wanted.

Whether the books bear on a paragraph at all: more than one of its queries must say so.

No sentence twice in other words (S1, "Diversity").

From queries to the sentences that bear on them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Found, FoundBy, Hit, Partition, Query, QueryKind
from chapterverse.core.ports import LexicalIndex, VectorIndex
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan, Weights
from chapterverse.search.rescore import Rescore, as_found
from chapterverse.search.words import find_words, stored_hits, with_words

EVERY_KIND_ALIKE: Mapping[QueryKind, float] = {}

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


def rank(found: Sequence[Found]) -> list[Found]:
    """Best first by fused score, then by a query's best; what is still equal is ordered by id, so a run can be repeated."""
    return sorted(found, key=lambda one: (-one.score, -one.found_by[0].score, one.record.id))


def cut_to(ranked: Sequence[Found], limit: int) -> list[Found]:
    """At most `limit`, still best first: before anything else the best of each essay paragraph, then the next best.

    S1 expects one idea, and so one sentence, a paragraph: with limit = number of paragraphs, every paragraph that the books
    say something on keeps a sentence, and the places of those they are silent on go to the next best."""
    covered: set[int] = set()
    leading: list[int] = []
    for position, found in enumerate(ranked):
        if not found.paragraphs <= covered:
            covered |= found.paragraphs
            leading.append(position)
    others = [position for position in range(len(ranked)) if position not in leading]
    return [ranked[position] for position in sorted([*leading, *others][:limit])]


AGREEING = 2  # queries; one alone, of several, may have met a sentence by chance


def support(queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> Mapping[int, float]:
    """By paragraph that found anything: the mean score of the best hits of its AGREEING best queries, or of its only one.

    hits: of each query, best first. Over 107 paragraphs of essays this tells those that 20 books bear on from strays with
    AUROC 0.99; the best query alone with 0.97 (docs/quality.md)."""
    best: dict[int, list[float]] = {}
    for query, its_hits in zip(queries, hits, strict=True):
        if its_hits:
            best.setdefault(query.paragraph, []).append(its_hits[0].score)
    return {paragraph: _mean(sorted(scores, reverse=True)[:AGREEING]) for paragraph, scores in best.items()}


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / len(scores)


def keep_diverse(ranked: Sequence[Found], max_similarity: float) -> list[Found]:
    """Drops a sentence whose cosine to one already kept is above max_similarity (0.9 in S1; 0.9 itself is kept).

    ranked: best first, so the better of two alike stays; it takes over the queries that found the other one, because what it
    says bears on those too. Its score stays its own. Time grows with n²; n is at most a few hundred."""
    kept: list[Found] = []
    for found in ranked:
        alike = [i for i, other in enumerate(kept) if float(other.vector @ found.vector) > max_similarity]
        if alike:
            nearest = max(alike, key=lambda i: float(kept[i].vector @ found.vector))
            kept[nearest] = with_queries_of(kept[nearest], found)
        else:
            kept.append(found)
    return kept


def with_queries_of(kept: Found, dropped: Found) -> Found:
    """The sentence kept, found also by the queries of the one dropped, each once with its better score."""
    merged = {one.query: one for one in reversed(best_first([*kept.found_by, *dropped.found_by]))}
    return replace(kept, found_by=best_first(merged.values()))


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
