from collections.abc import Sequence

import numpy as np
import pytest

from chapterverse.core.hits import Hit
from chapterverse.library.contexts import BookContext
from chapterverse.search.plan import Candidates, EmbeddedQueries, inverse_distance
from chapterverse.search.rerank import ContextSimilarity, Hubness, Scores, WeightedSum
from tests.support.made import a_hit, a_query, unit

CONTEXTS = {
    "v1": BookContext(
        rows={"apt": 0, "pithy": 1},
        directions=unit([1.0, 0.0], [0.0, 1.0]).astype(np.float16),
        hubness=np.array([0.4, 0.7], np.float32),
    )
}
PITHY_FIRST = [a_hit("pithy", 0.6), a_hit("apt", 0.5)]


def looked_up(*vectors: list[float]) -> EmbeddedQueries:
    return EmbeddedQueries(tuple(a_query(number) for number in range(len(vectors))), unit(*vectors))


def order(found: Sequence[Sequence[Hit]]) -> list[list[str]]:
    return [[hit.record.id for hit in hits] for hits in found]


def test_a_sentence_whose_surroundings_are_on_the_subject_comes_before_one_nearer_by_itself() -> None:
    rescore = WeightedSum(((0.5, ContextSimilarity(CONTEXTS)),))

    [[first, second]] = rescore(looked_up([1, 0]), [PITHY_FIRST])

    assert (first.record.id, first.score) == ("apt", pytest.approx(1.0))
    assert (second.record.id, second.score) == ("pithy", pytest.approx(0.6))


def test_a_sentence_like_many_others_comes_after_one_like_few() -> None:
    rescore = WeightedSum(((-0.5, Hubness(CONTEXTS)),))

    [hits] = rescore(looked_up([1, 0]), [PITHY_FIRST])

    assert [(hit.record.id, hit.score) for hit in hits] == [("apt", pytest.approx(0.3)), ("pithy", pytest.approx(0.25))]


def test_each_query_is_compared_with_the_surroundings_of_its_own_candidates() -> None:
    rescore = WeightedSum(((1.0, ContextSimilarity(CONTEXTS)),))

    assert order(rescore(looked_up([1, 0], [0, 1]), [PITHY_FIRST, PITHY_FIRST])) == [["apt", "pithy"], ["pithy", "apt"]]


def test_parts_add_up() -> None:
    def half(_looked_up: EmbeddedQueries, candidates: Candidates) -> list[Scores]:
        return [np.full(len(hits), 0.5, np.float32) for hits in candidates]

    [[hit]] = WeightedSum(((1.0, half), (0.2, half)))(looked_up([1, 0]), [[a_hit("apt", 0.1)]])

    assert hit.score == pytest.approx(0.7)


@pytest.mark.parametrize(("cosine", "reading"), [(1.0, 1.0), (0.5, 0.5), (0.0, 1 / 3), (-1.0, 0.2)])
def test_the_seeds_formula_is_a_function_of_the_cosine(cosine: float, reading: float) -> None:
    assert inverse_distance(cosine) == pytest.approx(reading)


def test_its_070_is_cosine_079() -> None:
    assert inverse_distance(0.7857) == pytest.approx(0.70, abs=0.0005)
