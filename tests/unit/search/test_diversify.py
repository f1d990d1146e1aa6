import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.search.fusion import keep_diverse
from tests.support.made import a_found


def at(cosine: float) -> list[float]:
    """A vector at this cosine to [1, 0]."""
    return [cosine, math.sqrt(1 - cosine**2)]


def test_of_two_sentences_that_say_the_same_the_better_one_stays() -> None:
    ranked = [a_found("better", (0, 0.8), vector=at(1.0)), a_found("worse", (0, 0.7), vector=at(0.95))]

    assert [one.record.id for one in keep_diverse(ranked, 0.9)] == ["better"]


def test_the_one_that_stays_answers_the_queries_of_the_one_that_goes() -> None:
    ranked = [a_found("better", (0, 0.8), vector=at(1.0)), a_found("worse", (1, 0.7), vector=at(0.95))]

    [kept] = keep_diverse(ranked, 0.9)

    assert [(one.query.paragraph, one.score) for one in kept.found_by] == [(0, 0.8), (1, 0.7)]
    assert kept.score == 0.8


def test_sentences_less_alike_than_the_threshold_both_stay() -> None:
    ranked = [a_found("a", (0, 0.8), vector=at(1.0)), a_found("b", (0, 0.7), vector=at(0.89))]

    assert len(keep_diverse(ranked, 0.9)) == 2


def test_a_sentence_like_one_that_was_dropped_is_kept() -> None:
    """0° – 20° – 40°: the middle one is too near the first, the last is near the middle one only."""
    angles = [0, 20, 40]
    ranked = [a_found(str(a), (0, 0.9), vector=[math.cos(math.radians(a)), math.sin(math.radians(a))]) for a in angles]

    assert [one.record.id for one in keep_diverse(ranked, 0.9)] == ["0", "40"]


DIRECTIONS = st.lists(st.tuples(st.floats(0, 2 * math.pi), st.integers(0, 4)), max_size=20)


@given(DIRECTIONS)
def test_no_two_kept_are_too_alike_and_no_paragraph_is_lost(directions: list[tuple[float, int]]) -> None:
    ranked = [a_found(str(i), (p, 0.5), vector=[math.cos(a), math.sin(a)]) for i, (a, p) in enumerate(directions)]

    kept = keep_diverse(ranked, 0.9)

    vectors = np.array([one.vector for one in kept]).reshape(-1, 2)
    assert not np.any(np.triu(vectors @ vectors.T > 0.9, k=1))
    assert {p for one in kept for p in one.paragraphs} == {p for one in ranked for p in one.paragraphs}
