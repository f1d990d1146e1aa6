"""Small talk, told by examples; kinds of question, by descriptions."""

import pytest

from chapterverse.questions.styles import COURTESIES, INTENTS, AnswerSettings
from tests.support.word_embedder import WordEmbedder


@pytest.fixture(scope="module")
def settings() -> AnswerSettings:
    return AnswerSettings(WordEmbedder())


@pytest.mark.parametrize("text", ["Thanks for your help!", "great, thank you so much", "Guten Morgen zusammen"])
def test_small_talk_gets_a_reply(settings: AnswerSettings, text: str) -> None:
    assert settings.courtesy(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, and when is the exam?",
        "How do I do it?",
        "Wie viel kostet das Mittagessen?",
        "Hello, where is the library of the school?",
        "What is a good day?",
        "Why do people say goodbye?",
        "Wie lange schläft die Königin",
        "x" * 300,
        "?",
    ],
)
def test_a_question_is_none(settings: AnswerSettings, text: str) -> None:
    assert not settings.courtesy(text)


def test_german_gets_german(settings: AnswerSettings) -> None:
    assert settings.courtesy("Vielen Dank für die Hilfe").startswith("Gern")
    assert {language for _, language, _ in COURTESIES} == {"en", "de"}


def test_a_question_is_of_the_kind_whose_description_is_nearest(settings: AnswerSettings) -> None:
    assert {settings.intent_of(text).name: text for text in INTENTS.values()} == INTENTS
