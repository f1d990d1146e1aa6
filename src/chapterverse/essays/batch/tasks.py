"""Tasks of batches: feedback on one essay, written once however often the task is delivered or its process killed.

The feedback is stored before the essay is noted as done, so an interrupted task finds it when it is delivered again."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus

from chapterverse.core.errors import NotFound, PermanentError
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.essays.batch.context import Attempt, BatchContext, attempt_in, number_in
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.files import clear_up, content_of, load_result, request_of, save_page, save_result
from chapterverse.essays.batch.model import BatchEssay, BatchKey, EssayState
from chapterverse.essays.batch.prediction import essays_with_predictions, predict
from chapterverse.essays.batch.records import Result
from chapterverse.essays.batch.results import collect
from chapterverse.essays.service import feedback_on
from chapterverse.essays.writing.render import feedback_html
from chapterverse.library.tasks import understood
from chapterverse.messages import Message, message


def do_essay(attempt: Attempt, number: int, context: BatchContext) -> None:
    """Feedback on it is kept, or why there is none; with the last one, what is written on all is collected.

    Of a batch that was removed, is due, or was begun again: nothing happens but that nothing is left behind. Raises EssayBusy
    and every other RetryableError."""
    try:
        if _is_under_way(attempt, context):
            with context.store.claim(attempt.key, number) as essay:
                left = _end(attempt.key, essay, context)
            if not left:
                collect(attempt.key, context)
    except NotFound:
        clear_up(attempt.key, context)


def give_up_essay(attempt: Attempt, number: int, code: str, message: Message, context: BatchContext) -> None:
    """It is not tried again in this window, and why: it is left for the next one."""
    with suppress(NotFound):
        context.store.note(attempt.key, number, EssayState.WAITING, code, message)


def _is_under_way(attempt: Attempt, context: BatchContext) -> bool:
    """Raises NotFound."""
    return attempt.goes_on(context.store.batch(attempt.key), context.now())


def _end(key: BatchKey, essay: BatchEssay, context: BatchContext) -> int:
    """How many essays wait after this one. Raises NotFound where the batch is gone."""
    if essay.state is not EssayState.WAITING:
        return context.store.batch(key).waiting
    entry = content_of(key, context).entries[essay.number]
    try:
        _write_feedback(key, entry, context)
    except PermanentError as error:
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # a setting that is wrong is not the essay's fault
            raise
        return context.store.note(key, essay.number, EssayState.FAILED, error.code, error.message)
    return context.store.note(key, essay.number, EssayState.DONE)


def _write_feedback(key: BatchKey, entry: Entry, context: BatchContext) -> None:
    try:
        load_result(context.results, key, entry.number)
    except NotFound:
        feedback = feedback_on(request_of(key, entry, context), essays_with_predictions(key, context))
        save_page(context.results, key, entry, feedback_html(feedback))
        result = Result.of_essay(entry.number, entry.id, feedback)
        save_result(context.results, key, entry.number, result)  # last: once it is there, nothing is written again


def run_batch_task(task: Task, attempt: int, context: BatchContext) -> None:
    """Do the task. attempt: which delivery this is, from 1; beyond limits.attempts its essay is left.

    Raises RetryableError, BadRequest as `understood` does, and whatever is a bug of ours: it is to be delivered again."""
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
    """It is not given up by how often it was delivered, but by the time it takes."""
    if batch := understood(task, attempt_in, attempt, context.limits.attempts):
        predict(batch, context)


DO: Mapping[TaskKind, Callable[[Task, int, BatchContext], None]] = {TaskKind.ESSAY: _essay, TaskKind.PREDICT: _predict}
