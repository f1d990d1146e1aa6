"""The levels of a score: ours for a chance, the specification's for a cosine."""

import pytest

from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import (
    DOCUMENT_QA,
    HELPDESK,
    INTENTS,
    PASSAGES_READ,
    TEXTBOOK_CHAT,
    AnswerSettings,
    AnswerStyle,
)
from tests.support.word_embedder import WordEmbedder

CONFIDENT, POSSIBLE, NEAR, REFUSED = ConfidenceLevel


@pytest.mark.parametrize(
    ("style", "cosine", "level"),
    [
        (DOCUMENT_QA, 0.70, CONFIDENT),
        (DOCUMENT_QA, 0.699_999, NEAR),
        (DOCUMENT_QA, -0.2, REFUSED),
        (TEXTBOOK_CHAT, 0.7, CONFIDENT),
        (TEXTBOOK_CHAT, 0.69, NEAR),
        (HELPDESK, 0.65, CONFIDENT),
        (HELPDESK, 0.64, NEAR),
        (HELPDESK, 0.3, REFUSED),
    ],
)
def test_a_cosine_answers_from_a_level_of_the_specification(style: AnswerStyle, cosine: float, level: ConfidenceLevel) -> None:
    assert style.judged(cosine).standing is level


@pytest.mark.parametrize(("chance", "level"), [(0.9, CONFIDENT), (0.6, POSSIBLE), (0.2, NEAR), (0.05, REFUSED)])
def test_a_chance_that_was_read_has_levels_of_its_own(chance: float, level: ConfidenceLevel) -> None:
    assert DOCUMENT_QA.judged(chance, PASSAGES_READ).standing is level


@pytest.fixture(scope="module")
def settings() -> AnswerSettings:
    return AnswerSettings(WordEmbedder())


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, and when is the exam?",
        "Wie viel kostet das Mittagessen?",
        "Why do people say goodbye?",
        "x" * 300,
        "?",
    ],
)
def test_a_question_is_none(settings: AnswerSettings, text: str) -> None:
    assert not settings.courtesy(text)


def test_the_examples_are_embedded_when_the_program_starts_so_that_a_question_takes_no_more_than_itself() -> None:
    words = WordEmbedder()
    settings = AnswerSettings(words)
    settings.get_ready()
    words.calls.clear()

    settings.courtesy("Thanks!")
    settings.intent_of("How?")

    assert words.calls == [["Thanks!"], ["How?"]]


def test_a_question_is_of_the_kind_whose_description_is_nearest(settings: AnswerSettings) -> None:
    assert {settings.intent_of(text).name: text for text in INTENTS.values()} == INTENTS
