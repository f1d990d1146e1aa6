"""The log of given answers: metrics of each, ratings and statistics."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from itertools import groupby
from secrets import token_urlsafe
from time import perf_counter
from typing import Any

import numpy as np

from chapterverse.core.ports import Embedder
from chapterverse.essays.model import Rating
from chapterverse.questions.answers import Answer, Findings
from chapterverse.questions.model import GivenAnswer
from chapterverse.questions.store import SqlAnswers

log = logging.getLogger(__name__)
DOUBTFUL, ENOUGH = 0.4, 20  # mean score below which an alert is due (S2-12), and answers that tell anything
LOW = "low"  # the lowest confidence band
ALIKE = 0.7  # mean cosine of a question to those of a group; of different questions on one topic it is less


@dataclass(frozen=True, slots=True)
class Quartiles:
    """The 25th, 50th and 75th percentile."""

    lower: float
    median: float
    upper: float


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """Seconds from question to answer: the 50th and 95th percentile."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class AnswerStatistics:
    """Statistics of some answers. mean: of all scores; best: mean of the best scores; low: answers that say nothing or are in
    the lowest band; low_share: of all. relevance: mean over the answers that have one. up, down: ratings. similarity: of the
    answers' mean scores. Null where there is nothing to average."""

    answers: int
    mean: float | None
    best: float | None
    low: int
    low_share: float | None
    relevance: float | None
    up: int
    down: int
    similarity: Quartiles | None
    times: AnswerTimes | None

    @property
    def doubtful(self) -> bool:
        """Whether the mean score of enough answers is below DOUBTFUL."""
        return self.answers >= ENOUGH and self.mean is not None and self.mean < DOUBTFUL


@dataclass(frozen=True, slots=True)
class DayStatistics(AnswerStatistics):
    """Statistics of one day, UTC."""

    day: date


@dataclass(frozen=True, slots=True)
class IntentStatistics(AnswerStatistics):
    """Statistics of one kind of question."""

    intent: str


def grouped(answers: Sequence[GivenAnswer], embedder: Embedder) -> list[list[GivenAnswer]]:
    """The answers in groups of questions that are alike, the largest group first, else in their order. Raises
    EmbedderUnavailable."""
    groups: list[list[int]] = []
    vectors = embedder.embed_queries([one.question or "" for one in answers]) if answers else np.empty((0, 0))
    for at, vector in enumerate(vectors):
        likeness = [float((vectors[group] @ vector).mean()) for group in groups]
        best = int(np.argmax(likeness)) if groups else 0
        if groups and likeness[best] >= ALIKE:
            groups[best].append(at)
        else:
            groups.append([at])
    return [[answers[at] for at in group] for group in sorted(groups, key=len, reverse=True)]


def note_answer(
    school: str, application: str, answer: Answer, findings: Findings, *, answers: SqlAnswers, now: datetime, began: float
) -> str:
    """Store the metrics of an answer; returns its id, for ratings. began: by perf_counter(). Raises CatalogUnavailable."""
    given = GivenAnswer(
        id=token_urlsafe(16),
        school=school,
        application=application,
        created=now,
        scores=findings.scores,
        band=answer.confidence.band,
        relevance=answer.confidence.relevance,
        nothing=answer.nothing,
        cited=tuple(dict.fromkeys(cited.passage.sentence.id for cited in answer.citations)),
        intent=answer.intent.name.value if answer.intent else None,
        seconds=perf_counter() - began,
    )
    answers.add(given)
    return given.id


def rate_answer(school: str, id: str, rating: Rating, question: str | None, answers: SqlAnswers) -> None:
    """Store the user's rating in place of an earlier one. question: stored with it. Raises NotFound."""
    answers.change(school, id, lambda given: replace(given, rating=rating, question=question))
    log.info("answer rated", extra={"school": school, "rating": rating.value})


def statistics_of(answers: Sequence[GivenAnswer]) -> AnswerStatistics:
    """Statistics of all the answers."""
    low = sum(given.nothing or given.band == LOW for given in answers)
    means = [given.mean for given in answers]
    return AnswerStatistics(
        answers=len(answers),
        mean=_mean(means),
        best=_mean([max(given.scores, default=0.0) for given in answers]),
        low=low,
        low_share=low / len(answers) if answers else None,
        relevance=_mean([given.relevance for given in answers if given.relevance is not None]),
        up=sum(given.rating is Rating.UP for given in answers),
        down=sum(given.rating is Rating.DOWN for given in answers),
        similarity=Quartiles(*_quantiles(means, 0.25, 0.5, 0.75)) if answers else None,
        times=_times([given.seconds for given in answers if given.seconds is not None]),
    )


def statistics_by_day(answers: Sequence[GivenAnswer]) -> list[DayStatistics]:
    """Statistics of each day (UTC) with answers, oldest first. answers: oldest first."""
    days = groupby(answers, key=lambda given: given.created.date())
    return [DayStatistics(**_fields(statistics_of(list(group))), day=day) for day, group in days]


def statistics_by_intent(answers: Iterable[GivenAnswer]) -> list[IntentStatistics]:
    """Statistics of each kind of question, by name; answers without a kind are left out."""
    known = sorted((given for given in answers if given.intent), key=lambda given: given.intent or "")
    groups = groupby(known, key=lambda given: given.intent or "")
    return [IntentStatistics(**_fields(statistics_of(list(group))), intent=intent) for intent, group in groups]


def start_of_days(days: int, now: datetime) -> datetime:
    """The beginning of the last `days` days, today included."""
    return datetime.combine(now.date(), datetime.min.time(), now.tzinfo) - timedelta(days=days - 1)


def _fields(of: AnswerStatistics) -> dict[str, Any]:
    """Not asdict: it would turn the inner dataclasses into dicts."""
    return {field.name: getattr(of, field.name) for field in fields(of)}


def _times(seconds: Sequence[float]) -> AnswerTimes | None:
    return AnswerTimes(*_quantiles(seconds, 0.5, 0.95)) if seconds else None


def _quantiles(values: Sequence[float], *quantiles: float) -> list[float]:
    return [float(each) for each in np.quantile(values, quantiles)]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
