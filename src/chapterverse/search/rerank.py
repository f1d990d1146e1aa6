"""A better order for the first candidates of each query, by a model that reads query and sentence together (S3-10).

It is slow, so it judges first where it may change what is shown, and stops with its time. What is relevant at all is decided
without it: a place in the order keeps its score, only the sentence in it changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp
from time import monotonic

import numpy as np

from chapterverse.core.book import ChunkId, SentenceId
from chapterverse.core.hits import Hit, Query, QueryKind
from chapterverse.core.ports import Reranker
from chapterverse.library.chunks import is_by_sentences
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook
from chapterverse.library.services import CollectionServices
from chapterverse.search.fusion import support
from chapterverse.search.plan import RetrievalPlan

WIDTHS = (3, 5, 10, 20)  # candidates of every query are judged before more of any: breadth first

Place = tuple[int, int]
"""Index of a query, and index of one of its candidates."""


@dataclass(frozen=True, slots=True)
class RerankReport:
    """What an answer says of re-ranking: the model, how many candidates it judged, and how many were worth judging."""

    model: str
    judged: int
    worth: int


def logistic(logit: float) -> float:
    """The logistic function: the chance in [0, 1] with these logarithmic odds."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))


def rerank_candidates(
    queries: Sequence[Query],
    hits: list[list[Hit]],
    plan: RetrievalPlan,
    books: Mapping[str, OpenBook],
    services: CollectionServices,
) -> tuple[list[list[Hit]], RerankReport | None]:
    """The hits of each query in a better order, judged within plan.rerank_seconds; unchanged, with None, without a re-ranker or
    if plan.reranked is 0.

    books: by version. Raises NotFound for a book that was removed meanwhile, ModelUnavailable."""
    if services.reranker is None or not plan.reranked:
        return hits, None
    texts = texts_of([hit for its_hits in hits for hit in its_hits[: plan.reranked]], books, services)
    deadline = monotonic() + plan.rerank_seconds
    return rerank(queries, hits, plan, reranker=services.reranker, text_of=lambda hit: texts[hit.record.id], deadline=deadline)


def texts_of(
    hits: Sequence[Hit], books: Mapping[str, OpenBook], services: CollectionServices
) -> dict[SentenceId | ChunkId, str]:
    """The books' text of each hit by id; of a FAQ entry its question and its answer. Raises NotFound."""
    return {hit.record.id: _text_of(hit, books[hit.record.version].key, services) for hit in hits}


def _text_of(hit: Hit, key: VersionKey, services: CollectionServices) -> str:
    if is_by_sentences(key):
        return services.text_of(key).sentence(hit.record.id).text
    chunk = services.chunks_of(key).chunk(hit.record.id)
    return f"{chunk.question}\n{chunk.text}" if chunk.question else chunk.text


def rerank(
    queries: Sequence[Query],
    hits: Sequence[Sequence[Hit]],
    plan: RetrievalPlan,
    *,
    reranker: Reranker,
    text_of: Callable[[Hit], str],
    deadline: float,
) -> tuple[list[list[Hit]], RerankReport]:
    """The first plan.reranked hits of each query in the order of score + plan.reranking × the re-ranker's score.

    hits: of each query, best first. deadline: a moment of time.monotonic(); candidates without a judgement by then stay behind
    those judged. Raises as the re-ranker does."""
    places = list(worth_judging(queries, hits, plan))
    scores = judge(places, query_texts(queries), lambda place: text_of(hits[place[0]][place[1]]), reranker, deadline)
    ordered = [reordered(its_hits, judged_first(number, scores), plan.reranking) for number, its_hits in enumerate(hits)]
    return ordered, RerankReport(reranker.model, len(scores), len(places))


def worth_judging(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> Iterator[Place]:
    """Candidates of the paragraphs that the books bear on, in the order in which judging them pays: first the query whose hit a
    paragraph will show, then the closest races, and a few candidates of all queries before many of any."""
    supports = support(queries, hits)
    open_ = [n for n, query in enumerate(queries) if len(hits[n]) > 1 and supports[query.paragraph] >= plan.min_score]
    open_.sort(key=lambda n: hits[n][0].score - hits[n][1].score)
    leading = leaders(queries, hits, plan)
    bounds = [0, *(width for width in WIDTHS if width < plan.reranked), plan.reranked]
    for leads in (True, False):
        for start, end in pairwise(bounds):
            for number in (n for n in open_ if (n in leading) is leads):
                yield from ((number, place) for place in range(start, min(end, len(hits[number]))))


def leaders(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> set[int]:
    """Numbers of queries: for each paragraph, the query whose first hit has the best fused score."""
    best: dict[int, tuple[float, int]] = {}
    for number, (query, its_hits) in enumerate(zip(queries, hits, strict=True)):
        if its_hits:
            weighted = (plan.query_weights.get(query.kind, 1.0) * its_hits[0].score, -number)
            best[query.paragraph] = max(weighted, best.get(query.paragraph, weighted))
    return {-number for _, number in best.values()}


def query_texts(queries: Sequence[Query]) -> list[list[str]]:
    """The texts that the model reads for each query: for a paragraph its key sentences, which are shorter, if it has any."""
    keys: dict[int, list[str]] = {}
    for query in queries:
        if query.kind is QueryKind.KEY_SENTENCE:
            keys.setdefault(query.paragraph, []).append(query.text)
    return [keys.get(query.paragraph, [query.text]) if query.kind is QueryKind.PARAGRAPH else [query.text] for query in queries]


def judge(
    places: Sequence[Place],
    texts: Sequence[Sequence[str]],
    sentence: Callable[[Place], str],
    reranker: Reranker,
    deadline: float,
) -> dict[Place, float]:
    """The mean of the re-ranker's scores over all texts of a place's query; without the places that it had no time for."""
    pairs = [(place, (text, sentence(place))) for place in places for text in texts[place[0]]]
    scores: dict[Place, list[float | None]] = {}
    for (place, _), score in zip(pairs, reranker.scores([pair for _, pair in pairs], deadline), strict=True):
        scores.setdefault(place, []).append(score)
    known = {place: [one for one in its_scores if one is not None] for place, its_scores in scores.items()}
    return {place: sum(some) / len(some) for place, some in known.items() if len(some) == len(scores[place])}


def judged_first(number: int, scores: Mapping[Place, float]) -> list[float]:
    """Scores of the query's first candidates, up to the first that was not judged."""
    first: list[float] = []
    while (score := scores.get((number, len(first)))) is not None:
        first.append(score)
    return first


def reordered(hits: Sequence[Hit], scores: Sequence[float], weight: float) -> list[Hit]:
    """The first len(scores) hits ordered by hit.score + weight × score; each place keeps its hit.score."""
    totals = [hit.score + weight * score for hit, score in zip(hits, scores, strict=False)]
    order = np.argsort(-np.array(totals), kind="stable").tolist()
    return [replace(hits[new], score=old.score) for old, new in zip(hits, order, strict=False)] + list(hits[len(scores) :])
