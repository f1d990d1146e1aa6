import numpy as np
import pytest

from chapterverse.questions.model import Intent, IntentName
from chapterverse.questions.styles import INTENT_EXAMPLES, likeliest

AXES = np.eye(3, dtype=np.float32)


def test_the_intent_is_that_whose_descriptions_are_nearest_in_the_mean_by_a_cosine_whatever_their_number() -> None:
    described = {IntentName.FACT: AXES[:2], IntentName.POLICY: AXES[2:]}

    assert likeliest(AXES[0], described) == Intent(IntentName.FACT, pytest.approx(np.sqrt(0.5)))
    assert likeliest(AXES[2], described) == Intent(IntentName.POLICY, 1.0)


def test_every_intent_is_described() -> None:
    assert INTENT_EXAMPLES.keys() == set(IntentName)
