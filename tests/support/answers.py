"""Sources, questions and what a language model says of them, made with only what a test cares about."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from tempfile import TemporaryDirectory
from typing import Any

from chapterverse.core.hits import Passage
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.questions.answers import CitableSource, Findings, Question, QuotedPassage, Reading
from chapterverse.questions.model import Answerability, ConfidenceLevel
from chapterverse.questions.styles import AnswerSettings
from tests.support.language_servers import LanguageServer
from tests.support.made import a_sentence
from tests.support.word_embedder import WordEmbedder

FORM = "The form for a late project is handed in at the registry."
DEADLINE = "A project is handed in by 30 June at noon."
FEE = "A late project costs a fee of 25 euros."


def a_source(number: int = 1, *sentences: str, score: float = 0.8, **facts: Any) -> CitableSource:
    """Of these sentences, in one paragraph."""
    own = [a_sentence(one) for one in sentences or (DEADLINE,)]
    whole = " ".join(one.text for one in own)
    return CitableSource(
        **{
            "number": number,
            "title": "Study Rules",
            "text": whole,
            "sentences": tuple(own),
            "passage": lambda one: Passage("Study Rules", one, None, None, whole),
            "unit": lambda one: (one,),
            "score": score,
        }
        | facts
    )


def findings(*sources: CitableSource, standing: ConfidenceLevel = ConfidenceLevel.CONFIDENT, **facts: Any) -> Findings:
    """With one passage of each source, whose first sentence is lit. Their scores are all there were, unless others are
    given."""
    shown = tuple(
        QuotedPassage(one, tuple(map(one.passage, one.sentences)), frozenset({one.sentences[0].id}), one.score, one.score)
        for one in sources
        if not one.whole
    )
    entries = tuple(one for one in sources if one.whole)
    reading = Reading(() if entries else shown, Answerability(0.9, standing) if sources else None, entries)
    scores = tuple(one.score for one in sources)
    return Findings(**{"sources": sources, "scores": scores, "read": lambda: reading} | facts)


def asks(question: str = "When is a project handed in?", **facts: Any) -> Question:
    return Question(**{"question": question, "query": question} | facts)


def claims(*told: tuple[str, int, str]) -> dict[str, Any]:
    """A language model's answer, as it should be: text, number of the source, words of the source. The first one answers."""
    return {
        "claims": [
            {"text": text, "answers": at == 0, "grounds": [{"source": number, "words": words}]}
            for at, (text, number, words) in enumerate(told)
        ]
    }


KEEPS = {"problem": "", "true_of_words": True, "true_of_sources": True, "decent": True}


@contextmanager
def answering(server: LanguageServer | None = None, **facts: Any) -> Iterator[AnswerSettings]:
    """By the model that the server plays, or without one; a busy machine is given its time."""
    if server is None:
        yield AnswerSettings(WordEmbedder(), **facts)
        return
    with TemporaryDirectory() as folder:  # a database in memory is one of a thread
        ledger = SqlLedger(f"sqlite:///{folder}/ledger.db")
        paid = PaidModel(server.openai(), ledger, Price(1, 1), 10**9, today=lambda: date(2026, 11, 20))
        yield AnswerSettings(WordEmbedder(), paid, **{"seconds": 60} | facts)
        ledger.close()
