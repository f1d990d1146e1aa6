import numpy as np
import pytest

from chapterverse.citations.model import ClaimPair
from chapterverse.citations.verdicts import TEXTS, likeness, texts_to_embed
from tests.support.made import unit

YES, NO = [1.0, 0.0], [0.0, 1.0]


def test_claim_and_sentence_are_embedded_each_in_three_ways() -> None:
    texts = texts_to_embed(ClaimPair("Truth will prevail.", "It never does."))

    assert len(texts) == TEXTS
    assert texts[0] == "Truth will prevail."
    assert texts[3] == "It never does."


def test_a_claim_nearer_to_the_sentence_than_to_its_opposite_is_not_turned() -> None:
    found = likeness(unit(YES, NO, NO, YES, NO, NO))

    assert found.about == pytest.approx(1)
    assert found.negated == pytest.approx(-np.sqrt(0.5))


def test_a_claim_nearer_to_the_opposite_is_turned() -> None:
    found = likeness(unit(YES, NO, NO, NO, YES, YES))

    assert found.about == pytest.approx(0)
    assert found.negated == pytest.approx(np.sqrt(0.5))


def test_what_cannot_be_turned_says_nothing() -> None:
    assert likeness(unit(*[YES] * TEXTS)).negated == 0
