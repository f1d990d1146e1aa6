"""A night on real storage: books typed in the test, essays handed in, a queue that does its tasks when it is told to."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from chapterverse.core.errors import RetryableError
from chapterverse.essays.batch.context import BatchContext, BatchLimits
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.files import BatchOrder
from chapterverse.essays.batch.model import EssayBatch
from chapterverse.essays.batch.service import begin_batch, run_batch_task, submit_batch
from chapterverse.essays.batch.store import SqlBatches
from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.service import EssayContext, Writing
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.intake import MemoryBucket, WaitingTasks, index_in
from tests.support.shelved import empty_library, shelve

EVENING = datetime(2026, 11, 20, 22, tzinfo=UTC)
TRUTH = "Silencing an opinion robs mankind of truth."


@dataclass
class Clock:
    """Moves when somebody moves it."""

    now: datetime = EVENING

    def __call__(self) -> datetime:
        return self.now

    def later(self, **by: float) -> None:
        self.now += timedelta(**by)


class ManualQueue(WaitingTasks):
    """The tasks of batches."""

    def do_all(self, context: BatchContext, attempt: int = 1) -> None:
        """Each once; one that fails for now stays."""
        for task in list(self.waiting):
            try:
                run_batch_task(task, attempt, context)
            except RetryableError:
                continue
            self.waiting.remove(task)


def queue_of(context: BatchContext) -> ManualQueue:
    """That of a_batch_context."""
    assert isinstance(context.queue, ManualQueue)
    return context.queue


@contextmanager
def a_batch_context(folder: Path, history: FeedbackHistory | None = None, **changes: Any) -> Iterator[BatchContext]:
    """At ten in the evening; the school has a book with one sentence worth finding."""
    clock, database = history.now if history else Clock(), Database(f"sqlite:///{folder}/catalog.db")
    with empty_library(folder, database) as library:
        services = replace(library, index=index_in(MemoryBucket()), school_settings=None)
        shelve(services, "On Liberty", [TRUTH])
        context = BatchContext(
            essays=EssayContext(
                services,
                history or FeedbackHistory(SqlFeedback(database), days=30, now=clock),
                Writing(),
                replace(ESSAY_FEEDBACK, min_score=0.3),  # for words that are equal or not
            ),
            store=SqlBatches(database, clock),
            results=FolderBucket(folder / "results"),
            queue=ManualQueue(),
            limits=BatchLimits(essays=10, attempts=3),
            now=clock,
        )
        yield replace(context, **changes)


@contextmanager
def history_in(folder: Path, clock: Clock, days: int = 30) -> Iterator[FeedbackHistory]:
    """Of feedback, with nothing in it yet."""
    with closing(SqlFeedback(f"sqlite:///{folder}/catalog.db")) as store:
        yield FeedbackHistory(store, days, now=clock)


def entries(*texts: str) -> list[EssayEntry]:
    """Essays of ada, ben, cleo …"""
    names = ("ada", "ben", "cleo", "dan", "eve", "finn")
    return [
        EssayEntry(number, name, None, text) for number, (name, text) in enumerate(zip(names, texts, strict=False), start=1)
    ]


def begun(
    context: BatchContext, given: Sequence[EssayEntry], books: Sequence[str] = (), order: BatchOrder | None = None
) -> EssayBatch:
    """Handed in, and under way."""
    return begin_batch(submit_batch("school", given, books, context, order=order).key, context)


def lines(data: bytes) -> list[dict[str, Any]]:
    """JSON lines, read."""
    return [json.loads(line) for line in data.splitlines()]


def with_history(context: BatchContext, **changes: Any) -> BatchContext:
    """The same with another history of feedback."""
    return replace(context, essays=replace(context.essays, history=replace(context.history, **changes)))


def with_writing(context: BatchContext, **changes: Any) -> BatchContext:
    """The same with feedback written otherwise."""
    return replace(context, essays=replace(context.essays, writing=replace(context.essays.writing, **changes)))
