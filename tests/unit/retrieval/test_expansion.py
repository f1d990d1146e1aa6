import numpy as np
import pytest

from chapterverse.retrieval.expansion import expanded
from chapterverse.retrieval.queries import EmbeddedQueries
from tests.support.made import a_hit, a_query, unit

ONE_QUERY = EmbeddedQueries((a_query(),), unit([1.0, 0.0]))


def test_a_query_moves_towards_what_it_found_first() -> None:
    moved = expanded(ONE_QUERY, [[a_hit("a", 0.9, [0.0, 1.0])]], weight=1.0)

    assert moved.vectors[0] == pytest.approx([0.7071, 0.7071], abs=1e-4)
    assert moved.queries == ONE_QUERY.queries


def test_only_the_first_three_count() -> None:
    first = [a_hit(id, 0.9, [1.0, 0.0]) for id in "abc"]

    moved = expanded(ONE_QUERY, [[*first, a_hit("far", 0.1, [0.0, 1.0])]], weight=1.0)

    assert moved.vectors[0] == pytest.approx([1.0, 0.0])


def test_a_query_that_found_nothing_stays_as_it_is() -> None:
    moved = expanded(ONE_QUERY, [[]], weight=1.0)

    assert np.array_equal(moved.vectors, ONE_QUERY.vectors)
    assert moved.vectors.dtype == np.float32
