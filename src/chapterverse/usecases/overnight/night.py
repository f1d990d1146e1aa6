"""What feedback overnight is made with; the composition root fills it in, tests build their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from chapterverse.essay.parse import MAX_WORDS
from chapterverse.language import Answer, Prompt, Schema
from chapterverse.model.service import TASK_ATTEMPTS
from chapterverse.ports import BatchStore, Bucket, TaskQueue
from chapterverse.retrieval.plan import ESSAY_FEEDBACK, RetrievalPlan
from chapterverse.usecases.kept_feedback import Keeping, utc_now
from chapterverse.usecases.services import Services
from chapterverse.usecases.writing import Writing


@dataclass(frozen=True, slots=True)
class NightLimits:
    """Limits of a batch. window: the time it has (S1, Latency). attempts: at an essay before it is given up."""

    essays: int = 1_000  # S1 plans for 1,000 students a school
    essay_words: int = MAX_WORDS
    window: timedelta = timedelta(hours=12)
    attempts: int = TASK_ATTEMPTS


class Predictor(Protocol):
    """A language model that answers many prompts in one job, within hours; folder: of the results, ends with a slash.

    Raises as LanguageModel does; ModelUnavailable, too, for a job that failed."""

    def ask(self, folder: str, prompts: Mapping[str, Prompt], schema: Schema) -> str:
        """Begin a job: its name. The prompts' ids are of digits, small letters and "-". The same folder again: the same job."""

    def answers(self, folder: str, job: str) -> Mapping[str, Answer] | None:
        """Those that can be used, by the ids of their prompts; None while it is under way."""

    def forget(self, job: str) -> None:
        """Stop it, if it goes on. What it has read and written goes with the folder."""


@dataclass(frozen=True)
class Night:
    """services: their embedder is the bulk lane; results: where essays and what is written on them is kept; keeping: where the
    feedback on each is, as by day; writing: patient, because nobody waits; predictor: None where essays are asked about one by
    one."""

    services: Services
    store: BatchStore
    results: Bucket
    queue: TaskQueue
    keeping: Keeping
    writing: Writing = field(default_factory=Writing)
    plan: RetrievalPlan = ESSAY_FEEDBACK
    limits: NightLimits = field(default_factory=NightLimits)
    now: Callable[[], datetime] = utc_now
    predictor: Predictor | None = None
