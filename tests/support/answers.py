"""Sources, questions and what a language model says of them, made with only what a test cares about."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from chapterverse.core.hits import Passage
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.questions.answers import CitableSource, Findings, Question
from chapterverse.questions.styles import AnswerSettings
from tests.support.language_servers import LanguageServer
from tests.support.made import a_sentence
from tests.support.word_embedder import WordEmbedder

FORM = "The form for a late project is handed in at the registry."
DEADLINE = "A project is handed in by 30 June at noon."
FEE = "A late project costs a fee of 25 euros."


def a_source(number: int = 1, *sentences: str, score: float = 0.8, **facts: Any) -> CitableSource:
    """Of these sentences, in one paragraph."""
    sentences = sentences or (DEADLINE,)
    whole = " ".join(sentences)
    passages = tuple(Passage("Study Rules", a_sentence(one), None, None, whole) for one in sentences)
    return CitableSource(
        **{"number": number, "title": "Study Rules", "text": whole, "passages": passages, "score": score} | facts
    )


def findings(*sources: CitableSource, **facts: Any) -> Findings:
    """Their scores are all there were, unless others are given."""
    return Findings(**{"sources": sources, "scores": tuple(one.score for one in sources)} | facts)


def asks(question: str = "When is a project handed in?", **facts: Any) -> Question:
    return Question(**{"question": question, "query": question} | facts)


def claims(*told: tuple[str, list[int]]) -> dict[str, Any]:
    """A language model's answer, as it should be."""
    return {"claims": [{"text": text, "sources": numbers} for text, numbers in told]}


@contextmanager
def answering(server: LanguageServer | None = None, **facts: Any) -> Iterator[AnswerSettings]:
    """By the model that the server plays, or without one; a busy machine is given its time."""
    if server is None:
        yield AnswerSettings(WordEmbedder(), **facts)
        return
    ledger = SqlLedger("sqlite://")
    paid = PaidModel(server.openai(), ledger, Price(1, 1), 10**9, today=lambda: date(2026, 11, 20))
    yield AnswerSettings(WordEmbedder(), paid, **{"seconds": 60} | facts)
    ledger.close()
