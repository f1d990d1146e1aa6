"""Tasks done: which use case a task stands for, and what becomes of one that cannot be done."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from chapterverse.errors import PermanentError
from chapterverse.model import Task, TaskKind
from chapterverse.usecases.indexing_tasks import give_up, index_batch, remove_superseded
from chapterverse.usecases.intake import receive_file, refuse_file
from chapterverse.usecases.services import Intake
from chapterverse.usecases.tasks import Body, batch_in, file_in, key_in

log = logging.getLogger(__name__)

DO: Mapping[TaskKind, Callable[[Body, Intake], None]] = {
    TaskKind.RECEIVE: lambda body, intake: receive_file(file_in(body), intake),
    TaskKind.INDEX: lambda body, intake: index_batch(batch_in(body), intake),
    TaskKind.REMOVE: lambda body, intake: remove_superseded(key_in(body), intake),
}
RECORD: Mapping[TaskKind, Callable[[Body, str, str, Intake], None]] = {
    TaskKind.RECEIVE: lambda body, code, message, intake: refuse_file(file_in(body), code, message, intake),
    TaskKind.INDEX: lambda body, code, message, intake: give_up(batch_in(body), code, message, intake),
    TaskKind.REMOVE: lambda *_: None,
}


GAVE_UP = "This did not succeed in {} attempts; the service's log says why. Upload the file again when that is mended."


def run_task(task: Task, attempt: int, intake: Intake) -> None:
    """Do the task, or record on its book why that cannot be: it is not to be delivered again.

    attempt: which delivery this is, from 1. Raises RetryableError, and whatever is a bug of ours: it is to be delivered again;
    beyond intake.attempts it is given up."""
    if attempt > intake.attempts:
        _record(task, "gave_up", GAVE_UP.format(intake.attempts), intake)
        return
    try:
        DO[task.kind](task.body, intake)
    except PermanentError as error:
        _record(task, error.code, str(error), intake)


def _record(task: Task, code: str, message: str, intake: Intake) -> None:
    """On the book, if the task is one of those that make one, and says of which."""
    log.warning("task not done", extra={"task": task.name, "error": code})
    with suppress(PermanentError):
        RECORD[task.kind](task.body, code, message, intake)
