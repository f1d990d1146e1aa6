"""The levels of a score: ours for a chance, the specification's for a cosine."""

import pytest

from chapterverse.questions import styles
from chapterverse.questions.model import ConfidenceLevel
from tests.support.word_embedder import WordEmbedder

CONFIDENT, POSSIBLE, NEAR, REFUSED = ConfidenceLevel


@pytest.mark.parametrize(
    ("style", "cosine", "level"),
    [
        (styles.DOCUMENT_QA, 0.70, CONFIDENT),
        (styles.DOCUMENT_QA, 0.699_999, NEAR),
        (styles.DOCUMENT_QA, -0.2, REFUSED),
        (styles.TEXTBOOK_CHAT, 0.7, CONFIDENT),
        (styles.TEXTBOOK_CHAT, 0.69, NEAR),
        (styles.HELPDESK, 0.65, CONFIDENT),
        (styles.HELPDESK, 0.64, NEAR),
        (styles.HELPDESK, 0.3, REFUSED),
    ],
)
def test_a_cosine_answers_from_a_level_of_the_specification(
    style: styles.AnswerStyle, cosine: float, level: ConfidenceLevel
) -> None:
    assert style.judged(cosine).standing is level


@pytest.mark.parametrize(("chance", "level"), [(0.9, CONFIDENT), (0.6, POSSIBLE), (0.2, NEAR), (0.05, REFUSED)])
def test_a_chance_that_was_read_has_levels_of_its_own(chance: float, level: ConfidenceLevel) -> None:
    assert styles.DOCUMENT_QA.judged(chance, styles.PASSAGES_READ).standing is level


@pytest.fixture(scope="module")
def settings() -> styles.AnswerSettings:
    return styles.AnswerSettings(WordEmbedder())


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
def test_a_question_is_none(settings: styles.AnswerSettings, text: str) -> None:
    assert not settings.courtesy(text)


def test_the_examples_are_embedded_when_the_program_starts_so_that_a_question_takes_no_more_than_itself() -> None:
    words = WordEmbedder()
    settings = styles.AnswerSettings(words)
    settings.get_ready()
    words.calls.clear()

    settings.courtesy("Thanks!")
    settings.intent_of("How?")

    assert words.calls == [["Thanks!"], ["How?"]]


def test_a_question_is_of_the_kind_whose_description_is_nearest(settings: styles.AnswerSettings) -> None:
    assert {settings.intent_of(text).name: text for text in styles.INTENTS.values()} == styles.INTENTS
