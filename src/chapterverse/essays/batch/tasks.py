"""Tasks of batches: feedback on one essay is written once, even if the task is delivered twice or its process is killed.

Feedback is stored before the essay is set to DONE, so a repeated task finds it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus

from chapterverse.core.errors import NotFound, PermanentError
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.essays.batch.context import Attempt, BatchContext, attempt_in, number_in
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.files import clear_up, content_of, load_result, request_of, save_page, save_result
from chapterverse.essays.batch.model import BatchEssay, BatchKey, EssayState
from chapterverse.essays.batch.prediction import essays_with_predictions, predict
from chapterverse.essays.batch.records import Result
from chapterverse.essays.batch.results import collect
from chapterverse.essays.render import feedback_html
from chapterverse.essays.service import feedback_on
from chapterverse.library.tasks import understood
from chapterverse.messages import Message, message


def do_essay(attempt: Attempt, number: int, context: BatchContext) -> None:
    """Write and store the feedback on one essay, or why there is none; after the last essay, write the files of all.

    If the batch was removed, is due or was begun again, nothing is written. Raises EssayBusy and every other RetryableError."""
    try:
        if _is_under_way(attempt, context):
            with context.store.claim(attempt.key, number) as essay:
                left = _end(attempt.key, essay, context)
            if not left:
                collect(attempt.key, context)
    except NotFound:
        clear_up(attempt.key, context)


def give_up_essay(attempt: Attempt, number: int, code: str, message: Message, context: BatchContext) -> None:
    """Leave the essay for the next window, and record why."""
    with suppress(NotFound):
        context.store.note(attempt.key, number, EssayState.WAITING, code, message)


def _is_under_way(attempt: Attempt, context: BatchContext) -> bool:
    """Whether the batch is still running in this window. Raises NotFound."""
    return attempt.goes_on(context.store.batch(attempt.key), context.now())


def _end(key: BatchKey, essay: BatchEssay, context: BatchContext) -> int:
    """Do the essay if it is waiting; return how many essays still wait. Raises NotFound if the batch was removed."""
    if essay.state is not EssayState.WAITING:
        return context.store.batch(key).waiting
    entry = content_of(key, context).entries[essay.number]
    try:
        _write_feedback(key, entry, context)
    except PermanentError as error:
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # a wrong setting is not the essay's fault
            raise
        return context.store.note(key, essay.number, EssayState.FAILED, error.code, error.message)
    return context.store.note(key, essay.number, EssayState.DONE)


def _write_feedback(key: BatchKey, entry: EssayEntry, context: BatchContext) -> None:
    try:
        load_result(context.results, key, entry.number)
    except NotFound:
        feedback = feedback_on(request_of(key, entry, context), essays_with_predictions(key, context))
        save_page(context.results, key, entry, feedback_html(feedback))
        result = Result.of_essay(entry.number, entry.id, feedback)
        save_result(context.results, key, entry.number, result)  # last, because a stored result ends the work


def run_batch_task(task: Task, attempt: int, context: BatchContext) -> None:
    """Do the task. attempt: number of this delivery, from 1; beyond limits.attempts the essay is left for the next window.

    Raises RetryableError, BadRequest as `understood` does, and unexpected errors; the task is then delivered again."""
    DO[task.kind](task, attempt, context)


def _essay(task: Task, attempt: int, context: BatchContext) -> None:
    about = understood(task, lambda body: (attempt_in(body), number_in(body)), attempt, context.limits.attempts)
    if about is None:
        return
    batch, number = about
    if attempt > context.limits.attempts:
        give_up_essay(batch, number, "gave_up", message("essay_gave_up", attempts=context.limits.attempts), context)
    else:
        do_essay(batch, number, context)


def _predict(task: Task, attempt: int, context: BatchContext) -> None:
    """Run a batch prediction, which is limited by time, not by attempts."""
    if batch := understood(task, attempt_in, attempt, context.limits.attempts):
        predict(batch, context)


DO: Mapping[TaskKind, Callable[[Task, int, BatchContext], None]] = {TaskKind.ESSAY: _essay, TaskKind.PREDICT: _predict}
