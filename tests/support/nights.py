"""A night on real storage: books typed in the test, essays handed in, a queue that does its tasks when it is told to."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from chapterverse.citations.model import VerdictKind
from chapterverse.core.book import Collection
from chapterverse.core.errors import RetryableError
from chapterverse.core.tasks import Task
from chapterverse.essays.batch.context import Night, NightLimits
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.model import EssayBatch
from chapterverse.essays.batch.service import begin_batch, hand_in
from chapterverse.essays.batch.store import SqlBatches
from chapterverse.essays.batch.tasks import run_night_task
from chapterverse.essays.history import Keeping
from chapterverse.essays.store import SqlFeedback
from chapterverse.essays.writing.writing import Writing, each
from chapterverse.evaluation.measurements import MeasuringContext
from chapterverse.evaluation.store import SqlMeasurements
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.books import TextParser
from tests.support.essays import always
from tests.support.intake import ArrayIndex
from tests.support.shelved import shelve
from tests.support.word_embedder import WordEmbedder

TEN = datetime(2026, 11, 20, 22, tzinfo=UTC)
TRUTH = "Silencing an opinion robs mankind of truth."


@dataclass
class Clock:
    """Moves when somebody moves it."""

    now: datetime = TEN

    def __call__(self) -> datetime:
        return self.now

    def later(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class NightQueue:
    """TaskQueue that keeps its tasks until somebody does them."""

    waiting: list[Task] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def add(self, task: Task) -> None:
        if task.name not in self.names:
            self.names.add(task.name)
            self.waiting.append(task)

    def do_all(self, night: Night, attempt: int = 1) -> None:
        """Each once; one that fails for now stays."""
        for task in list(self.waiting):
            try:
                run_night_task(task, attempt, night)
            except RetryableError:
                continue
            self.waiting.remove(task)


def queue_of(night: Night) -> NightQueue:
    """That of a_night."""
    assert isinstance(night.queue, NightQueue)
    return night.queue


@contextmanager
def a_night(folder: Path, **changes: Any) -> Iterator[Night]:
    """At ten in the evening; the school has a book with one sentence worth finding."""
    clock, url = Clock(), f"sqlite:///{folder}/catalog.db"
    with closing(SqlCatalog(url)) as catalog, closing(SqlBatches(url, clock)) as store, closing(SqlFeedback(url)) as feedback:
        services = CollectionServices(FolderBucket(folder / "artefacts"), catalog, ArrayIndex(), WordEmbedder(), TextParser())
        shelve(services, "On Liberty", [TRUTH])
        night = Night(
            services=services,
            store=store,
            results=FolderBucket(folder / "results"),
            queue=NightQueue(),
            keeping=Keeping(feedback, days=30, now=clock),
            writing=Writing(judge=each(always(VerdictKind.NOT_FOUND))),
            plan=replace(ESSAY_FEEDBACK, min_score=0.3),  # for words that are equal or not
            limits=NightLimits(essays=10, attempts=3),
            now=clock,
        )
        yield replace(night, **changes)


def measuring_of(night: Night) -> MeasuringContext:
    """On the same books; nothing is measured yet."""
    store = SqlMeasurements("sqlite://")
    return MeasuringContext(
        store, NightQueue(), {Collection.BOOKS: night.services}, night.plan, night.writing.paid, now=night.now
    )


def entries(*texts: str) -> list[Entry]:
    """Essays of ada, ben, cleo …"""
    names = ("ada", "ben", "cleo", "dan", "eve", "finn")
    return [Entry(number, name, None, text) for number, (name, text) in enumerate(zip(names, texts, strict=False), start=1)]


def begun(night: Night, given: Sequence[Entry], books: Sequence[str] = ()) -> EssayBatch:
    """Handed in, and under way."""
    return begin_batch(hand_in("school", given, books, night).key, night)


def lines(data: bytes) -> list[dict[str, Any]]:
    """JSON lines, read."""
    return [json.loads(line) for line in data.splitlines()]
