import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.hits import Found, QueryKind
from chapterverse.search.engine import cut_to, fuse, keep_diverse, rank
from tests.support.made import a_found, a_hit, a_query


def ids(found: list[Found]) -> list[str]:
    return [one.record.id for one in found]


def test_the_best_score_comes_first_and_equal_ones_stand_by_id() -> None:
    assert ids(rank([a_found("b", (0, 0.5)), a_found("c", (0, 0.7)), a_found("a", (0, 0.5))])) == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("first", "places", "kept"),
    [([(0, 0.9)], 2, "ac"), ([(0, 0.9)], 3, "abc"), ([(0, 0.9), (1, 0.8)], 2, "ab")],
    ids=["the best of each paragraph first", "then the next best", "one that serves two paragraphs"],
)
def test_the_cut_keeps_the_best_of_each_paragraph(first: list[tuple[int, float]], places: int, kept: str) -> None:
    ranked = [a_found("a", *first), a_found("b", (0, 0.7)), a_found("c", (1, 0.6))]

    assert ids(cut_to(ranked, places)) == [*kept]


PARAGRAPHS = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=3)


@given(st.lists(PARAGRAPHS, max_size=18))
def test_with_a_place_for_each_paragraph_none_that_was_answered_goes_without(found_by: list[list[tuple[int, float]]]) -> None:
    ranked = rank([a_found(str(id_), *sorted(by, key=lambda one: -one[1])) for id_, by in enumerate(found_by)])

    cut = cut_to(ranked, 6)

    assert len(cut) == min(6, len(ranked))
    assert {p for one in cut for p in one.paragraphs} == {p for one in ranked for p in one.paragraphs}
    assert cut == rank(cut)


def test_a_sentence_found_by_two_queries_comes_once_with_both_of_them_best_first() -> None:
    weak, strong = a_query(0), a_query(1)

    [found] = fuse([weak, strong], [[a_hit("a", 0.5)], [a_hit("a", 0.7)]])

    assert found.record.id == "a"
    assert [(one.query, one.score, one.rank) for one in found.found_by] == [(strong, 0.7, 1), (weak, 0.5, 1)]
    assert found.paragraphs == {0, 1}


def test_a_sentence_has_the_best_score_that_a_query_gave_it_and_a_kind_of_query_may_count_for_less() -> None:
    hits = [[a_hit("a", 0.8)], [a_hit("b", 0.7), a_hit("a", 0.6)]]
    found = fuse([a_query(0), a_query(1)], hits)
    assert {one.record.id: one.score for one in found} == pytest.approx({"a": 0.8, "b": 0.7})

    queries = [a_query(0), a_query(0, kind=QueryKind.KEY_SENTENCE)]
    found = fuse(queries, [[a_hit("a", 0.6)], [a_hit("b", 0.7)]], 0.5)

    assert {one.record.id: one.score for one in found} == pytest.approx({"a": 0.6, "b": 0.35})
    assert found[1].found_by[0].score == 0.7


SCORES = st.floats(-1, 1, width=32)


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), SCORES, max_size=4), max_size=6))
def test_no_sentence_and_no_query_is_lost(scores: list[dict[str, float]]) -> None:
    queries = [a_query(number) for number in range(len(scores))]
    hits = [[a_hit(id_, score) for id_, score in sorted(one.items(), key=lambda pair: -pair[1])] for one in scores]

    found = fuse(queries, hits)

    assert sorted(one.record.id for one in found) == sorted({id_ for one in scores for id_ in one})
    assert sum(len(one.found_by) for one in found) == sum(map(len, scores))
    assert all(one.found_by[0].score == max(by.score for by in one.found_by) for one in found)


def at(cosine: float) -> list[float]:
    """A vector at this cosine to [1, 0]."""
    return [cosine, math.sqrt(1 - cosine**2)]


def test_of_two_sentences_that_say_the_same_the_better_one_stays_and_answers_the_queries_of_the_other() -> None:
    better = a_found("better", (0, 0.8), vector=at(1.0))

    assert ids(keep_diverse([better, a_found("worse", (0, 0.7), vector=at(0.89))], 0.9)) == ["better", "worse"]
    [kept] = keep_diverse([better, a_found("worse", (1, 0.7), vector=at(0.95))], 0.9)
    assert kept.record.id == "better"
    assert [(one.query.paragraph, one.score) for one in kept.found_by] == [(0, 0.8), (1, 0.7)]
    assert kept.score == 0.8


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
