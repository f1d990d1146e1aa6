"""Batches of essays: submitted, begun, listed, deleted."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.essays.batch.context import BatchContext, ask_for_essays, predict_task
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.files import (
    FORGOTTEN,
    batch_folder,
    clear_up,
    essays_name,
    folder_of,
    key_for,
    load_essays,
    packed,
)
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayBatch, EssayState, NamedEssay
from chapterverse.essays.batch.prediction import forget_job
from chapterverse.library.scope import open_books
from chapterverse.messages import message

UNREADABLE = "bad_request"  # the code of an essay that was handed in so that it cannot be used


def submit_batch(
    school: str, entries: Sequence[Entry], books: Sequence[str], context: BatchContext, name: str = ""
) -> EssayBatch:
    """The batch that these essays are, now waiting for its night; the same ones again are the same batch, however far it has
    come, by the name that was given last. Raises BadRequest where none can be used, TooLarge beyond limits.essays."""
    _refuse(entries, context.limits.essays)
    data = packed(entries, books)
    key = key_for(school, data)
    context.store.add(key, [_essay_of(entry) for entry in entries], name)
    if not context.results.names(essays_name(key)):
        context.results.write(essays_name(key), data)
    return context.store.batch(key)


def begin_batch(key: BatchKey, context: BatchContext) -> EssayBatch:
    """Its essays are asked for, each as a task; if it is under way, those again that may have been lost. Raises NotFound, also
    where there is no book to look in: then it waits on."""
    scope = load_essays(context.results, key).scope(key.school)
    open_books(scope, context.services.catalog, context.services.models)
    batch = context.store.begin(key, context.now() + context.limits.window)
    if context.predictor and batch.waiting:
        context.queue.add(predict_task(batch))  # which then asks for the essays
    else:
        ask_for_essays(batch, context)
    return batch


def try_again(key: BatchKey, context: BatchContext) -> EssayBatch:
    """As begin_batch, those that failed once more, too: books may have come since. What cannot be used or was deleted stays as
    it is, and so does a batch under way, until it has ended."""
    context.store.reopen(key, (UNREADABLE, FORGOTTEN))
    return begin_batch(key, context)


def begin_all(context: BatchContext, school: str | None = None) -> list[EssayBatch]:
    """Every batch with essays that wait, of that school or of all, oldest first. Raises as begin_batch does."""
    keys = [key for key in context.store.find(waiting=True) if school in (None, key.school)]
    return [begun for key in keys if (begun := _begun(key, context))]


def resume_batches(context: BatchContext) -> None:
    """Ask again for the essays of batches under way, by a process that kept its tasks in memory. To be called at the start."""
    for key in context.store.find(waiting=True):
        with suppress(NotFound):
            if context.store.batch(key).state(context.now()) is BatchState.RUNNING:
                begin_batch(key, context)


def essays_of(key: BatchKey, context: BatchContext) -> Iterator[NamedEssay]:
    """Each essay by number, with its writer's id. Raises NotFound."""
    essays, content = context.store.essays(key), load_essays(context.results, key)
    return (NamedEssay(content.entries[essay.number].id, essay) for essay in essays)


def remove_batch(key: BatchKey, context: BatchContext) -> None:
    """Forget it and all that was kept of it, at once; whoever is at work on an essay of it clears up after itself. Not there:
    nothing happens."""
    with suppress(NotFound):
        forget_job(context.store.batch(key), context)
    context.store.remove(key)
    clear_up(key, context)


def delete_batch(key: BatchKey, context: BatchContext) -> None:
    """As remove_batch, for somebody who names it. Raises NotFound."""
    context.store.batch(key)
    remove_batch(key, context)


def expire_batches(before: datetime, context: BatchContext) -> int:
    """Forget those created before then, of all schools, and what the bucket holds of ones that are not known; how many."""
    old = context.store.find(before=before)
    for key in old:
        remove_batch(key, context)
    held = {folder_of(name) for name in context.results.names("")}
    for folder in held - {batch_folder(key) for key in context.store.find()} - {None}:
        context.results.delete(str(folder))
    return len(old)


def _begun(key: BatchKey, context: BatchContext) -> EssayBatch | None:
    with suppress(NotFound):  # removed in this moment, or its school has no book: it waits on
        return begin_batch(key, context)
    return None


def _refuse(entries: Sequence[Entry], most: int) -> None:
    if len(entries) > most:
        raise TooLarge("batch_too_large", essays=len(entries), max_essays=most)
    if not any(entry.problem is None for entry in entries):
        first = next((entry.problem for entry in entries), None)
        raise BadRequest("no_usable_essay", why=first or message("no_essay_given"))


def _essay_of(entry: Entry) -> BatchEssay:
    if entry.problem is None:
        return BatchEssay(entry.number)
    return BatchEssay(entry.number, EssayState.FAILED, UNREADABLE, entry.problem)
