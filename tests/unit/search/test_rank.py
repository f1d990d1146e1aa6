from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.hits import Found
from chapterverse.search.fusion import cut_to, rank
from tests.support.made import a_found


def ids(found: list[Found]) -> list[str]:
    return [one.record.id for one in found]


def test_the_best_score_comes_first_and_equal_ones_stand_by_id() -> None:
    assert ids(rank([a_found("b", (0, 0.5)), a_found("c", (0, 0.7)), a_found("a", (0, 0.5))])) == ["c", "a", "b"]


def test_the_cut_keeps_the_best_of_each_paragraph_before_a_second_one_of_another() -> None:
    ranked = [a_found("a", (0, 0.9)), a_found("b", (0, 0.8)), a_found("c", (1, 0.6))]

    assert ids(cut_to(ranked, 2)) == ["a", "c"]


def test_the_place_of_a_paragraph_without_hits_goes_to_the_next_best() -> None:
    ranked = [a_found("a", (0, 0.9)), a_found("b", (0, 0.8)), a_found("c", (1, 0.6))]

    assert ids(cut_to(ranked, 3)) == ["a", "b", "c"]


def test_one_sentence_may_serve_two_paragraphs() -> None:
    ranked = [a_found("a", (0, 0.9), (1, 0.8)), a_found("b", (0, 0.7)), a_found("c", (1, 0.6))]

    assert ids(cut_to(ranked, 2)) == ["a", "b"]


PARAGRAPHS = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=3)


@given(st.lists(PARAGRAPHS, max_size=18))
def test_with_a_place_for_each_paragraph_none_that_was_answered_goes_without(found_by: list[list[tuple[int, float]]]) -> None:
    ranked = rank([a_found(str(id_), *sorted(by, key=lambda one: -one[1])) for id_, by in enumerate(found_by)])

    cut = cut_to(ranked, 6)

    assert len(cut) == min(6, len(ranked))
    assert {p for one in cut for p in one.paragraphs} == {p for one in ranked for p in one.paragraphs}
    assert cut == rank(cut)
