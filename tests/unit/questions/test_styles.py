"""The levels of a score: ours for a chance, the specification's for a cosine."""

import pytest

from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import DOCUMENT_QA, HELPDESK, PASSAGES_READ, TEXTBOOK_CHAT, AnswerStyle

CONFIDENT, POSSIBLE, NEAR, REFUSED = ConfidenceLevel


@pytest.mark.parametrize(
    ("style", "cosine", "level"),
    [
        (DOCUMENT_QA, 0.70, CONFIDENT),
        (DOCUMENT_QA, 0.699_999, POSSIBLE),
        (DOCUMENT_QA, 0.50, POSSIBLE),
        (DOCUMENT_QA, 0.499_999, NEAR),
        (DOCUMENT_QA, -0.2, REFUSED),
        (TEXTBOOK_CHAT, 0.7, CONFIDENT),
        (TEXTBOOK_CHAT, 0.69, NEAR),
        (HELPDESK, 0.65, CONFIDENT),
        (HELPDESK, 0.64, NEAR),
        (HELPDESK, 0.3, REFUSED),
    ],
)
def test_a_cosine_has_the_levels_of_the_specification(style: AnswerStyle, cosine: float, level: ConfidenceLevel) -> None:
    assert style.judged(cosine).standing is level


@pytest.mark.parametrize(("chance", "level"), [(0.9, CONFIDENT), (0.6, POSSIBLE), (0.2, NEAR), (0.05, REFUSED)])
def test_a_chance_that_was_read_has_levels_of_its_own(chance: float, level: ConfidenceLevel) -> None:
    assert DOCUMENT_QA.judged(chance, PASSAGES_READ).standing is level
