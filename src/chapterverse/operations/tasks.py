"""Tasks done: which use case a task stands for, and what becomes of one that cannot be done."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from chapterverse.core.errors import PermanentError
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.lectures.context import cut_book
from chapterverse.library.intake import receive_file, refuse_file
from chapterverse.library.services import Intake
from chapterverse.library.tasks import (
    Body,
    batch_in,
    cut_in,
    file_in,
    give_up,
    index_batch,
    key_in,
    remove_superseded,
    understood,
)
from chapterverse.library.uploads import collection_of
from chapterverse.messages import Message, message

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work:
    """What a kind of task is: how its body is read, whose intake does it, what is done with it, and where on record it goes
    otherwise."""

    read: Callable[[Body], Any]
    fitting: Callable[[Any, Intake], Intake]
    do: Callable[[Any, Intake], None]
    record: Callable[[Any, str, Message, Intake], None] = lambda *_: None


WORK: Mapping[TaskKind, Work] = {
    TaskKind.RECEIVE: Work(file_in, lambda file, intake: intake.of(collection_of(file.name)), receive_file, refuse_file),
    TaskKind.INDEX: Work(batch_in, lambda batch, intake: intake.of_version(batch.key), index_batch, give_up),
    TaskKind.CUT: Work(cut_in, lambda asked, intake: intake.of_version(asked[0]), cut_book),
    TaskKind.REMOVE: Work(key_in, lambda key, intake: intake.of_version(key), remove_superseded),
}


def run_task(task: Task, attempt: int, intake: Intake) -> None:
    """Do the task, or record on its book why that cannot be: it is not to be delivered again.

    attempt: which delivery this is, from 1. Raises RetryableError, BadRequest as `understood` does, and whatever is a bug of
    ours: it is to be delivered again; beyond intake.attempts it is given up."""
    what = understood(task, WORK[task.kind].read, attempt, intake.attempts)
    if what is None:
        return
    if attempt > intake.attempts:
        _record(what, task, "gave_up", message("book_gave_up", attempts=intake.attempts), intake)
    else:
        _do(what, task, intake)


def _do(what: Any, task: Task, intake: Intake) -> None:
    try:
        WORK[task.kind].do(what, WORK[task.kind].fitting(what, intake))
    except PermanentError as error:
        _record(what, task, error.code, error.message, intake)


def _record(what: Any, task: Task, code: str, message: Message, intake: Intake) -> None:
    """On the book, if the task is one of those that make one."""
    log.warning("task not done", extra={"task": task.name, "error": code})
    with suppress(PermanentError):
        WORK[task.kind].record(what, code, message, WORK[task.kind].fitting(what, intake))
