"""The log of given answers: metrics of each, ratings and statistics."""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from secrets import token_urlsafe
from time import perf_counter
from typing import Any

import numpy as np

from chapterverse.core.book import SentenceId
from chapterverse.core.requests import Record
from chapterverse.essays.model import Rating
from chapterverse.questions.answers import Findings
from chapterverse.questions.model import GivenAnswer
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.store import SqlAnswers
from chapterverse.questions.styles import AnswerStyle

log = logging.getLogger(__name__)
DOUBTFUL, ENOUGH = 0.4, 20  # mean score below which an alert is due (S2-12), and answers that tell anything
LOW = "low"  # the lowest confidence band


class AnswerStatistics(Record):
    """Statistics of some answers. name: a day (UTC) or a kind of question, empty for all. mean, median: of the answers' mean
    scores; low: answers that say nothing or are in the lowest band; low_share: of all. up, down: ratings. p50:
    median of the seconds from question to answer. Null where there is nothing to average."""

    name: str
    answers: int
    mean: float | None
    median: float | None
    low: int
    low_share: float | None
    up: int
    down: int
    p50: float | None

    @property
    def doubtful(self) -> bool:
        """Whether the mean score of enough answers is below DOUBTFUL."""
        return self.answers >= ENOUGH and self.mean is not None and self.mean < DOUBTFUL


def note_answer(
    school: str, style: AnswerStyle, answer: AnswerRecord, found: Findings, *, answers: SqlAnswers, now: datetime, began: float
) -> str:
    """Store the metrics of an answer, and log them, none of its text; returns its id, for ratings. began: by perf_counter().
    Raises CatalogUnavailable."""
    given = GivenAnswer(
        id=token_urlsafe(16),
        school=school,
        application=style.name,
        created=now,
        scores=found.scores,
        band=answer.confidence.band,
        relevance=answer.confidence.relevance,
        nothing=answer.nothing,
        cited=tuple(dict.fromkeys(SentenceId(cited.sentence_id) for cited in answer.citations)),
        intent=answer.intent.name if answer.intent else None,
        seconds=perf_counter() - began,
    )
    answers.add(given)
    doubtful = style.doubtful is not None and found.mean < style.doubtful
    log.log(
        logging.WARNING if doubtful else logging.INFO,
        "question answered from what hardly bears on it" if doubtful else "question answered",
        extra={
            **{name: getattr(given, name) for name in ("school", "application", "band", "relevance", "intent", "nothing")},
            "scores": list(given.scores),
            "best": found.best,
            "mean": found.mean,
            "answerable": answer.confidence.answerable and answer.confidence.answerable.score,
        },
    )
    return given.id


def statistics_of(answers: Sequence[GivenAnswer], name: str = "") -> AnswerStatistics:
    low = sum(given.nothing or given.band == LOW for given in answers)
    means = [_of(given.scores, np.mean) or 0.0 for given in answers]
    seconds = [given.seconds for given in answers if given.seconds is not None]
    return AnswerStatistics(
        name=name,
        answers=len(answers),
        mean=_of(means, np.mean),
        median=_of(means, np.median),
        low=low,
        low_share=low / len(answers) if answers else None,
        up=sum(given.rating is Rating.UP for given in answers),
        down=sum(given.rating is Rating.DOWN for given in answers),
        p50=_of(seconds, np.median),
    )


def statistics_by(key: Callable[[GivenAnswer], str | None], answers: Iterable[GivenAnswer]) -> list[AnswerStatistics]:
    """Statistics of the answers of each key, such as a day or a kind of question, by key; those without one are left out."""
    named = sorted(((name, given) for given in answers if (name := key(given))), key=lambda one: one[0])
    return [statistics_of([given for _, given in its], name) for name, its in groupby(named, key=lambda one: one[0])]


def start_of_days(days: int, now: datetime) -> datetime:
    """The beginning of the last `days` days, today included."""
    return datetime.combine(now.date(), datetime.min.time(), now.tzinfo) - timedelta(days=days - 1)


def _of(values: Sequence[float], how: Callable[[Sequence[float]], Any]) -> float | None:
    return float(how(values)) if values else None
