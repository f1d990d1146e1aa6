"""What questions are answered with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapterverse.composition import models, stores
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chapterverse.ports import AnswerLog, Embedder, Redactor
    from chapterverse.settings import Settings
    from chapterverse.usecases.answers.answering import Answering


def answering(s: Settings, embedder: Embedder) -> Answering:
    """The language model, where one is set; else sources speak for themselves."""
    from chapterverse.usecases.answers.answering import Answering
    from chapterverse.usecases.careful_judge import CarefulJudge

    return Answering(
        embedder=embedder,
        paid=models.paid_model(s) if s.llm else None,
        judge=CarefulJudge(embedder),
        redactor=redactor(s),
        rewrite=s.follow_up == "llm",
    )


def other_words(s: Settings) -> Callable[[str], Sequence[str]]:
    """A question in other words, by the language model, which is opened at the first."""
    from chapterverse.usecases.other_words import OtherWords

    return traced("other_words", lambda: OtherWords(models.paid_model(s), redactor(s), s.school))


def redactor(s: Settings) -> Redactor:
    """Presidio, loaded at its first text."""
    from chapterverse.adapters.presidio_redactor import PresidioRedactor

    return traced("redactor", lambda: PresidioRedactor(s.redaction_model))


def answer_log(s: Settings) -> AnswerLog:
    """Figures of answers, in the catalog's database."""
    from chapterverse.adapters.sql_answers import SqlAnswers

    return traced("answers", lambda: SqlAnswers(stores.database(s)))
