"""The log of given answers: metrics of each, ratings and statistics."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from secrets import token_urlsafe
from time import perf_counter

import numpy as np
from pydantic import BaseModel

from chapterverse.core.book import SentenceId
from chapterverse.core.ports import Embedder
from chapterverse.essays.model import Rating
from chapterverse.questions.answers import Findings
from chapterverse.questions.model import GivenAnswer
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.store import SqlAnswers

DOUBTFUL, ENOUGH = 0.4, 20  # mean score below which an alert is due (S2-12), and answers that tell anything
LOW = "low"  # the lowest confidence band
ALIKE = 0.7  # mean cosine of a question to those of a group; of different questions on one topic it is less


class AnswerStatistics(BaseModel):
    """Statistics of some answers. name: a day (UTC) or a kind of question, empty for all. mean, median: of the answers' mean
    scores; best: mean of the best scores; low: answers that say nothing or are in the lowest band; low_share: of all.
    relevance: mean over the answers that have one. up, down: ratings. p50, p95: seconds from question to answer. Null where
    there is nothing to average."""

    name: str
    answers: int
    mean: float | None
    median: float | None
    best: float | None
    low: int
    low_share: float | None
    relevance: float | None
    up: int
    down: int
    p50: float | None
    p95: float | None

    @property
    def doubtful(self) -> bool:
        """Whether the mean score of enough answers is below DOUBTFUL."""
        return self.answers >= ENOUGH and self.mean is not None and self.mean < DOUBTFUL


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
    school: str, application: str, answer: AnswerRecord, findings: Findings, *, answers: SqlAnswers, now: datetime, began: float
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
        cited=tuple(dict.fromkeys(SentenceId(cited.sentence_id) for cited in answer.citations)),
        intent=answer.intent.name.value if answer.intent else None,
        seconds=perf_counter() - began,
    )
    answers.add(given)
    return given.id


def statistics_of(answers: Sequence[GivenAnswer], name: str = "") -> AnswerStatistics:
    """Statistics of all the answers."""
    low = sum(given.nothing or given.band == LOW for given in answers)
    means = [_mean(given.scores) or 0.0 for given in answers]
    seconds = [given.seconds for given in answers if given.seconds is not None]
    return AnswerStatistics(
        name=name,
        answers=len(answers),
        mean=_mean(means),
        median=_quantile(means, 0.5),
        best=_mean([max(given.scores, default=0.0) for given in answers]),
        low=low,
        low_share=low / len(answers) if answers else None,
        relevance=_mean([given.relevance for given in answers if given.relevance is not None]),
        up=sum(given.rating is Rating.UP for given in answers),
        down=sum(given.rating is Rating.DOWN for given in answers),
        p50=_quantile(seconds, 0.5),
        p95=_quantile(seconds, 0.95),
    )


def statistics_by(key: Callable[[GivenAnswer], str | None], answers: Iterable[GivenAnswer]) -> list[AnswerStatistics]:
    """Statistics of the answers of each key, such as a day or a kind of question, by key; those without one are left out."""
    named = sorted(((name, given) for given in answers if (name := key(given))), key=lambda one: one[0])
    return [statistics_of([given for _, given in its], name) for name, its in groupby(named, key=lambda one: one[0])]


def start_of_days(days: int, now: datetime) -> datetime:
    """The beginning of the last `days` days, today included."""
    return datetime.combine(now.date(), datetime.min.time(), now.tzinfo) - timedelta(days=days - 1)


def _quantile(values: Sequence[float], which: float) -> float | None:
    return float(np.quantile(values, which)) if values else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
