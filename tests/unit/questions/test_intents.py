import numpy as np
import pytest

from chapterverse.questions.model import Intent, IntentName
from chapterverse.questions.styles import INTENT_EXAMPLES, likeliest

AXES = np.eye(3, dtype=np.float32)


def test_the_intent_is_that_whose_descriptions_are_nearest_in_the_mean() -> None:
    described = {IntentName.FACT: AXES[:2], IntentName.POLICY: AXES[2:]}

    told = likeliest(AXES[0], described)

    assert (told.name, told.score) == (IntentName.FACT, pytest.approx(np.sqrt(0.5)))


def test_the_score_is_a_cosine_whatever_the_number_of_descriptions() -> None:
    assert likeliest(AXES[2], {IntentName.POLICY: AXES[2:]}) == Intent(IntentName.POLICY, 1.0)


def test_every_intent_is_described() -> None:
    assert INTENT_EXAMPLES.keys() == set(IntentName)
