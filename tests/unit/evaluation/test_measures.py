import numpy as np
import pytest

from chapterverse.evaluation.search import mean_estimate, recall_at
from evaluations.measures import auroc, auroc_estimate, grouped_estimate


def test_recall_counts_the_sentences_among_the_first_k() -> None:
    assert recall_at(5, [1, 5, 6, None]).tolist() == [1, 1, 0, 0]


def test_auroc_is_the_share_of_pairs_in_the_right_order_and_half_of_the_ties() -> None:
    assert auroc(np.array([0.9, 0.5]), np.array([0.1, 0.5])) == pytest.approx(3.5 / 4)


def test_a_figure_stands_inside_its_interval() -> None:
    figure = mean_estimate(np.array([0.0, 1.0] * 50))

    assert figure.value == 0.5
    assert figure.low == pytest.approx(0.4, abs=0.02)
    assert figure.high == pytest.approx(0.6, abs=0.02)
    assert figure.n == 100


def test_perfect_separation_is_certain_however_the_cases_are_drawn() -> None:
    figure = auroc_estimate(np.array([0.8, 0.9]), np.array([0.1]))

    assert (figure.value, figure.low, figure.high, figure.n) == (1.0, 1.0, 1.0, 3)


def test_groups_of_members_that_are_all_alike_are_no_more_certain_than_as_many_cases() -> None:
    many = grouped_estimate((str(group), group % 2) for group in range(20) for _ in range(50))
    few = grouped_estimate((str(group), group % 2) for group in range(20))

    assert (many.value, many.n) == (0.5, 1000)
    assert many.high - many.low == pytest.approx(few.high - few.low)
