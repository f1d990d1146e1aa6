"""Batches handed in, begun, removed; a kill or a second hand-in between any two steps does no harm."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.model import BatchState, EssayState
from chapterverse.essays.batch.service import (
    begin_all,
    begin_batch,
    essays_of,
    expire_batches,
    submit_batch,
)
from chapterverse.library.versions import remove_book
from chapterverse.messages import plain
from tests.support.batches import EVENING, Clock, ManualQueue, begun, entries, queue_of
from tests.support.refusals import refused

BAD = EssayEntry(3, "cleo", problem=plain("Line 3 has no text."))


def clock_of(context: BatchContext) -> Clock:
    assert isinstance(context.now, Clock)
    return context.now


def test_other_essays_books_or_schools_are_another_batch(context: BatchContext) -> None:
    handed_in = [
        submit_batch("school", entries("I say so."), [], context),
        submit_batch("school", entries("I say no."), [], context),
        submit_batch("school", entries("I say so."), ["on-liberty"], context),
        submit_batch("other", entries("I say so."), [], context),
    ]

    assert len({batch.key for batch in handed_in}) == 4


def test_a_batch_none_of_whose_essays_can_be_used_is_refused_with_the_first_reason(context: BatchContext) -> None:
    with pytest.raises(BadRequest, match=r"Line 3 has no text\."):
        submit_batch("school", [BAD], [], context)
    with pytest.raises(BadRequest, match="No essays were sent"):
        submit_batch("school", [], [], context)


def test_more_essays_than_one_batch_takes_are_refused(context: BatchContext) -> None:
    with pytest.raises(TooLarge, match="at most 10 essays at once; these are 11"):
        submit_batch("school", [EssayEntry(number, str(number), None, "I say so.") for number in range(1, 12)], [], context)


def test_a_hand_in_that_was_killed_before_its_essays_were_kept_is_finished_by_the_next(context: BatchContext) -> None:
    key = submit_batch("school", entries("I say so."), [], context).key
    context.results.delete("")

    submit_batch("school", entries("I say so."), [], context)

    assert [one.id for one in essays_of(key, context)] == ["ada"]


def test_a_batch_begun_twice_asks_for_each_essay_once(context: BatchContext) -> None:
    batch = begun(context, [*entries("I say so.", "So do I."), BAD])

    begin_batch(batch.key, context)

    assert len(queue_of(context).waiting) == 2


def test_what_is_left_when_the_window_is_over_is_asked_for_anew_in_the_next(context: BatchContext) -> None:
    batch = begun(context, entries("I say so.", "So do I."))
    context.store.note(batch.key, 1, EssayState.DONE)
    queue_of(context).waiting.clear()
    clock_of(context).later(hours=24)

    begin_batch(batch.key, context)

    [task] = queue_of(context).waiting
    assert task.body["essay"] == 2
    assert context.store.batch(batch.key).due == EVENING + timedelta(hours=36)


def test_a_process_that_kept_its_tasks_in_memory_asks_again_for_what_was_under_way_and_for_nothing_else(
    context: BatchContext,
) -> None:
    under_way = begun(context, entries("I say so.", "So do I."))
    submit_batch("school", entries("I wait for my context."), [], context)
    context.store.note(under_way.key, 1, EssayState.DONE)
    queue = ManualQueue()

    begin_all(replace(context, queue=queue), running=True)

    assert [(task.body["batch"], task.body["essay"]) for task in queue.waiting] == [(under_way.key.batch, 2)]


def test_every_batch_that_waits_is_begun_of_one_school_or_of_all(context: BatchContext) -> None:
    mine = submit_batch("school", entries("I say so."), [], context)
    done = begun(context, entries("It is done."))
    queue_of(context).do_all(context)

    assert [batch.key for batch in begin_all(context, "school")] == [mine.key]
    assert begin_all(context, "other") == []
    assert [batch.key for batch in begin_all(context)] == [mine.key]
    assert context.store.batch(done.key).state(EVENING) is BatchState.DONE


def test_a_batch_waits_on_while_its_school_has_no_book(context: BatchContext) -> None:
    remove_book("school", context.services.catalog.books("school")[0].id, context.services)
    batch = submit_batch("school", entries("I say so."), [], context)

    with refused(NotFound, "collection_empty"):
        begin_batch(batch.key, context)

    assert begin_all(context) == []
    assert context.store.batch(batch.key).state(EVENING) is BatchState.WAITING


def test_batches_expire_by_their_age_and_with_them_what_belongs_to_none(context: BatchContext) -> None:
    old = begun(context, entries("I am old."))
    clock_of(context).later(days=1)
    new = submit_batch("school", entries("I am new."), [], context)
    context.results.write("school/batches/0123456789abcdef/essays.json.gz", b"of a hand-in that was killed")
    context.results.write("notes.txt", b"somebody else's")

    assert expire_batches(EVENING + timedelta(hours=1), context) == 1

    assert context.store.find() == [new.key]
    names = context.results.names("")
    assert not any(old.key.batch in name or "0123456789abcdef" in name for name in names)
    assert "notes.txt" in names
