"""Answers that were given: noted in figures, watched, and those with a thumb used again as evaluation cases."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import groupby
from secrets import token_urlsafe
from time import perf_counter
from typing import Any

import numpy as np

from chapterverse.essays.model import Rating
from chapterverse.questions.answers import Answer, Findings
from chapterverse.questions.model import GivenAnswer
from chapterverse.questions.store import SqlAnswers

notes = logging.getLogger(__name__)

DOUBTFUL = 0.4  # mean of the scores below which something is amiss (S2-12)

LOW = "low"  # the band of an answer that is none, or hardly one


@dataclass(frozen=True, slots=True)
class AnswerStatistics:
    """Of some answers: how many; the means of their scores and of the best ones; how many say nothing or are hardly sure; the
    relevance of the others; thumbs up and down; how the means of the answers' scores are spread; how long they took. The last
    two are None where nothing is known."""

    answers: int
    mean: float | None
    best: float | None
    low: int
    relevance: float | None
    up: int
    down: int
    similarity: "Quartiles | None" = None
    times: "AnswerTimes | None" = None

    @property
    def low_share(self) -> float | None:
        """Of all; None where there are none."""
        return self.low / self.answers if self.answers else None

    @property
    def doubtful(self) -> bool:
        """Whether the scores are so low that somebody should look."""
        return self.mean is not None and self.mean < DOUBTFUL


@dataclass(frozen=True, slots=True)
class Quartiles:
    """Of some figures: below how much a quarter, half and three quarters of them are."""

    lower: float
    median: float
    upper: float


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """Seconds that half of the answers, and 95 of 100, took at most."""

    p50: float
    p95: float


class AnswerTimer:
    """How long an answer takes, from when this is made."""

    def __init__(self) -> None:
        self._began = perf_counter()

    @property
    def seconds(self) -> float:
        """So far."""
        return perf_counter() - self._began


def note_answer(
    school: str, application: str, answer: Answer, findings: Findings, *, log: SqlAnswers, now: datetime, watch: AnswerTimer
) -> str:
    """Keep the figures of an answer: the id by which it can be given a thumb. Raises CatalogUnavailable."""
    given = GivenAnswer(
        id=token_urlsafe(16),
        school=school,
        application=application,
        created=now,
        scores=findings.scores,
        band=answer.confidence.band,
        relevance=answer.confidence.relevance,
        nothing=answer.nothing,
        cited=tuple(dict.fromkeys(cited.passage.sentence.id for claim in answer.claims for cited in claim.citations)),
        intent=answer.intent.name.value if answer.intent else None,
        seconds=watch.seconds,
    )
    log.add(given)
    return given.id


def give_thumb(school: str, id: str, thumb: Rating, question: str | None, log: SqlAnswers) -> None:
    """What the user thinks of it, in the place of an earlier thumb; question: to be kept with it. Raises NotFound."""
    log.change(school, id, lambda given: replace(given, thumb=thumb, question=question))
    notes.info("thumb given", extra={"school": school, "thumb": thumb.value})


def figures_by_day(answers: Sequence[GivenAnswer]) -> list[tuple[date, AnswerStatistics]]:
    """Of each day (UTC) on which there were any, oldest first. answers: by the time that they were given at."""
    days = groupby(answers, key=lambda given: given.created.date())
    return [(day, figures_of(list(of_day))) for day, of_day in days]


def figures_by_intent(answers: Iterable[GivenAnswer]) -> dict[str, AnswerStatistics]:
    """Of each kind of question that was asked, by name; without those given before kinds were noted."""
    noted = sorted((given for given in answers if given.intent), key=lambda given: given.intent or "")
    return {intent or "": figures_of(list(of_one)) for intent, of_one in groupby(noted, key=lambda given: given.intent)}


def figures_of(answers: Sequence[GivenAnswer]) -> AnswerStatistics:
    """Of all of them."""
    return AnswerStatistics(
        answers=len(answers),
        mean=_mean(given.mean for given in answers),
        best=_mean(max(given.scores, default=0.0) for given in answers),
        low=sum(given.nothing or given.band == LOW for given in answers),
        relevance=_mean(given.relevance for given in answers if given.relevance is not None),
        up=sum(given.thumb is Rating.UP for given in answers),
        down=sum(given.thumb is Rating.DOWN for given in answers),
        similarity=_spread([given.mean for given in answers]),
        times=_times([given.seconds for given in answers if given.seconds is not None]),
    )


def cases(answers: Iterable[GivenAnswer]) -> Iterator[dict[str, Any]]:
    """Evaluation cases: questions that were handed in with a thumb, and the sentences that bore the answer: right ones where it
    was up, wrong ones where it was down."""
    for given in answers:
        if given.thumb and given.question:
            yield {
                "id": given.id,
                "application": given.application,
                "question": given.question,
                "thumb": given.thumb.value,
                "sentences": list(given.cited),
                "scores": list(given.scores),
                "intent": given.intent,
            }


def since(days: int, now: datetime) -> datetime:
    """The beginning of so many days, today the last."""
    return datetime.combine(now.date(), datetime.min.time(), now.tzinfo) - timedelta(days=days - 1)


def _spread(values: Sequence[float]) -> Quartiles | None:
    return Quartiles(*(float(each) for each in np.quantile(values, (0.25, 0.5, 0.75)))) if values else None


def _times(seconds: Sequence[float]) -> AnswerTimes | None:
    return AnswerTimes(*(float(each) for each in np.quantile(seconds, (0.5, 0.95)))) if seconds else None


def _mean(values: Iterable[float]) -> float | None:
    given = list(values)
    return sum(given) / len(given) if given else None
