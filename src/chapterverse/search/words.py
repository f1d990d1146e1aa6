"""Hybrid candidates: what is found by meaning or by words, ordered by both; and whether a text holds a selection."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Hit, Partition, WordHit
from chapterverse.core.ports import LexicalIndex, VectorIndex
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


LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
WORD = re.compile(r"[^\W_]+")
MIN_WORDS_CUT = 4  # words of a selection that may begin and end within a word; a shorter one must match whole words


def holds(text: str, selected: str) -> bool:
    """Whether the text holds what a reader selected on the page (S4-7). Blanks, line ends, punctuation, capitals, Markdown
    and tags are ignored. False for a selection without a word."""
    wanted = words_of(selected)
    if not wanted:
        return False
    within, selection = " ".join(words_of(text)), " ".join(wanted)
    return selection in within if len(wanted) >= MIN_WORDS_CUT else f" {selection} " in f" {within} "


def words_of(text: str) -> list[str]:
    """The words of a text without its markup, case-folded."""
    plain = TAG.sub(" ", LINK.sub(r"\1", unicodedata.normalize("NFKC", text)))
    return WORD.findall(plain.casefold())
