"""The candidates of each query: what is found by meaning or by words, and a better score for each."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Hit, Partition, WordHit
from chapterverse.core.ports import LexicalIndex, VectorIndex
from chapterverse.library.contexts import BookContext
from chapterverse.search.plan import Candidates, EmbeddedQueries, RetrievalPlan


def hybrid_candidates(
    queries: EmbeddedQueries,
    partition: Partition,
    versions: Sequence[str],
    plan: RetrievalPlan,
    index: VectorIndex,
    *,
    words: LexicalIndex | None,
) -> list[list[Hit]]:
    """The plan.candidates_per_query nearest of each query, best first; with as many again found by words, if the plan gives
    words a weight and there is an index of words: a score is then no cosine. Raises IndexUnavailable, DimensionMismatch."""
    by_meaning = index.search(partition, queries.vectors, plan.candidates_per_query, books=versions)
    if not words or not plan.lexical:
        return by_meaning
    texts = [query.text for query in queries.queries]
    by_words = words.search(partition, texts, plan.candidates_per_query, versions)
    stored = stored_hits(by_meaning, by_words, partition, index)
    return with_words(queries, by_meaning, by_words, stored, plan.lexical)


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
    return [
        _fused(vector, {hit.record.id: hit for hit in hits}, words, stored, weight)
        for vector, hits, words in zip(queries.vectors, by_meaning, by_words, strict=True)
    ]


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


def _fused(
    query: NDArray[np.float32],
    by_meaning: Mapping[SentenceId, Hit],
    words: Sequence[WordHit],
    stored: Mapping[SentenceId, Hit],
    weight: float,
) -> list[Hit]:
    shares = {word.id: word.share for word in words}
    by_words = {id: _with_cosine(query, stored[id]) for id in shares if id not in by_meaning and id in stored}
    hits = {**by_meaning, **by_words}
    scored = [replace(hit, score=hit.score + weight * shares.get(id, 0.0)) for id, hit in hits.items()]
    return sorted(scored, key=lambda hit: -hit.score)


def _with_cosine(query: NDArray[np.float32], hit: Hit) -> Hit:
    return replace(hit, score=float(np.clip(query @ hit.vector, -1.0, 1.0)))


def rescored(
    queries: EmbeddedQueries, candidates: Candidates, plan: RetrievalPlan, contexts: Mapping[str, BookContext]
) -> list[list[Hit]]:
    """The candidates of each query, best first by a better score, on whose scale plan.min_score is then: the cosine, plus that
    of the query with the text around the candidate, minus how much of its book says nearly the same (hubness), by the plan's
    weights. No words are matched (S1-16) and nothing is embedded. contexts: by version; none: the candidates as they are."""
    if not contexts:
        return [list(hits) for hits in candidates]
    return [_rescored(vector, hits, plan, contexts) for vector, hits in zip(queries.vectors, candidates, strict=True)]


def _rescored(
    query: NDArray[np.float32], hits: Sequence[Hit], plan: RetrievalPlan, contexts: Mapping[str, BookContext]
) -> list[Hit]:
    found = [(context := contexts[hit.record.version], context.rows[hit.record.id]) for hit in hits]
    around = np.array([context.directions[row] for context, row in found], np.float32).reshape(len(hits), len(query)) @ query
    hubness = np.array([context.hubness[row] for context, row in found], np.float32)
    cosines = np.array([hit.score for hit in hits], np.float32)
    scores = cosines + plan.context_weight * around - plan.hubness_penalty * hubness
    return [replace(hits[i], score=float(scores[i])) for i in np.argsort(-scores, kind="stable")]
