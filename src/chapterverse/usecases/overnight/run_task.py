"""Tasks of batches done: which use case a task stands for, and what becomes of one that does not succeed."""

import logging
from collections.abc import Callable, Mapping

from chapterverse.errors import BadRequest
from chapterverse.model import Task, TaskKind
from chapterverse.usecases.overnight.essays import do_essay, give_up_essay
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.overnight.prediction import predict
from chapterverse.usecases.overnight.tasks import attempt_in, number_in
from chapterverse.usecases.tasks import Body

GAVE_UP = "This essay did not succeed in {} attempts; the service's log says why. It is left for the next night."

log = logging.getLogger(__name__)


def run_night_task(task: Task, attempt: int, night: Night) -> None:
    """Do the task. attempt: which delivery this is, from 1; beyond limits.attempts its essay is left.

    Raises RetryableError, and whatever is a bug of ours: it is to be delivered again."""
    try:
        DO[task.kind](task.body, attempt, night)
    except BadRequest as error:
        log.warning("task not done", extra={"task": task.name, "error": error.code})


def _essay(body: Body, attempt: int, night: Night) -> None:
    batch, number = attempt_in(body), number_in(body)
    if attempt > night.limits.attempts:
        give_up_essay(batch, number, "gave_up", GAVE_UP.format(night.limits.attempts), night)
    else:
        do_essay(batch, number, night)


def _predict(body: Body, _attempt: int, night: Night) -> None:
    """It is not given up by how often it was delivered, but by the time it takes."""
    predict(attempt_in(body), night)


DO: Mapping[TaskKind, Callable[[Body, int, Night], None]] = {TaskKind.ESSAY: _essay, TaskKind.PREDICT: _predict}
