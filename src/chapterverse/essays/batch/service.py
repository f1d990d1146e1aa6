"""Batches as teachers and the clock see them: handed in, begun, looked at, forgotten.

A batch as JSON: what the command line prints with --json and the web answers."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.essays.batch.context import Night, ask_for_essays, predict_task
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.essays import clear_up
from chapterverse.essays.batch.files import FORGOTTEN, batch_folder, essays_name, folder_of, key_for, load_essays, packed
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayBatch, EssayState
from chapterverse.essays.batch.prediction import forget_job
from chapterverse.library.scope import open_books
from chapterverse.messages import message

UNREADABLE = "bad_request"  # the code of an essay that was handed in so that it cannot be used


@dataclass(frozen=True, slots=True)
class Told:
    """One essay for whoever watches: its id is the teacher's own."""

    id: str
    essay: BatchEssay


def hand_in(school: str, entries: Sequence[Entry], books: Sequence[str], night: Night, name: str = "") -> EssayBatch:
    """The batch that these essays are, now waiting for its night; the same ones again are the same batch, however far it has
    come, by the name that was given last. Raises BadRequest where none can be used, TooLarge beyond limits.essays."""
    _refuse(entries, night.limits.essays)
    data = packed(entries, books)
    key = key_for(school, data)
    night.store.add(key, [_essay_of(entry) for entry in entries], name)
    if not night.results.names(essays_name(key)):
        night.results.write(essays_name(key), data)
    return night.store.batch(key)


def begin_batch(key: BatchKey, night: Night) -> EssayBatch:
    """Its essays are asked for, each as a task; if it is under way, those again that may have been lost. Raises NotFound, also
    where there is no book to look in: then it waits on."""
    scope = load_essays(night.results, key).scope(key.school)
    open_books(scope, night.services.catalog, night.services.models)
    batch = night.store.begin(key, night.now() + night.limits.window)
    if night.predictor and batch.waiting:
        night.queue.add(predict_task(batch))  # which then asks for the essays
    else:
        ask_for_essays(batch, night)
    return batch


def try_again(key: BatchKey, night: Night) -> EssayBatch:
    """As begin_batch, those that failed once more, too: books may have come since. What cannot be used or was deleted stays as
    it is, and so does a batch under way, until it has ended."""
    night.store.reopen(key, (UNREADABLE, FORGOTTEN))
    return begin_batch(key, night)


def begin_all(night: Night, school: str | None = None) -> list[EssayBatch]:
    """Every batch with essays that wait, of that school or of all, oldest first. Raises as begin_batch does."""
    keys = [key for key in night.store.find(waiting=True) if school in (None, key.school)]
    return [begun for key in keys if (begun := _begun(key, night))]


def resume_batches(night: Night) -> None:
    """Ask again for the essays of batches under way, by a process that kept its tasks in memory. To be called at the start."""
    for key in night.store.find(waiting=True):
        with suppress(NotFound):
            if night.store.batch(key).state(night.now()) is BatchState.RUNNING:
                begin_batch(key, night)


def essays_of(key: BatchKey, night: Night) -> Iterator[Told]:
    """Each essay by number, with its writer's id. Raises NotFound."""
    essays, handed_in = night.store.essays(key), load_essays(night.results, key)
    return (Told(handed_in.entries[essay.number].id, essay) for essay in essays)


def remove_batch(key: BatchKey, night: Night) -> None:
    """Forget it and all that was kept of it, at once; whoever is at work on an essay of it clears up after itself. Not there:
    nothing happens."""
    with suppress(NotFound):
        forget_job(night.store.batch(key), night)
    night.store.remove(key)
    clear_up(key, night)


def take_back(key: BatchKey, night: Night) -> None:
    """As remove_batch, for somebody who names it. Raises NotFound."""
    night.store.batch(key)
    remove_batch(key, night)


def expire_batches(before: datetime, night: Night) -> int:
    """Forget those created before then, of all schools, and what the bucket holds of ones that are not known; how many."""
    old = night.store.find(before=before)
    for key in old:
        remove_batch(key, night)
    held = {folder_of(name) for name in night.results.names("")}
    for folder in held - {batch_folder(key) for key in night.store.find()} - {None}:
        night.results.delete(str(folder))
    return len(old)


def _begun(key: BatchKey, night: Night) -> EssayBatch | None:
    with suppress(NotFound):  # removed in this moment, or its school has no book: it waits on
        return begin_batch(key, night)
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


def batch_json(batch: EssayBatch, now: datetime) -> dict[str, Any]:
    """How far it has come; times are UTC. ready_at: when it will be done, by its pace so far, null where nobody can know."""
    times = {"created": batch.created, "began": batch.began, "due": batch.due, "ready_at": batch.ready_at(now)}
    return {
        "batch": batch.key.batch,
        "name": batch.name,
        "state": batch.state(now).value,
        "essays": batch.essays,
        "done": batch.done,
        "failed": batch.failed,
        "left": batch.waiting,
        **{name: at and at.isoformat() for name, at in times.items()},
    }


def told_json(told: Told) -> dict[str, Any]:
    """One essay: the teacher's id, and what became of it."""
    essay = told.essay
    return {"number": essay.number, "id": told.id, "state": essay.state.value, "reason": essay.reason, "message": essay.message}
