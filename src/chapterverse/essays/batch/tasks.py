"""One essay of a batch: written on once, however often it is asked for and whoever is killed.

What is written is kept before the essay is noted as done: who finds it kept writes nothing again.

Tasks of batches done: which use case a task stands for, and what becomes of one that does not succeed."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus

from chapterverse.core.errors import NotFound, PermanentError
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.essays.batch.context import Attempt, Night, attempt_in, number_in
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.essays import clear_up, handed_in_of, written_on
from chapterverse.essays.batch.files import load_result, result_of, save_page, save_result
from chapterverse.essays.batch.model import BatchEssay, BatchKey, EssayState
from chapterverse.essays.batch.prediction import predict, writing_for
from chapterverse.essays.batch.results import collect
from chapterverse.essays.history import feedback_of, keep_feedback
from chapterverse.essays.model import Origin
from chapterverse.essays.service import Feedback
from chapterverse.essays.writing.render import feedback_html
from chapterverse.library.tasks import understood
from chapterverse.messages import Message, message


def do_essay(attempt: Attempt, number: int, night: Night) -> None:
    """Feedback on it is kept, or why there is none; with the last one, what is written on all is collected.

    Of a batch that was removed, is due, or was begun again: nothing happens but that nothing is left behind. Raises EssayBusy
    and every other RetryableError."""
    try:
        if _is_under_way(attempt, night):
            with night.store.claim(attempt.key, number) as essay:
                left = _end(attempt.key, essay, night)
            if not left:
                collect(attempt.key, night)
    except NotFound:
        clear_up(attempt.key, night)


def give_up_essay(attempt: Attempt, number: int, code: str, message: Message, night: Night) -> None:
    """It is not tried again in this window, and why: it is left for the next one."""
    with suppress(NotFound):
        night.store.note(attempt.key, number, EssayState.WAITING, code, message)


def _is_under_way(attempt: Attempt, night: Night) -> bool:
    """Raises NotFound."""
    return attempt.goes_on(night.store.batch(attempt.key), night.now())


def _end(key: BatchKey, essay: BatchEssay, night: Night) -> int:
    """How many essays wait after this one. Raises NotFound where the batch is gone."""
    if essay.state is not EssayState.WAITING:
        return night.store.batch(key).waiting
    entry = handed_in_of(key, night).entries[essay.number]
    try:
        _see_to_it(key, entry, night)
    except PermanentError as error:
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # a setting that is wrong is not the essay's fault
            raise
        return night.store.note(key, essay.number, EssayState.FAILED, error.code, error.message)
    return night.store.note(key, essay.number, EssayState.DONE)


def _see_to_it(key: BatchKey, entry: Entry, night: Night) -> None:
    try:
        load_result(night.results, key, entry.number)
    except NotFound:
        feedback = _kept_on(key, entry, night)
        save_page(night.results, key, entry, feedback_html(feedback))
        result = result_of(entry.number, entry.id, feedback)
        save_result(night.results, key, entry.number, result)  # the last: who finds it does nothing again


def _kept_on(key: BatchKey, entry: Entry, night: Night) -> Feedback:
    """Feedback, which teachers have before them from now on; found there, it is not written again."""
    origin = Origin(key.batch, entry.number)
    with suppress(NotFound):
        return feedback_of(night.keeping.store.on_essay(key.school, origin))
    return keep_feedback(written_on(key, entry, writing_for(key, night), night), key.school, night.keeping, origin)


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
