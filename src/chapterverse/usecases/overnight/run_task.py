"""Tasks of batches done: which use case a task stands for, and what becomes of one that does not succeed."""

from collections.abc import Callable, Mapping

from chapterverse.messages import message
from chapterverse.model import Task, TaskKind
from chapterverse.usecases.overnight.essays import do_essay, give_up_essay
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.overnight.prediction import predict
from chapterverse.usecases.overnight.tasks import attempt_in, number_in
from chapterverse.usecases.tasks import understood


def run_night_task(task: Task, attempt: int, night: Night) -> None:
    """Do the task. attempt: which delivery this is, from 1; beyond limits.attempts its essay is left.

    Raises RetryableError, BadRequest as `understood` does, and whatever is a bug of ours: it is to be delivered again."""
    DO[task.kind](task, attempt, night)


def _essay(task: Task, attempt: int, night: Night) -> None:
    about = understood(task, lambda body: (attempt_in(body), number_in(body)), attempt, night.limits.attempts)
    if about is None:
        return
    batch, number = about
    if attempt > night.limits.attempts:
        give_up_essay(batch, number, "gave_up", message("essay_gave_up", attempts=night.limits.attempts), night)
    else:
        do_essay(batch, number, night)


def _predict(task: Task, attempt: int, night: Night) -> None:
    """It is not given up by how often it was delivered, but by the time it takes."""
    if batch := understood(task, attempt_in, attempt, night.limits.attempts):
        predict(batch, night)


DO: Mapping[TaskKind, Callable[[Task, int, Night], None]] = {TaskKind.ESSAY: _essay, TaskKind.PREDICT: _predict}
