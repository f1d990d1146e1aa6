"""What feedback overnight is made with; the composition root fills it in, tests build their own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from chapterverse.ports import BatchStore, Bucket, TaskQueue
from chapterverse.retrieval.plan import ESSAY_FEEDBACK, RetrievalPlan
from chapterverse.usecases.services import Services
from chapterverse.usecases.writing import Writing


def utc_now() -> datetime:
    """The moment, with its zone."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class NightLimits:
    """The defaults and their sources are in settings. attempts: at an essay before it is given up."""

    essays: int = 1_000
    essay_words: int = 20_000
    window: timedelta = timedelta(hours=12)
    attempts: int = 50


@dataclass(frozen=True)
class Night:
    """services: their embedder is the bulk lane; results: where essays and what is written on them is kept; writing: patient,
    because nobody waits."""

    services: Services
    store: BatchStore
    results: Bucket
    queue: TaskQueue
    writing: Writing = field(default_factory=Writing)
    plan: RetrievalPlan = ESSAY_FEEDBACK
    limits: NightLimits = field(default_factory=NightLimits)
    now: Callable[[], datetime] = utc_now
