import numpy as np
import pytest

from chapterverse.essays.evidence import best_of, centrality
from tests.support.made import unit


def test_the_first_of_two_equally_central_sentences_is_better() -> None:
    scores = centrality(unit([1, 0])[0], unit([1, 0.2], [1, 0.2], [0, 1]))

    assert best_of(scores, 3) == [0, 1, 2]
    assert scores[0] > scores[1] > scores[2]


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 9])
def test_no_more_key_sentences_than_asked_for_or_than_there_are(limit: int) -> None:
    assert len(best_of(np.array([0.1, 0.3, 0.2]), limit)) == min(limit, 3)


def test_the_best_are_given_in_the_paragraphs_order() -> None:
    assert best_of(np.array([0.1, 0.3, 0.2, 0.4]), 2) == [1, 3]
