import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.hits import QueryKind
from chapterverse.search.fusion import fuse
from tests.support.made import a_hit, a_query


def test_a_sentence_found_by_two_queries_comes_once_with_both_of_them_best_first() -> None:
    weak, strong = a_query(0), a_query(1)

    [found] = fuse([weak, strong], [[a_hit("a", 0.5)], [a_hit("a", 0.7)]])

    assert found.record.id == "a"
    assert [(one.query, one.score, one.rank) for one in found.found_by] == [(strong, 0.7, 1), (weak, 0.5, 1)]
    assert found.paragraphs == {0, 1}


def test_a_sentence_has_the_best_score_that_a_query_gave_it() -> None:
    hits = [[a_hit("a", 0.8)], [a_hit("b", 0.7), a_hit("a", 0.6)]]

    found = fuse([a_query(0), a_query(1)], hits)

    assert {one.record.id: one.score for one in found} == pytest.approx({"a": 0.8, "b": 0.7})


def test_a_kind_of_query_may_count_for_less() -> None:
    queries = [a_query(0), a_query(0, kind=QueryKind.KEY_SENTENCE)]

    found = fuse(queries, [[a_hit("a", 0.6)], [a_hit("b", 0.7)]], {QueryKind.KEY_SENTENCE: 0.5})

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
