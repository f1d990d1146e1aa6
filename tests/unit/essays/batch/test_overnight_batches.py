"""Batches handed in, begun, removed; a kill or a second hand-in between any two steps does no harm."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.model import BatchState, EssayState
from chapterverse.essays.batch.service import (
    begin_all,
    begin_batch,
    essays_of,
    expire_batches,
    hand_in,
    remove_batch,
    resume_batches,
)
from chapterverse.essays.history import list_feedback
from chapterverse.library.service import remove_book
from chapterverse.messages import plain
from tests.support.nights import TEN, Clock, NightQueue, begun, entries, queue_of
from tests.support.refusals import refused

BAD = Entry(3, "cleo", problem=plain("Line 3 has no text."))


def clock_of(night: Night) -> Clock:
    assert isinstance(night.now, Clock)
    return night.now


def test_what_is_handed_in_waits_for_its_night(night: Night) -> None:
    batch = hand_in("school", [*entries("I say so.", "So do I."), BAD], [], night)

    assert (batch.state(TEN), batch.waiting, batch.failed) == (BatchState.WAITING, 2, 1)
    assert queue_of(night).waiting == []


def test_the_same_essays_again_are_the_same_batch_however_far_it_has_come(night: Night) -> None:
    first = begun(night, entries("I say so."))
    queue_of(night).do_all(night)

    again = hand_in("school", entries("I say so."), [], night)

    assert (again.key, again.done) == (first.key, 1)


def test_other_essays_books_or_schools_are_another_batch(night: Night) -> None:
    handed_in = [
        hand_in("school", entries("I say so."), [], night),
        hand_in("school", entries("I say no."), [], night),
        hand_in("school", entries("I say so."), ["on-liberty"], night),
        hand_in("other", entries("I say so."), [], night),
    ]

    assert len({batch.key for batch in handed_in}) == 4


def test_a_batch_none_of_whose_essays_can_be_used_is_refused_with_the_first_reason(night: Night) -> None:
    with pytest.raises(BadRequest, match=r"Line 3 has no text\."):
        hand_in("school", [BAD], [], night)
    with pytest.raises(BadRequest, match="There is none"):
        hand_in("school", [], [], night)


def test_more_essays_than_one_batch_takes_are_refused(night: Night) -> None:
    with pytest.raises(TooLarge, match="11 essays and the limit is 10"):
        hand_in("school", [Entry(number, str(number), None, "I say so.") for number in range(1, 12)], [], night)


def test_a_hand_in_that_was_killed_before_its_essays_were_kept_is_finished_by_the_next(night: Night) -> None:
    key = hand_in("school", entries("I say so."), [], night).key
    night.results.delete("")

    hand_in("school", entries("I say so."), [], night)

    assert [one.id for one in essays_of(key, night)] == ["ada"]


def test_a_batch_begun_twice_asks_for_each_essay_once(night: Night) -> None:
    batch = begun(night, [*entries("I say so.", "So do I."), BAD])

    begin_batch(batch.key, night)

    assert len(queue_of(night).waiting) == 2


def test_what_is_left_when_the_window_is_over_is_asked_for_anew_in_the_next(night: Night) -> None:
    batch = begun(night, entries("I say so.", "So do I."))
    night.store.note(batch.key, 1, EssayState.DONE)
    queue_of(night).waiting.clear()
    clock_of(night).later(hours=24)

    begin_batch(batch.key, night)

    [task] = queue_of(night).waiting
    assert task.body["essay"] == 2
    assert night.store.batch(batch.key).due == TEN + timedelta(hours=36)


def test_a_process_that_kept_its_tasks_in_memory_asks_again_for_what_was_under_way_and_for_nothing_else(night: Night) -> None:
    under_way = begun(night, entries("I say so.", "So do I."))
    hand_in("school", entries("I wait for my night."), [], night)
    night.store.note(under_way.key, 1, EssayState.DONE)
    queue = NightQueue()

    resume_batches(replace(night, queue=queue))

    assert [(task.body["batch"], task.body["essay"]) for task in queue.waiting] == [(under_way.key.batch, 2)]


def test_every_batch_that_waits_is_begun_of_one_school_or_of_all(night: Night) -> None:
    mine = hand_in("school", entries("I say so."), [], night)
    done = begun(night, entries("It is done."))
    queue_of(night).do_all(night)

    assert [batch.key for batch in begin_all(night, "school")] == [mine.key]
    assert begin_all(night, "other") == []
    assert [batch.key for batch in begin_all(night)] == [mine.key]
    assert night.store.batch(done.key).state(TEN) is BatchState.DONE


def test_a_batch_waits_on_while_its_school_has_no_book(night: Night) -> None:
    remove_book("school", night.services.catalog.books("school")[0].id, night.services)
    batch = hand_in("school", entries("I say so."), [], night)

    with refused(NotFound, "collection_empty"):
        begin_batch(batch.key, night)

    assert begin_all(night) == []
    assert night.store.batch(batch.key).state(TEN) is BatchState.WAITING


def test_of_a_batch_that_was_removed_nothing_is_left(night: Night) -> None:
    batch = begun(night, entries("I say so.", "So do I."))
    kept = hand_in("school", entries("I stay."), [], night)
    queue_of(night).do_all(night)

    remove_batch(batch.key, night)

    assert (night.store.find(), list_feedback("school", night.keeping)) == ([kept.key], [])
    assert all(kept.key.batch in name for name in night.results.names(""))


def test_batches_expire_by_their_age_and_with_them_what_belongs_to_none(night: Night) -> None:
    old = begun(night, entries("I am old."))
    clock_of(night).later(days=1)
    new = hand_in("school", entries("I am new."), [], night)
    night.results.write("school/batches/0123456789abcdef/essays.json.gz", b"of a hand-in that was killed")
    night.results.write("notes.txt", b"somebody else's")

    assert expire_batches(TEN + timedelta(hours=1), night) == 1

    assert night.store.find() == [new.key]
    names = night.results.names("")
    assert not any(old.key.batch in name or "0123456789abcdef" in name for name in names)
    assert "notes.txt" in names


def test_who_watches_is_told_the_teachers_own_ids(night: Night) -> None:
    batch = begun(replace(night), [*entries("I say so.", "So do I."), BAD])

    assert [(one.id, one.essay.state, one.essay.message and str(one.essay.message)) for one in essays_of(batch.key, night)] == [
        ("ada", EssayState.WAITING, None),
        ("ben", EssayState.WAITING, None),
        ("cleo", EssayState.FAILED, "Line 3 has no text."),
    ]
