"""A closer look at the first candidates of each query, by a model that reads query and sentence together.

It is slow, so it is spent where it may change what is shown, and ends with its time; what is relevant at all is decided without
it: the places keep their scores, and only who stands in them changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chapterverse.model import Hit, Query
from chapterverse.ports import Reranker
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.support import support

WIDTHS = (3, 5, 10, 20)  # candidates of every query are judged before more of any: breadth first

Pair = tuple[str, str]
Place = tuple[int, int]
"""Number of a query, and of one of its candidates."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """hits: of each query, best first. model: which judged; judged: pairs of a query and a sentence, of so many worth it."""

    hits: list[list[Hit]]
    model: str
    judged: int
    worth: int


def rerank(
    queries: Sequence[Query],
    hits: Sequence[Sequence[Hit]],
    plan: RetrievalPlan,
    reranker: Reranker,
    text_of: Callable[[Hit], str],
    deadline: float,
) -> Reranked:
    """The first plan.reranked of each query in the order of score + plan.reranking × what the re-ranker says of them.

    hits: best first. deadline: a moment of time.monotonic(); candidates that it left out stay behind those judged. Raises as
    the re-ranker does."""
    places = list(worth_judging(queries, hits, plan))
    pairs = [(queries[number].text, text_of(hits[number][place])) for number, place in places]
    said = dict(zip(places, reranker.scores(pairs, deadline), strict=True))
    ordered = [reordered(its_hits, judged_first(number, said), plan.reranking) for number, its_hits in enumerate(hits)]
    return Reranked(ordered, reranker.model, sum(one is not None for one in said.values()), len(places))


def worth_judging(queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> Iterator[Place]:
    """Of queries whose paragraph the books bear on, the closest races first, few candidates of all before many of any."""
    supports = support(queries, hits)
    open_ = [n for n, query in enumerate(queries) if len(hits[n]) > 1 and supports[query.paragraph] >= plan.min_score]
    open_.sort(key=lambda n: hits[n][0].score - hits[n][1].score)
    bounds = [0, *(width for width in WIDTHS if width < plan.reranked), plan.reranked]
    for start, end in zip(bounds, bounds[1:], strict=False):
        for number in open_:
            yield from ((number, place) for place in range(start, min(end, len(hits[number]))))


def judged_first(number: int, said: Mapping[Place, float | None]) -> list[float]:
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
