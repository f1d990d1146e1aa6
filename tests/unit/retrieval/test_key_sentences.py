import numpy as np
import pytest

from chapterverse.essay import Paragraph
from chapterverse.retrieval.key_sentences import CLAIM, best_of, centrality, information, pairs_of
from tests.support.made import unit

PARAGRAPH = Paragraph("A. B.", ("A.", "B."))
LONGER = Paragraph("Here is more. B.", ("Here is more.", "B."))


def test_the_first_of_two_equally_central_sentences_is_better() -> None:
    scores = centrality(unit([1, 0])[0], unit([1, 0.2], [1, 0.2], [0, 1]))

    assert best_of(scores, 3) == [0, 1, 2]
    assert scores[0] > scores[1] > scores[2]


def test_each_sentence_is_asked_for_with_its_paragraph_and_without() -> None:
    assert pairs_of(PARAGRAPH) == [
        (f"A. B.\n\n{CLAIM}", " A."),
        (f"A. B.\n\n{CLAIM}", " B."),
        (CLAIM, " A."),
        (CLAIM, " B."),
    ]


def test_a_sentence_is_worth_what_the_paragraph_adds_to_its_likelihood() -> None:
    scores = information(LONGER, [-1.0, -2.0, -4.0, -2.5])

    assert scores is not None
    assert scores.tolist() == [3 * 3.0, 1 * 0.5]


def test_of_a_paragraph_that_was_not_read_to_the_end_nothing_is_known() -> None:
    assert information(PARAGRAPH, [-1.0, -2.0, -4.0, None]) is None


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 9])
def test_no_more_key_sentences_than_asked_for_or_than_there_are(limit: int) -> None:
    assert len(best_of(np.array([0.1, 0.3, 0.2]), limit)) == min(limit, 3)


def test_the_best_are_given_in_the_paragraphs_order() -> None:
    assert best_of(np.array([0.1, 0.3, 0.2, 0.4]), 2) == [1, 3]
