"""Run background tasks, and record those that cannot be done."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from chapterverse.core.errors import PermanentError
from chapterverse.core.tasks import StoredFile, Task, TaskKind
from chapterverse.library.intake import receive_file, refuse_file, use_everywhere
from chapterverse.library.model import collection_of
from chapterverse.library.services import Intake
from chapterverse.library.versions import IndexTask, give_up, index_batch, understood
from chapterverse.messages import Message, message

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work:
    """How a kind of task is run. about: what its body says; do: the use case; record: the failure."""

    about: type[Any]
    do: Callable[[Any, Intake], None]
    record: Callable[[Any, str, Message, Intake], None]


def _index(batch: IndexTask, intake: Intake) -> None:
    index_batch(batch, intake, partial(use_everywhere, intake=intake))


WORK: Mapping[TaskKind, Work] = {
    TaskKind.RECEIVE: Work(StoredFile, receive_file, refuse_file),
    TaskKind.INDEX: Work(IndexTask, _index, give_up),
}


def run_task(task: Task, attempt: int, intake: Intake) -> None:
    """Run the task, or record on its source why it cannot be done.

    attempt: number of this delivery, from 1; beyond intake.attempts the task is given up. Every error that is
    raised (RetryableError, BadRequest of `understood`, a defect) causes another delivery."""
    what = understood(task, WORK[task.kind].about, attempt, intake.attempts)
    if what is None:
        return
    if attempt > intake.attempts:
        _record(what, task, "gave_up", message("book_gave_up", attempts=intake.attempts), intake)
        return
    try:
        with intake.turns.of(task.school).taken(behind=True):
            WORK[task.kind].do(what, _intake_of(what, intake))
    except PermanentError as error:
        _record(what, task, error.code, error.message, intake)


def _record(what: Any, task: Task, code: str, message: Message, intake: Intake) -> None:
    """Record the failure on the source, if it is still there."""
    log.warning("task not done", extra={"task": task.name, "error": code})
    with suppress(PermanentError):
        WORK[task.kind].record(what, code, message, _intake_of(what, intake))


def _intake_of(what: Any, intake: Intake) -> Intake:
    """The intake of what the task is about."""
    if isinstance(what, StoredFile):
        return intake.of(collection_of(what.name))
    return intake.of(what.key.collection)
