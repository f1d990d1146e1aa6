"""The levels of a score: ours for a chance, the specification's for a cosine, and those that a school has accepted."""

from dataclasses import replace

import pytest

from chapterverse.questions.judging import ENTRIES_READ, PASSAGES_READ, Calibration, Judge, Scale, Score
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import DOCUMENT_QA, HELPDESK, TEXTBOOK_CHAT, AnswerStyle

CONFIDENT, POSSIBLE, NEAR, REFUSED = ConfidenceLevel
ACCEPTED = Calibration("words", "window", 20, Scale(None, 0.1, ()), Scale(0.9, 0.7, ()))


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
    assert Judge(style)(Score(cosine)).standing is level


@pytest.mark.parametrize(("chance", "level"), [(0.9, CONFIDENT), (0.6, POSSIBLE), (0.2, NEAR), (0.05, REFUSED)])
def test_a_chance_that_was_read_has_levels_of_its_own(chance: float, level: ConfidenceLevel) -> None:
    assert Judge(DOCUMENT_QA)(Score(chance, PASSAGES_READ)).standing is level


def test_what_a_person_has_accepted_holds_for_both() -> None:
    judge = Judge(DOCUMENT_QA, ACCEPTED)

    assert judge(Score(0.8)).standing is judge(Score(0.8, PASSAGES_READ)).standing is POSSIBLE


def test_what_nobody_has_looked_at_holds_only_for_a_cosine() -> None:
    judge = Judge(HELPDESK, replace(ACCEPTED, automatic=True))

    assert judge(Score(0.8)).standing is NEAR
    assert judge(Score(0.8, ENTRIES_READ)).standing is CONFIDENT


def test_a_school_sets_the_score_from_which_it_wants_answers() -> None:
    judge = Judge(DOCUMENT_QA, min_score=0.7)

    assert judge(Score(0.69, PASSAGES_READ)).standing is NEAR
    assert judge(Score(0.7, PASSAGES_READ)).standing is POSSIBLE
