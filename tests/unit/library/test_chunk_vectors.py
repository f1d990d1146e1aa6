import numpy as np
import pytest

from chapterverse.library.contexts import WORDS, blended, opening
from tests.support.made import unit


def test_an_entry_is_nearest_to_its_question_then_to_its_opening_and_far_from_neither() -> None:
    questions, openings, wholes = unit([1.0, 0, 0]), unit([0, 1.0, 0]), unit([0, 0, 1.0])

    [vector] = blended(questions, openings, wholes)

    assert np.linalg.norm(vector) == pytest.approx(1.0)
    assert vector @ questions[0] > vector @ openings[0] > vector @ wholes[0] > 0


def test_no_entries_have_no_vectors() -> None:
    none = np.empty((0, 3), np.float32)

    assert blended(none, none, none).shape == (0, 3)


def test_an_opening_is_the_question_and_the_first_words_of_the_answer() -> None:
    answer = " ".join(f"w{number}" for number in range(100))

    assert opening("Why so?", f"Question: Why so? Answer: {answer}").split()[-1] == f"w{WORDS - 1}"
    assert opening("Why so?", "Question: Why so? Answer: Because.") == "Question: Why so? Answer: Because."
