"""A closer look at the first candidates of each query, by a model that reads query and sentence together.

It is slow, so it is spent where it may change what is shown, and ends with its time; what is relevant at all is decided without
it: the places keep their scores, and only who stands in them changes.

The re-ranker, where there is one, on the candidates of an essay or a question: within its share of the time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from time import monotonic

import numpy as np

from chapterverse.core.book import ChunkId, SentenceId
from chapterverse.core.hits import Hit, Query, QueryKind
from chapterverse.core.ports import Reranker
from chapterverse.library.chunks import is_by_sentences
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook
from chapterverse.library.services import Services
from chapterverse.search.engine import support
from chapterverse.search.plan import RetrievalPlan

WIDTHS = (3, 5, 10, 20)  # candidates of every query are judged before more of any: breadth first

Place = tuple[int, int]

"""Number of a query, and of one of its candidates."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """hits: of each query, best first. model: which judged; judged: candidates it read, of so many worth it."""

    hits: list[list[Hit]]
    model: str
    judged: int
    worth: int


def rerank(
    queries: Sequence[Query],
    hits: Sequence[Sequence[Hit]],
    plan: RetrievalPlan,
    *,
    reranker: Reranker,
    text_of: Callable[[Hit], str],
    deadline: float,
) -> Reranked:
    """The first plan.reranked of each query in the order of score + plan.reranking × what the re-ranker says of them.

    hits: best first. deadline: a moment of time.monotonic(); candidates that it left out stay behind those judged. Raises as
    the re-ranker does."""
    places = list(worth_judging(queries, hits, plan))
    said = judge(places, spokesmen(queries), lambda place: text_of(hits[place[0]][place[1]]), reranker, deadline)
    ordered = [reordered(its_hits, judged_first(number, said), plan.reranking) for number, its_hits in enumerate(hits)]
    return Reranked(ordered, reranker.model, len(said), len(places))


def worth_judging(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> Iterator[Place]:
    """Of paragraphs that the books bear on, the query that will show its first before the others, the closest races first, and
    few candidates of all before many of any."""
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
    """Of each paragraph the query whose first candidate has the best score as the fusion weighs it: places keep theirs."""
    best: dict[int, tuple[float, int]] = {}
    for number, (query, its_hits) in enumerate(zip(queries, hits, strict=True)):
        if its_hits:
            weighed = (plan.query_weights.get(query.kind, 1.0) * its_hits[0].score, -number)
            best[query.paragraph] = max(weighed, best.get(query.paragraph, weighed))
    return {-number for _, number in best.values()}


def spokesmen(queries: Sequence[Query]) -> list[list[str]]:
    """What is read beside a sentence for each query: a paragraph is spoken for by its key sentences, which say less at once."""
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
    """The mean of what the re-ranker says for all the texts of a place's query; places that it had no time for are left out."""
    pairs = [(place, (text, sentence(place))) for place in places for text in texts[place[0]]]
    scores: dict[Place, list[float | None]] = {}
    for (place, _), score in zip(pairs, reranker.scores([pair for _, pair in pairs], deadline), strict=True):
        scores.setdefault(place, []).append(score)
    known = {place: [one for one in said if one is not None] for place, said in scores.items()}
    return {place: sum(said) / len(said) for place, said in known.items() if len(said) == len(scores[place])}


def judged_first(number: int, said: Mapping[Place, float]) -> list[float]:
    """What was said of the query's candidates, up to the first that nothing was said of."""
    scores: list[float] = []
    while (score := said.get((number, len(scores)))) is not None:
        scores.append(score)
    return scores


def reordered(hits: Sequence[Hit], said: Sequence[float], weight: float) -> list[Hit]:
    """The first len(said) among themselves, by score and what was said; each place keeps its score."""
    totals = [hit.score + weight * one for hit, one in zip(hits, said, strict=False)]
    order = np.argsort(-np.array(totals), kind="stable").tolist()
    return [replace(hits[new], score=old.score) for old, new in zip(hits, order, strict=False)] + list(hits[len(said) :])


@dataclass(frozen=True, slots=True)
class CloserLook:
    """What an answer says of it: the model, how many candidates of queries it judged, of so many worth it."""

    model: str
    judged: int
    worth: int


def look_closer(
    queries: Sequence[Query],
    hits: list[list[Hit]],
    plan: RetrievalPlan,
    books: Mapping[str, OpenBook],
    services: Services,
) -> tuple[list[list[Hit]], CloserLook | None]:
    """The hits of each query in a better order, and what was done for it; as they were, and None, without a re-ranker.

    books: by version. Raises NotFound for a book that is gone meanwhile, ModelUnavailable."""
    if services.reranker is None:
        return hits, None
    texts = texts_of([hit for its_hits in hits for hit in its_hits[: plan.reranked]], books, services)
    deadline = monotonic() + plan.rerank_seconds
    found = rerank(queries, hits, plan, reranker=services.reranker, text_of=lambda hit: texts[hit.record.id], deadline=deadline)
    return found.hits, told(found)


def told(found: Reranked) -> CloserLook:
    """Without the hits."""
    return CloserLook(found.model, found.judged, found.worth)


def texts_of(hits: Sequence[Hit], books: Mapping[str, OpenBook], services: Services) -> dict[SentenceId | ChunkId, str]:
    """As the books have them; of an entry its question, too. Raises NotFound."""
    return {hit.record.id: _text_of(hit, books[hit.record.version].key, services) for hit in hits}


def _text_of(hit: Hit, key: VersionKey, services: Services) -> str:
    if is_by_sentences(key):
        return services.text_of(key).sentence(hit.record.id).text
    chunk = services.chunks_of(key).chunk(hit.record.id)
    return f"{chunk.question}\n{chunk.text}" if chunk.question else chunk.text
