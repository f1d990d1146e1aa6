"""Words beside meaning: what is found by either, ordered by both.

Whether a text holds what a reader has selected on the page, however it is set there (S4, "Selected-Text Boost")."""

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
from chapterverse.search.plan import EmbeddedQueries

Candidates = Sequence[Sequence[Hit]]

"""Hits of each query."""


def with_words(
    looked_up: EmbeddedQueries,
    by_meaning: Candidates,
    by_words: Sequence[Sequence[WordHit]],
    stored: Mapping[SentenceId, Hit],
    weight: float,
) -> list[list[Hit]]:
    """What either found, best first by cosine + weight × the share of its words (a convex combination but for a factor: Bruch,
    Gai & Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", where it does better than reciprocal ranks).

    stored: of what only words found, its record and vector."""
    return [
        _fused(vector, {hit.record.id: hit for hit in hits}, words, stored, weight)
        for vector, hits, words in zip(looked_up.vectors, by_meaning, by_words, strict=True)
    ]


def stored_hits(
    by_meaning: Candidates, by_words: Sequence[Sequence[WordHit]], partition: Partition, index: VectorIndex
) -> Mapping[SentenceId, Hit]:
    """Records and vectors of what words found and meaning did not; one call a version. Raises IndexUnavailable."""
    missing: dict[str, set[SentenceId]] = defaultdict(set)
    for hits, words in zip(by_meaning, by_words, strict=True):
        known = {hit.record.id for hit in hits}
        for word in words:
            if word.id not in known:
                missing[word.version].add(word.id)
    return {hit.record.id: hit for version, ids in missing.items() for hit in index.stored(partition, version, sorted(ids))}


def find_words(
    looked_up: EmbeddedQueries, partition: Partition, k: int, versions: Sequence[str], words: LexicalIndex
) -> list[list[WordHit]]:
    """Of each query the k chunks with the best words. Raises IndexUnavailable."""
    return words.search(partition, [query.text for query in looked_up.queries], k, versions)


def _fused(
    query: NDArray[np.float32],
    found: Mapping[SentenceId, Hit],
    words: Sequence[WordHit],
    stored: Mapping[SentenceId, Hit],
    weight: float,
) -> list[Hit]:
    shares = {word.id: word.share for word in words}
    also = {id: _beside(query, stored[id]) for id in shares if id not in found and id in stored}
    scored = [replace(hit, score=hit.score + weight * shares.get(id, 0.0)) for id, hit in {**found, **also}.items()]
    return sorted(scored, key=lambda hit: -hit.score)


def _beside(query: NDArray[np.float32], hit: Hit) -> Hit:
    return replace(hit, score=float(np.clip(query @ hit.vector, -1.0, 1.0)))


LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")

TAG = re.compile(r"</?[a-zA-Z][^<>]*>")

WORD = re.compile(r"[^\W_]+")

FEW = 4  # words: a selection of fewer must stand there as whole words, a longer one may begin and end within one


def holds(text: str, selected: str) -> bool:
    """Blanks, line ends, punctuation, capitals, Markdown and tags do not count; a selection without a word is nowhere."""
    wanted = words_of(selected)
    if not wanted:
        return False
    within, looked_for = " ".join(words_of(text)), " ".join(wanted)
    return looked_for in within if len(wanted) >= FEW else f" {looked_for} " in f" {within} "


def words_of(text: str) -> list[str]:
    """What is read of a text, without its markup."""
    plain = TAG.sub(" ", LINK.sub(r"\1", unicodedata.normalize("NFKC", text)))
    return WORD.findall(plain.casefold())
