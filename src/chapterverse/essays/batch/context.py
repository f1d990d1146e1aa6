"""The context of batches, and the tasks for their essays.

A task belongs to the time window in which its batch was begun; essays left over get new tasks in the next window."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chapterverse.core.ports import Bucket, TaskQueue
from chapterverse.core.tasks import TASK_ATTEMPTS, Task, TaskKind, named_task
from chapterverse.essays.batch.model import BatchKey, EssayBatch, EssayState
from chapterverse.essays.batch.store import SqlBatches
from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.service import EssayContext
from chapterverse.infrastructure.sql import utc_now
from chapterverse.library.services import CollectionServices

if TYPE_CHECKING:
    from chapterverse.infrastructure.llm.gemini import VertexBatch

AT_ONCE = 16  # tasks added in parallel: a thousand one by one would take a remote queue too long


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Limits of a batch. window: its time (S1-5). attempts: per essay and window."""

    essays: int = 1_000  # S1-4 plans for 1,000 students per school
    window: timedelta = timedelta(hours=12)
    attempts: int = TASK_ATTEMPTS


@dataclass(frozen=True)
class BatchContext:
    """Everything that batches need. essays: with the embedder's bulk queue and a generous time limit; results: the bucket of
    submitted essays and results; predictor: None if the language model is asked for each essay separately."""

    essays: EssayContext
    store: SqlBatches
    results: Bucket
    queue: TaskQueue
    limits: BatchLimits = field(default_factory=BatchLimits)
    now: Callable[[], datetime] = utc_now
    predictor: "VertexBatch | None" = None

    @property
    def services(self) -> CollectionServices:
        return self.essays.services

    @property
    def history(self) -> FeedbackHistory:
        return self.essays.history


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a task is about: a batch in one time window. essay: the number of one essay, 0 for all of them."""

    school: str
    batch: str
    began: datetime
    essay: int

    @property
    def key(self) -> BatchKey:
        return BatchKey(self.school, self.batch)

    def goes_on(self, batch: EssayBatch, now: datetime) -> bool:
        """Whether the batch is still running in that window."""
        return batch.began == self.began and batch.due is not None and now < batch.due


def task_of(kind: TaskKind, batch: EssayBatch, essay: int = 0) -> Task:
    """A task of the batch. essay: the number of one essay, 0 for all of them."""
    began = batch.began.isoformat() if batch.began else ""
    return named_task(kind, {"school": batch.key.school, "batch": batch.key.batch, "began": began, "essay": essay})


def add_tasks(batch: EssayBatch, context: BatchContext, person: str = "", wait: int = 0) -> None:
    """Add a task for each waiting essay. person: who waits for it; wait: seconds. Raises NotFound, QueueUnavailable."""
    waiting = [essay.number for essay in context.store.essays(batch.key) if essay.state is EssayState.WAITING]
    tasks = (task_of(TaskKind.ESSAY, batch, number) for number in waiting)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(context.queue.add, (replace(each, person=person, wait=wait) for each in tasks)))  # raises their errors
