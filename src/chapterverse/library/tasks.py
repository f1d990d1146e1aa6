"""Tasks of the library: their bodies as JSON, and the work of index tasks.

    index_batch    embeds one batch of chunks and stores its vectors as a part; the last one continues with
    finish         joins the parts, writes the index, activates the version

A task's name is made from its body, so the same work is the same task. Tasks come at least once, in any order and in parallel,
and a worker may be killed. So each task reads the current state first and does the rest. Final writes hold the claim on the
source; parts are written without it and removed when they are unused. operations/tasks.py runs the tasks."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from itertools import takewhile
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from chapterverse.core.book import Book, Chunk, Collection
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.core.ports import TaskQueue
from chapterverse.core.tasks import StoredFile, Task, TaskKind, named_task
from chapterverse.library.artefacts import load_book
from chapterverse.library.chunks import is_by_sentences, load_chunks
from chapterverse.library.indexing import (
    NO_KNOWN_VECTORS,
    EmbeddedBatch,
    embed_batch,
    known_vectors,
    load_part,
    remove_parts,
    rows_of,
    save_part,
    store_batches,
)
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.versions import Share, finish_version, remove_version, share_with_none, superseded
from chapterverse.messages import Message

Body = Mapping[str, str | int]
What = TypeVar("What")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexTask:
    """One batch of chunks, counted from 0, of one attempt at a version: a version begun again has another `began`."""

    key: VersionKey
    began: datetime
    number: int


BATCH = TypeAdapter(IndexTask)


def read_in(kind: TypeAdapter[What], body: Mapping[str, object]) -> What:
    """What the body of a task has. Raises BadRequest."""
    try:
        return kind.validate_python(body)
    except ValidationError as error:
        raise BadRequest("task_without_field", field=error.errors()[0]["loc"][-1]) from error


file_in = partial(read_in, TypeAdapter(StoredFile))
"""The file of a task; its title and authors are in the store. Raises BadRequest."""

key_in = partial(read_in, TypeAdapter(VersionKey))
"""The version of a task. Raises BadRequest."""


def receive_task(file: StoredFile, person: str = "") -> Task:
    """Task to receive an uploaded file. person: who sent it."""
    return replace(named_task(TaskKind.RECEIVE, {"name": file.name, "generation": file.generation}), person=person)


def index_tasks(version: BookVersion, asked_by: str) -> list[Task]:
    """One task for each batch of the version. asked_by: part of their names; another word gives other tasks."""
    attempt = {**_body_of(version), "asked_by": asked_by}
    return [named_task(TaskKind.INDEX, {**attempt, "batch": batch}) for batch in range(version.batches)]


def cut_task(active: BookVersion, companion: VersionKey, asked_by: str) -> Task:
    """Task to chunk a searched book for lectures as the companion version. asked_by: as in index_tasks."""
    return named_task(TaskKind.CUT, {**_body_of(replace(active, key=companion)), "asked_by": asked_by})


def cut_in(body: Body) -> tuple[VersionKey, str]:
    """The companion version of a task, and its asked_by. Raises BadRequest."""
    return key_in(body), text_in(body, "asked_by")


def remove_task(version: BookVersion) -> Task:
    """Task to remove a version that another one replaced."""
    return named_task(TaskKind.REMOVE, _body_of(version))


def understood(task: Task, read: Callable[[Body], What], attempt: int, attempts: int) -> What | None:
    """The task's subject; None, which ends the task, if it cannot be read after more than `attempts` deliveries.

    Until then it raises BadRequest, so that the task is delivered again: perhaps to the newer release that made it."""
    try:
        return read(task.body)
    except BadRequest as error:
        log.error("task not understood: %s", error, extra={"task": task.name, "attempt": attempt, "error": error.code})
        if attempt > attempts:
            return None
        raise


def batch_in(body: Body) -> IndexTask:
    """The batch of an index task. Raises BadRequest."""
    return read_in(BATCH, {**body, "key": body, "number": body.get("batch")})


def text_in(body: Body, field: str) -> str:
    """The text in a field of a task. Raises BadRequest."""
    value = body.get(field)
    if isinstance(value, str):
        return value
    raise BadRequest("task_without_field", field=field)


def _body_of(version: BookVersion) -> dict[str, str | int]:
    return {**asdict(version.key), "began": version.began.isoformat()}


@dataclass(frozen=True)
class IndexByTasks:
    """Indexing by tasks in a queue, each of at most `batch_chunks` chunks.

    asked_by: part of the tasks' names; asking again under another word adds the tasks again, should the first be lost."""

    queue: TaskQueue
    batch_chunks: int
    asked_by: str

    def batches(self, chunks: int) -> int:
        """Number of tasks for so many chunks; at least 1."""
        return max(1, -(-chunks // self.batch_chunks))

    def resume(self, version: BookVersion) -> bool:
        """Queue the tasks of a version that waits for them; whether it does."""
        if waits_for_tasks(version):
            self._add_tasks(version)
            return True
        return False

    def run(self, key: VersionKey, book: Book, chunks: list[Chunk], services: CollectionServices) -> None:  # noqa: ARG002
        """Queue a task for each batch of the parsed version; the last one done activates it."""
        self._add_tasks(services.catalog.version(key))

    def _add_tasks(self, version: BookVersion) -> None:
        for task in index_tasks(version, self.asked_by):
            self.queue.add(task)


def waits_for_tasks(version: BookVersion) -> bool:
    """Whether the version is being indexed by tasks; the command line makes none."""
    return version.state is VersionState.INDEXING and version.batches > 0


def index_batch(batch: IndexTask, intake: Intake, share: Share = share_with_none) -> None:
    """Embed and store one batch; after the last one, finish the version. share: gives the version to the source's other uses;
    called when its vectors are stored and before it is ready.

    For a version that is gone, failed, ready or begun again it only cleans up. Raises RetryableError, and PermanentError if the
    version cannot become ready."""
    if version := _waiting(batch, intake):
        _batch_of(batch.number, version, intake)
        if not _is_last(batch, intake):
            return
    finish(batch, intake, share)


def finish(batch: IndexTask, intake: Intake, share: Share = share_with_none) -> None:
    """Join the parts, index them, activate the version, clean up. Raises as index_batch does, and BookBusy."""
    with intake.services.catalog.claim(batch.key.school, batch.key.book):
        if version := _waiting(batch, intake):
            _finish(version, intake, share)
            _prepare_lectures(batch.key, intake)
        _clear_up(batch.key, intake)


def _prepare_lectures(key: VersionKey, intake: Intake) -> None:
    """Queue the companion version of a book of the essays, before a lecture waits for it."""
    with suppress(BadRequest):  # no lectures here
        companion = replace(key, unit=intake.of(Collection.LECTURES).services.chunker.unit)
        if key.collection is Collection.BOOKS and not key.is_companion:
            intake.queue.add(cut_task(intake.services.catalog.version(key), companion, "ready"))


def give_up(batch: IndexTask, code: str, message: Message, intake: Intake) -> None:
    """Record why the version cannot become ready, if this attempt is still the current one. Raises BookBusy."""
    key, catalog = batch.key, intake.services.catalog
    with catalog.claim(key.school, key.book):
        if _waiting(batch, intake):
            catalog.failed(key, code, message)


def remove_superseded(key: VersionKey, intake: Intake) -> None:
    """Remove the version if another one replaced it. Raises BookBusy, RetryableError."""
    services = intake.services
    with services.catalog.claim(key.school, key.book), suppress(NotFound):
        if key in {version.key for version in superseded(services.catalog.book(key.school, key.book))}:
            remove_version(key, services)


def _finish(version: BookVersion, intake: Intake, share: Share) -> None:
    key, services = version.key, intake.services
    book = load_book(services.bucket, key)
    chunks = load_chunks(services.bucket, key, book)
    batches = [_batch_of(number, version, intake) for number in range(version.batches)]
    vectors = store_batches(key, book, chunks, batches, services)
    if not key.is_companion:
        share(key)  # again after a crash: the version is ready only afterwards
    finish_version(key, book, chunks, vectors, services, companion=key.is_companion)


def _batch_of(number: int, version: BookVersion, intake: Intake) -> EmbeddedBatch:
    """The stored vectors of a batch; embedded first if they are not stored yet."""
    bucket, key = intake.services.bucket, version.key
    rows = rows_of(number, version.batches, version.sentences or 0)
    with suppress(NotFound):
        return rows, load_part(bucket, key, rows)
    known = NO_KNOWN_VECTORS if is_by_sentences(key) else known_vectors(key, intake.services)
    vectors = embed_batch(key, intake.chunks(key), rows, intake.services, known)
    save_part(bucket, key, rows, vectors)
    return rows, vectors


def _is_last(batch: IndexTask, intake: Intake) -> bool:
    """Record that the batch is done; whether no other batch is missing, or the version needs none any more."""
    try:
        version = intake.services.catalog.batch_done(batch.key, batch.number)
    except NotFound:
        return True
    return version.state is not VersionState.INDEXING or version.batches_done == version.batches


def _waiting(batch: IndexTask, intake: Intake) -> BookVersion | None:
    """The version if this attempt still waits for vectors and no newer version is active, else None."""
    book = _book_of(batch.key, intake)
    if book is None:
        return None
    newer = takewhile(lambda version: version != book.active, book.versions)
    wanted = (batch.key, batch.began, VersionState.INDEXING)
    return next((version for version in newer if (version.key, version.began, version.state) == wanted), None)


def _clear_up(key: VersionKey, intake: Intake) -> None:
    """Remove unused parts and queue the removal of replaced versions."""
    book = _book_of(key, intake)
    states = {version.key: version.state for version in book.versions} if book else {}
    if states.get(key) in (None, VersionState.READY):
        remove_parts(intake.services.bucket, key)
    for version in superseded(book) if book else ():
        intake.queue.add(remove_task(version))


def _book_of(key: VersionKey, intake: Intake) -> CatalogBook | None:
    with suppress(NotFound):
        return intake.services.catalog.book(key.school, key.book)
    return None
