"""Tasks of batches done: which use case a task stands for, and what becomes of one that does not succeed."""

import logging

from chapterverse.errors import PermanentError
from chapterverse.model import Task, TaskKind
from chapterverse.usecases.overnight.essays import do_essay, give_up_essay
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.overnight.tasks import attempt_in, number_in

GAVE_UP = "This essay did not succeed in {} attempts; the service's log says why. It is left for the next night."
KINDS = (TaskKind.ESSAY,)

log = logging.getLogger(__name__)


def run_night_task(task: Task, attempt: int, night: Night) -> None:
    """Do the task. attempt: which delivery this is, from 1; beyond limits.attempts its essay is left.

    Raises RetryableError, and whatever is a bug of ours: it is to be delivered again."""
    try:
        batch, number = attempt_in(task.body), number_in(task.body)
    except PermanentError as error:
        log.warning("task not done", extra={"task": task.name, "error": error.code})
        return
    if attempt > night.limits.attempts:
        give_up_essay(batch, number, "gave_up", GAVE_UP.format(night.limits.attempts), night)
    else:
        do_essay(batch, number, night)
