import numpy as np
import pytest

from chapterverse.retrieval.chunk_vectors import blended
from tests.support.made import unit


def test_an_entry_lies_between_its_question_and_the_whole_nearer_to_the_question() -> None:
    questions, wholes = unit([1.0, 0.0]), unit([0.0, 1.0])

    [vector] = blended(questions, wholes)

    assert np.linalg.norm(vector) == pytest.approx(1.0)
    assert vector @ questions[0] > vector @ wholes[0] > 0


def test_no_entries_have_no_vectors() -> None:
    assert blended(np.empty((0, 3), np.float32), np.empty((0, 3), np.float32)).shape == (0, 3)
