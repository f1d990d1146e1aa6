"""The one driver of search: from queries to the hits of a scope's open books that bear on them.

Essays, questions, lectures and the evaluation differ in their queries, their plan and what they read of the hits. In this
order: what is found by meaning or by words, a better score for each, relevance, fusion, diversity, limit."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import mean
from typing import TypeVar

import numpy as np

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Found, FoundBy, Hit, Partition, Query, QueryKind, Scope, WordHit
from chapterverse.core.ports import VectorIndex
from chapterverse.library.artefacts import BookContext, contexts_of
from chapterverse.library.scope import OpenBook, look_in_open_books
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import Candidates, EmbeddedQueries, RetrievalPlan

AGREEING = 2  # queries of a paragraph that must agree; one alone may have met a sentence by chance
OpenBooks = Mapping[str, OpenBook]  # by version, all indexed with one embedding model and in one unit
MakeQueries = Callable[[CollectionServices], EmbeddedQueries]
"""Embeds the queries with the embedder of these services, which has the model of the open books."""
Answer = TypeVar("Answer")


def with_words(
    queries: EmbeddedQueries,
    by_meaning: Candidates,
    by_words: Sequence[Sequence[WordHit]],
    stored: Mapping[SentenceId, Hit],
    weight: float,
) -> list[list[Hit]]:
    """What either found, best first by cosine + weight × the share of its words (a convex combination but for a factor: Bruch,
    Gai & Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", where it does better than reciprocal ranks).

    stored: record and vector of what only words found."""
    fused: list[list[Hit]] = []
    for vector, near, words in zip(queries.vectors, by_meaning, by_words, strict=True):
        hits, shares = {hit.record.id: hit for hit in near}, {word.id: word.share for word in words}
        for id in shares:
            if id not in hits and (hit := stored.get(id)):
                hits[id] = replace(hit, score=float(np.clip(vector @ hit.vector, -1.0, 1.0)))
        scored = [replace(hit, score=hit.score + weight * shares.get(id, 0.0)) for id, hit in hits.items()]
        fused.append(sorted(scored, key=lambda hit: -hit.score))
    return fused


def stored_hits(
    by_meaning: Candidates, by_words: Sequence[Sequence[WordHit]], partition: Partition, index: VectorIndex
) -> Mapping[SentenceId, Hit]:
    """Records and vectors of what only words found; one index call a version. Raises IndexUnavailable."""
    missing: dict[str, set[SentenceId]] = defaultdict(set)
    for hits, words in zip(by_meaning, by_words, strict=True):
        known = {hit.record.id for hit in hits}
        for word in words:
            if word.id not in known:
                missing[word.version].add(word.id)
    return {hit.record.id: hit for version, ids in missing.items() for hit in index.stored(partition, version, sorted(ids))}


def rescored(
    queries: EmbeddedQueries, candidates: Candidates, plan: RetrievalPlan, contexts: Mapping[str, BookContext]
) -> list[list[Hit]]:
    """The candidates of each query, best first by a better score, on whose scale plan.min_score is then: the cosine, plus that
    of the query with the text around the candidate, minus how much of its book says nearly the same (hubness), by the plan's
    weights. No words are matched (S1-16) and nothing is embedded. contexts: by version; none: the candidates as they are."""
    if not contexts:
        return [list(hits) for hits in candidates]
    ordered: list[list[Hit]] = []
    for query, hits in zip(queries.vectors, candidates, strict=True):
        directions, hubness = contexts_of([hit.record for hit in hits], contexts)
        cosines = np.array([hit.score for hit in hits], np.float32)
        around = directions.reshape(len(hits), len(query)) @ query
        scores = cosines + plan.context_weight * around - plan.hubness_penalty * hubness
        ordered.append([replace(hits[i], score=float(scores[i])) for i in np.argsort(-scores, kind="stable")])
    return ordered


def support(queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> Mapping[int, float]:
    """How well the books bear on each paragraph that has hits: the mean score of the best hits of its AGREEING best queries, or
    of its only query.

    hits: of each query, best first. Over 107 paragraphs of essays this separates paragraphs that 20 books bear on from those
    without evidence with AUROC 0.99; the best query alone with 0.97 (docs/quality.md)."""
    best: dict[int, list[float]] = {}
    for query, its_hits in zip(queries, hits, strict=True):
        if its_hits:
            best.setdefault(query.paragraph, []).append(its_hits[0].score)
    return {paragraph: mean(sorted(scores, reverse=True)[:AGREEING]) for paragraph, scores in best.items()}


def keep_relevant(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> list[list[Hit]]:
    """Of each query its first plan.hits_per_query hits that reach plan.min_score; none if its paragraph's support does not."""
    supported = {paragraph for paragraph, score in support(queries, hits).items() if score >= plan.min_score}
    return [
        [hit for hit in its_hits[: plan.hits_per_query] if query.paragraph in supported and hit.score >= plan.min_score]
        for query, its_hits in zip(queries, hits, strict=True)
    ]


def fuse(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], key_sentence_weight: float = 1.0) -> list[Found]:
    """Every sentence once, with all queries that found it, best query first (S1-15).

    hits: of each query, best first. key_sentence_weight: that of other queries being 1. Score: CombMAX (Fox & Shaw 1994,
    "Combination of multiple searches"), so a second query adds nothing."""
    weights = {QueryKind.KEY_SENTENCE: key_sentence_weight}
    hit_of: dict[SentenceId, Hit] = {}
    found_by: dict[SentenceId, list[FoundBy]] = {}
    for query, its_hits in zip(queries, hits, strict=True):
        for hit in its_hits:
            hit_of.setdefault(hit.record.id, hit)
            found_by.setdefault(hit.record.id, []).append(FoundBy(query, hit.score))
    best = {id_: max(weights.get(one.query.kind, 1.0) * one.score for one in its) for id_, its in found_by.items()}
    return [Found(hit.record, best[id_], _best_first(found_by[id_]), hit.vector) for id_, hit in hit_of.items()]


def _best_first(found_by: Iterable[FoundBy]) -> tuple[FoundBy, ...]:
    """Highest score first; equal scores in the order of the queries."""
    return tuple(sorted(found_by, key=lambda one: -one.score))


def rank(found: Sequence[Found]) -> list[Found]:
    """Best first by fused score, then by the best query's score, then by id, so that a run can be repeated."""
    return sorted(found, key=lambda one: (-one.score, -one.found_by[0].score, one.record.id))


def keep_diverse(ranked: Sequence[Found], max_similarity: float) -> list[Found]:
    """Drop a sentence whose cosine to a better one is above max_similarity (S1-18: 0.9; 0.9 itself stays).

    ranked: best first. The better of two similar sentences takes over the queries of the one dropped, because it bears on
    those too; its score stays. Time grows with n²; n is at most a few hundred."""
    diverse: list[Found] = []
    for found in ranked:
        cosines = [float(other.vector @ found.vector) for other in diverse]
        if cosines and max(cosines) > max_similarity:
            nearest = cosines.index(max(cosines))
            queries = {one.query: one for one in reversed(_best_first([*diverse[nearest].found_by, *found.found_by]))}
            diverse[nearest] = replace(diverse[nearest], found_by=_best_first(queries.values()))  # each with its higher score
        else:
            diverse.append(found)
    return diverse


def cut_to(ranked: Sequence[Found], limit: int) -> list[Found]:
    """At most `limit`, best first: the best of each essay paragraph first, then the next best."""
    covered: set[int] = set()
    leading: list[int] = []
    for position, found in enumerate(ranked):
        if not found.paragraphs <= covered:
            covered |= found.paragraphs
            leading.append(position)
    others = [position for position in range(len(ranked)) if position not in leading]
    return [ranked[position] for position in sorted([*leading, *others][:limit])]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of one search.

    candidates: of each query, best first, after re-scoring and before any threshold. plan: fitted to the size of the books.
    services: with the model of the books."""

    queries: EmbeddedQueries
    books: OpenBooks
    plan: RetrievalPlan
    candidates: list[list[Hit]]
    services: CollectionServices

    def best(self) -> list[Found]:
        """At most plan.limit candidates, each once, best first; empty if none reaches plan.min_score (S1-15, S1-17, S1-18)."""
        queries, plan = self.queries.queries, self.plan
        ranked = rank(fuse(queries, keep_relevant(queries, self.candidates, plan), plan.key_sentence_weight))
        return cut_to(keep_diverse(ranked, plan.max_similarity), plan.limit)


def find(
    queries: MakeQueries,
    scope: Scope,
    plan: RetrievalPlan,
    services: CollectionServices,
    read: Callable[[SearchResult], Answer],
) -> Answer:
    """What `read` makes of a search of the scope's books.

    Everything is repeated when a book was replaced meanwhile, so `read` may open the texts of the hits; queries are embedded
    once. Raises NotFound if the scope has no searchable book, and every RetryableError of the ports."""
    once = cache(lambda: queries(services))
    return look_in_open_books(lambda books: read(search(once(), books, plan, services)), scope, services)


def embedded(queries: Sequence[Query], services: CollectionServices) -> EmbeddedQueries:
    """The queries with their vectors. Raises as the embedder does."""
    return EmbeddedQueries(tuple(queries), services.embedder.embed_queries([query.text for query in queries]))


def search(queries: EmbeddedQueries, books: OpenBooks, plan: RetrievalPlan, services: CollectionServices) -> SearchResult:
    """Search open books and re-score the plan.candidates_per_query nearest of each query, with as many again found by words if
    the plan gives words a weight and there is an index of words: a score is then no cosine. One call of each index, however
    many queries. Raises DimensionMismatch and every RetryableError of the ports."""
    if not books:
        return SearchResult(queries, books, plan, [[] for _ in queries.queries], services)
    plan = plan.for_size(sum(book.sentences for book in books.values()))
    keys, most, versions = [book.key for book in books.values()], plan.candidates_per_query, tuple(books)
    partition, index = keys[0].partition, services.index
    hits = index.search(partition, queries.vectors, most, books=versions)
    if services.words and plan.lexical:
        by_words = services.words.search(partition, [query.text for query in queries.queries], most, versions)
        hits = with_words(queries, hits, by_words, stored_hits(hits, by_words, partition, index), plan.lexical)
    contexts = {key.version: services.context_of(key) for key in keys} if plan.context_weight or plan.hubness_penalty else {}
    return SearchResult(queries, books, plan, rescored(queries, hits, plan, contexts), services)
