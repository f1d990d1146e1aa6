import pytest

from chapterverse.core.hits import Hit
from chapterverse.search.engine import support
from tests.support.made import a_hit, a_query


@pytest.mark.parametrize(
    ("paragraphs", "hits", "of_paragraph"),
    [
        ([0, 0, 0], [[a_hit("a", 0.2)], [a_hit("b", 0.8), a_hit("c", 0.7)], [a_hit("d", 0.6)]], {0: 0.7}),
        ([0], [[a_hit("a", 0.5)]], {0: 0.5}),
        ([0, 1], [[a_hit("a", 0.5)], [a_hit("b", 0.9)]], {0: 0.5, 1: 0.9}),
        ([0], [[]], {}),
    ],
)
def test_the_two_best_queries_of_a_paragraph_speak_for_it_alone(
    paragraphs: list[int], hits: list[list[Hit]], of_paragraph: dict[int, float]
) -> None:
    assert support([a_query(each) for each in paragraphs], hits) == pytest.approx(of_paragraph)
