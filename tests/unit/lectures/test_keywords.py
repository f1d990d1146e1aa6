import numpy as np

from chapterverse.lectures.queries import Weighed, candidates_of, choose_keywords, select_diverse

WHOLE = np.array([1, 0], np.float32)


def at(*degrees: float) -> np.ndarray:
    """Unit vectors at these angles to WHOLE."""
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_words_that_tell_something_and_pairs_of_them_are_candidates() -> None:
    assert candidates_of("So the Jacobian matrix, right?") == ["jacobian", "matrix", "jacobian matrix"]


def test_a_pair_stands_in_one_clause() -> None:
    assert "rate gradient" not in candidates_of("the learning rate, gradient descent")
    assert "rate gradient" not in candidates_of("the learning rate. Gradient descent")


def test_a_pair_has_no_empty_word_between() -> None:
    assert "chain derivatives" not in candidates_of("a chain of derivatives")


def test_a_hyphen_parts_the_words_of_a_pair() -> None:
    assert "batch size" in candidates_of("the batch-size")


def test_halves_of_contractions_fillers_and_bare_numbers_are_no_candidates() -> None:
    assert candidates_of("um okay we're, don't, you'll 17 2026") == []


def test_each_candidate_comes_once() -> None:
    assert candidates_of("loss loss, loss") == ["loss", "loss loss"]


def test_the_nearest_is_chosen_first_and_the_next_is_not_like_it() -> None:
    vectors = at(10, 12, -50)

    assert select_diverse(vectors @ WHOLE, vectors @ vectors.T, 2, 0.5) == [0, 2]


def test_without_diversity_only_nearness_counts() -> None:
    vectors = at(10, 12, -50)

    assert select_diverse(vectors @ WHOLE, vectors @ vectors.T, 2, 0.0) == [0, 1]


def test_keywords_are_told_nearest_first() -> None:
    assert choose_keywords(Weighed("", ["far", "near", "middle"], WHOLE, at(80, 5, -40)), 3, 0.5) == ["near", "middle", "far"]


def test_fewer_candidates_than_asked_for_are_all_keywords() -> None:
    assert choose_keywords(Weighed("", ["only"], WHOLE, at(80)), 5, 0.5) == ["only"]
