"""Tasks of taking in books, and what their bodies say. A task's name is made from its body: the same work asked for again is
the same task. run_task.py does them."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import TypeVar

from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BadRequest
from chapterverse.core.hits import Granularity
from chapterverse.core.tasks import StoredFile, Task, TaskKind
from chapterverse.library.model import BookVersion, VersionKey

Body = Mapping[str, str | int]

What = TypeVar("What")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch, from 0, of a version in one attempt at it: a version that is begun again has another `began`."""

    key: VersionKey
    began: datetime
    number: int


def receive_task(file: StoredFile) -> Task:
    """Take in a file that was uploaded."""
    return named_task(TaskKind.RECEIVE, {"name": file.name, "generation": file.generation})


def index_tasks(version: BookVersion, asked_by: str) -> list[Task]:
    """One for each batch. asked_by: whoever asks again under another word gets other tasks, should the first ones be lost."""
    attempt = {**_body_of(version), "asked_by": asked_by}
    return [named_task(TaskKind.INDEX, {**attempt, "batch": batch}) for batch in range(version.batches)]


def cut_task(active: BookVersion, beside: VersionKey, asked_by: str) -> Task:
    """Cut a book that is searched into paragraphs, too, as the version `beside`. asked_by: as index_tasks."""
    return named_task(TaskKind.CUT, {**_body_of(replace(active, key=beside)), "asked_by": asked_by})


def cut_in(body: Body) -> tuple[VersionKey, str]:
    """What is to be cut, and by whom it is asked for. Raises BadRequest."""
    return key_in(body), text_in(body, "asked_by")


def remove_task(version: BookVersion) -> Task:
    """Remove a version that another has taken the place of."""
    return named_task(TaskKind.REMOVE, _body_of(version))


def understood(task: Task, read: Callable[[Body], What], attempt: int, attempts: int) -> What | None:
    """What the task is about; None for one that does not say it and was delivered more than `attempts` times: it ends.

    Until then BadRequest is raised, so that it comes again: perhaps to a newer program, for which another release made it."""
    try:
        return read(task.body)
    except BadRequest as error:
        log.error("task not understood: %s", error, extra={"task": task.name, "attempt": attempt, "error": error.code})
        if attempt > attempts:
            return None
        raise


def file_in(body: Body) -> StoredFile:
    """The file that a task is about; what its uploader says of it is in the store. Raises BadRequest."""
    return StoredFile(text_in(body, "name"), text_in(body, "generation"))


def key_in(body: Body) -> VersionKey:
    """The version that a task is about. Raises BadRequest."""
    school, book, version, model = (text_in(body, field) for field in ("school", "book", "version", "model"))
    unit = str(body.get("unit", Granularity.SENTENCE))  # as releases before have left it out
    return VersionKey(school, BookId(book), version, model, unit, collection_in(body))


def collection_in(body: Body) -> Collection:
    """The collection that a task is about: the books where it does not say. Raises BadRequest."""
    try:
        return Collection(str(body.get("collection", Collection.BOOKS)))
    except ValueError as error:
        raise BadRequest("task_of_unknown_collection") from error


def batch_in(body: Body) -> Batch:
    """The batch that a task is about. Raises BadRequest."""
    try:
        return Batch(key_in(body), datetime.fromisoformat(text_in(body, "began")), int(body["batch"]))
    except (KeyError, ValueError) as error:
        raise BadRequest("task_without_batch") from error


def text_in(body: Body, field: str) -> str:
    """That field of a task. Raises BadRequest."""
    value = body.get(field)
    if isinstance(value, str):
        return value
    raise BadRequest("task_without_field", field=field)


def _body_of(version: BookVersion) -> dict[str, str | int]:
    key, began = version.key, version.began.isoformat()
    body: dict[str, str | int] = {
        "school": key.school,
        "book": key.book,
        "version": key.version,
        "model": key.model,
        "began": began,
    }
    as_before = key.collection is Collection.BOOKS and not key.is_companion
    return body if as_before else {**body, "unit": key.unit, "collection": key.collection}


def named_task(kind: TaskKind, body: Body) -> Task:
    """A task that is named after what it asks for."""
    digest = sha256(json.dumps(dict(body), sort_keys=True).encode()).hexdigest()[:32]
    return Task(f"{kind}-{digest}", kind, body)
