"""Batches of essays: submit, begin, list, delete; and their tasks: feedback on one essay is written once, even if the task is
delivered twice or its process is killed. It is stored before the essay is set to DONE, so a repeated task finds it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus

from chapterverse.core.errors import BadRequest, NotFound, PermanentError, TooLarge
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.essays.batch import files
from chapterverse.essays.batch.context import Attempt, BatchContext, add_tasks, task_of
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayBatch, EssayState
from chapterverse.essays.batch.prediction import essays_with_predictions, forget_job, predict
from chapterverse.essays.service import EssayContext, FeedbackPart, give_feedback
from chapterverse.library.scope import open_books
from chapterverse.library.versions import understood
from chapterverse.messages import message

NOT_YET = ("collection_not_ready", "collection_indexed_otherwise")  # of an essay that waits for books
UNREADABLE = "bad_request"  # error code of an essay that cannot be used


def submit_batch(
    school: str,
    entries: Sequence[EssayEntry],
    books: Sequence[str],
    context: BatchContext,
    name: str = "",
    *,
    order: files.BatchOrder | None = None,
) -> EssayBatch:
    """Store these essays as a waiting batch and return it. The same essays again return the same batch, with the last given
    name. order: the assignment that they are for. Raises BadRequest if no essay can be used, TooLarge beyond limits.essays."""
    if len(entries) > context.limits.essays:
        raise TooLarge("batch_too_large", essays=len(entries), max_essays=context.limits.essays)
    if all(entry.problem for entry in entries):
        raise BadRequest("no_usable_essay", why=entries[0].problem if entries else message("no_essay_given"))
    content = files.BatchContent({entry.number: entry for entry in entries}, tuple(books), order)
    key = files.key_for(school, content)
    failed = EssayState.FAILED, UNREADABLE
    essays = [BatchEssay(each.number, *failed, each.problem) if each.problem else BatchEssay(each.number) for each in entries]
    context.store.add(key, essays, name)
    if not context.results.names(files.essays_name(key)):
        context.results.write(files.essays_name(key), files.packed(content))
    return context.store.batch(key)


def begin_batch(key: BatchKey, context: BatchContext, person: str = "", wait: int = 0) -> EssayBatch:
    """Add a task for each waiting essay and return the batch; repeated, it adds lost tasks again. person: who waits for the
    feedback, so that it is written at once; wait: seconds in which they may begin it (follow_essay). Raises NotFound, also if
    there is no book to search; then the batch keeps waiting."""
    open_books(files.scope_of(key, context), context.services.catalog, context.services.embedder.model)
    batch = context.store.begin(key, context.now() + context.limits.window)
    if context.predictor and batch.waiting and not person:
        context.queue.add(task_of(TaskKind.PREDICT, batch))  # which then adds the tasks of the essays
    else:
        add_tasks(batch, context, person, wait)
    return batch


def begin_all(context: BatchContext, school: str | None = None, *, running: bool = False) -> list[EssayBatch]:
    """Begin every batch with waiting essays, of one school or all, oldest first. running: only those that are running, or are
    for an assignment, which a process that keeps its queue in memory begins. Raises as begin_batch does."""
    begun: list[EssayBatch] = []
    for key in context.store.find(waiting=True):
        with suppress(NotFound):  # removed meanwhile, or without a book: it keeps waiting
            if school in {None, key.school} and (
                not running
                or context.store.batch(key).state(context.now()) is BatchState.RUNNING
                or files.content_of(key, context).order
            ):
                begun.append(begin_batch(key, context))
    return begun


def essays_of(key: BatchKey, context: BatchContext) -> Iterator[BatchEssay]:
    """Each essay of the batch with its submitted id, by number. Raises NotFound."""
    essays, content = context.store.essays(key), files.load_essays(context.results, key)
    return (replace(essay, id=content.entries[essay.number].id) for essay in essays)


def remove_batch(key: BatchKey, context: BatchContext) -> None:
    """Delete the batch with its essays and feedback, at once. A worker that holds one of its essays cleans up after itself. An
    unknown batch is ignored."""
    with suppress(NotFound):
        forget_job(context.store.batch(key), context)
    context.store.remove(key)
    files.clear_up(key, context)


def expire_batches(before: datetime, context: BatchContext, school: str | None = None) -> int:
    """Delete the batches of the school, else of all, created before then, and files of unknown batches; return how many batches
    were deleted."""
    old = [key for key in context.store.find(before=before) if school in {None, key.school}]
    for key in old:
        remove_batch(key, context)
    held = {files.folder_of(name) for name in context.results.names("")}
    for folder in held - {files.batch_folder(key) for key in context.store.find()} - {None}:
        context.results.delete(str(folder))
    return len(old)


def _written(key: BatchKey, essay: BatchEssay, context: BatchContext, essays: EssayContext) -> Iterator[FeedbackPart]:
    """The parts of the essay's feedback, after which the essay is done; why there is none is noted; for a book, it waits."""
    try:
        yield from give_feedback(files.request_of(key, files.content_of(key, context).entries[essay.number], context), essays)
    except PermanentError as error:
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # a wrong setting is not the essay's fault
            raise
        state = EssayState.WAITING if error.message.id in NOT_YET else EssayState.FAILED
        context.store.note(key, essay.number, state, error.code, error.message)
    else:
        context.store.note(key, essay.number, EssayState.DONE)


def follow_essay(key: BatchKey, number: int, context: BatchContext, essays: EssayContext) -> Iterator[FeedbackPart]:
    """The parts of the feedback on one essay as they are written, here and not by its task, which finds the essay done; of an
    essay that is done, those that are stored. essays: for a person who waits.

    Raises EssayBusy while its task writes, NotFound if it has not begun, and as give_feedback does."""
    with context.store.claim(key, number) as essay:
        if context.store.batch(key).began is None or essay.state is EssayState.FAILED:
            raise NotFound("nothing_submitted")
        yield from _written(key, essay, context, essays)


def run_batch_task(task: Task, attempt: int, context: BatchContext) -> None:
    """Do the task: write and store the feedback on one essay, or why there is none; nothing if the batch was removed, is due or
    was begun again. attempt: number of this delivery, from 1; beyond limits.attempts the essay is left for the next window.

    Raises RetryableError, BadRequest as `understood` does, and unexpected errors; the task is then delivered again."""
    attempts = context.limits.attempts
    if not (about := understood(task, Attempt, attempt, attempts)):
        return
    if task.kind is TaskKind.PREDICT:  # limited by time, not by attempts
        predict(about, context)
        return
    key, number = about.key, about.essay
    try:
        if attempt > attempts:
            context.store.note(key, number, EssayState.WAITING, "gave_up", message("essay_gave_up", attempts=attempts))
        elif about.goes_on(context.store.batch(key), context.now()):
            with context.store.claim(key, number) as essay:
                if essay.state is EssayState.WAITING:
                    list(_written(key, essay, context, essays_with_predictions(key, context)))
    except NotFound:  # the batch was removed
        files.clear_up(key, context)
