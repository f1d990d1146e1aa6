"""What batches of essays are done with, and their tasks.

A task belongs to the window in which its batch was begun; essays left over get tasks with other names in the next window."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from chapterverse.core.errors import BadRequest
from chapterverse.core.language import ModelAnswer, Prompt, Schema
from chapterverse.core.ports import Bucket, TaskQueue
from chapterverse.core.tasks import TASK_ATTEMPTS, Task, TaskKind
from chapterverse.essays.batch.model import BatchKey, EssayBatch, EssayState
from chapterverse.essays.batch.store import SqlBatches
from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.service import EssayContext
from chapterverse.infrastructure.sql.engine import utc_now
from chapterverse.library.services import CollectionServices
from chapterverse.library.tasks import Body, named_task, text_in


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Limits of a batch. window: the time it has (S1-5). attempts: at an essay before it is given up."""

    essays: int = 1_000  # S1-4 plans for 1,000 students a school
    window: timedelta = timedelta(hours=12)
    attempts: int = TASK_ATTEMPTS


class Predictor(Protocol):
    """A language model that answers many prompts in one job, within hours; folder: of the results, ends with a slash.

    Raises as LanguageModel does; ModelUnavailable, too, for a job that failed."""

    def ask(self, folder: str, prompts: Mapping[str, Prompt], schema: Schema) -> str:
        """Begin a job: its name. The prompts' ids are of digits, small letters and "-". The same folder again: the same job."""

    def answers(self, folder: str, job: str) -> Mapping[str, ModelAnswer] | None:
        """Those that can be used, by the ids of their prompts; None while it is under way."""

    def forget(self, job: str) -> None:
        """Stop it, if it goes on. What it has read and written goes with the folder."""


@dataclass(frozen=True)
class BatchContext:
    """What batches are done with; composition builds it, tests build their own. essays: with the embedder's bulk lane and no
    deadline to speak of; results: the bucket of essays and what is written on them; predictor: None if essays are sent to the
    language model one by one."""

    essays: EssayContext
    store: SqlBatches
    results: Bucket
    queue: TaskQueue
    limits: BatchLimits = field(default_factory=BatchLimits)
    now: Callable[[], datetime] = utc_now
    predictor: Predictor | None = None

    @property
    def services(self) -> CollectionServices:
        """Those that the essays are given feedback with."""
        return self.essays.services

    @property
    def history(self) -> FeedbackHistory:
        """Where the feedback on each essay is stored, as outside batches."""
        return self.essays.history


AT_ONCE = 16  # tasks added in parallel: a thousand one by one would take a remote queue too long


@dataclass(frozen=True, slots=True)
class Attempt:
    """A batch in one window."""

    key: BatchKey
    began: datetime

    def goes_on(self, batch: EssayBatch, now: datetime) -> bool:
        """Whether the batch is under way in that window."""
        return batch.began == self.began and batch.due is not None and now < batch.due


def essay_task(batch: EssayBatch, number: int) -> Task:
    """Write feedback on one essay."""
    return named_task(TaskKind.ESSAY, {**_body_of(batch), "essay": number})


def predict_task(batch: EssayBatch) -> Task:
    """Have a batch prediction write for all of it, and then its essays be done."""
    return named_task(TaskKind.PREDICT, _body_of(batch))


def ask_for_essays(batch: EssayBatch, context: BatchContext) -> None:
    """Each that waits, as a task. Raises NotFound, QueueUnavailable."""
    waiting = [essay.number for essay in context.store.essays(batch.key) if essay.state is EssayState.WAITING]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(lambda number: context.queue.add(essay_task(batch, number)), waiting):
            pass  # but an error is raised


def attempt_in(body: Body) -> Attempt:
    """The batch that a task is about. Raises BadRequest."""
    try:
        return Attempt(
            BatchKey(text_in(body, "school"), text_in(body, "batch")), datetime.fromisoformat(text_in(body, "began"))
        )
    except ValueError as error:
        raise BadRequest("task_without_begin") from error


def number_in(body: Body) -> int:
    """The essay that a task is about. Raises BadRequest."""
    if isinstance(number := body.get("essay"), int):
        return number
    raise BadRequest("task_without_essay")


def _body_of(batch: EssayBatch) -> dict[str, str | int]:
    began = batch.began.isoformat() if batch.began else ""
    return {"school": batch.key.school, "batch": batch.key.batch, "began": began}
