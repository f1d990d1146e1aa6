import pytest

from chapterverse.search.engine import support
from tests.support.made import a_hit, a_query


def test_the_two_best_queries_of_a_paragraph_speak_for_it() -> None:
    queries = [a_query(0), a_query(0), a_query(0)]
    hits = [[a_hit("a", 0.2)], [a_hit("b", 0.8), a_hit("c", 0.7)], [a_hit("d", 0.6)]]

    assert support(queries, hits) == {0: pytest.approx(0.7)}


def test_a_paragraph_of_one_sentence_is_its_only_query() -> None:
    assert support([a_query(0)], [[a_hit("a", 0.5)]]) == {0: 0.5}


def test_paragraphs_do_not_speak_for_each_other() -> None:
    assert support([a_query(0), a_query(1)], [[a_hit("a", 0.5)], [a_hit("b", 0.9)]]) == {0: 0.5, 1: 0.9}


def test_a_paragraph_that_found_nothing_has_no_support() -> None:
    assert support([a_query(0)], [[]]) == {}
