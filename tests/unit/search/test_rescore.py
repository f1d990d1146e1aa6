from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from chapterverse.core.hits import Hit
from chapterverse.library.artefacts import BookContext
from chapterverse.search.engine import rescored
from chapterverse.search.plan import ESSAY_FEEDBACK, Candidates, EmbeddedQueries, inverse_distance
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


def rescore(queries: EmbeddedQueries, candidates: Candidates, around: float = 0.0, hubness: float = 0.0) -> list[list[Hit]]:
    plan = replace(ESSAY_FEEDBACK, context_weight=around, hubness_penalty=hubness)
    return rescored(queries, candidates, plan, CONTEXTS)


def order(found: Sequence[Sequence[Hit]]) -> list[list[str]]:
    return [[hit.record.id for hit in hits] for hits in found]


def test_a_sentence_whose_surroundings_are_on_the_subject_comes_before_one_nearer_by_itself() -> None:
    [[first, second]] = rescore(looked_up([1, 0]), [PITHY_FIRST], around=0.5)

    assert (first.record.id, first.score) == ("apt", pytest.approx(1.0))
    assert (second.record.id, second.score) == ("pithy", pytest.approx(0.6))


def test_a_sentence_like_many_others_comes_after_one_like_few() -> None:
    [hits] = rescore(looked_up([1, 0]), [PITHY_FIRST], hubness=0.5)

    assert [(hit.record.id, hit.score) for hit in hits] == [("apt", pytest.approx(0.3)), ("pithy", pytest.approx(0.25))]


def test_each_query_is_compared_with_the_surroundings_of_its_own_candidates() -> None:
    found = rescore(looked_up([1, 0], [0, 1]), [PITHY_FIRST, PITHY_FIRST], around=1.0)

    assert order(found) == [["apt", "pithy"], ["pithy", "apt"]]


def test_parts_add_up_and_a_query_without_candidates_has_none() -> None:
    [[hit]] = rescore(looked_up([1, 0]), [[a_hit("apt", 0.1)]], around=1.0, hubness=0.5)
    assert hit.score == pytest.approx(0.1 + 1.0 - 0.5 * 0.4)
    assert rescore(looked_up([1, 0]), [[]], around=1.0) == [[]]


@pytest.mark.parametrize(("cosine", "reading"), [(1.0, 1.0), (0.5, 0.5), (0.0, 1 / 3), (-1.0, 0.2), (0.7857, 0.7)])
def test_the_seeds_formula_is_a_function_of_the_cosine(cosine: float, reading: float) -> None:
    assert inverse_distance(cosine) == pytest.approx(reading, abs=0.0005)
