from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.essays.history import (
    FeedbackHistory,
    expire,
    feedback_of,
    find_feedback,
    list_feedback,
    store_feedback,
)
from chapterverse.essays.model import Choice, Show
from chapterverse.essays.records import FeedbackResponse, StoredResponse, Summary
from chapterverse.essays.review import approve, choose
from chapterverse.essays.service import EssayContext
from tests.support.batches import EVENING, Clock
from tests.support.essays import some_feedback
from tests.support.history import history_in
from tests.support.refusals import refused
from tests.support.shelved import empty_library

SOME = some_feedback()
BEGINS = "Silencing opinion robs us of truth. My uncle sings every morning."
TIMES = {"created": EVENING, "expires": EVENING + timedelta(days=30), "approved": EVENING}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def history(tmp_path: Path, clock: Clock) -> Iterator[FeedbackHistory]:
    with history_in(tmp_path, clock) as opened:
        yield opened


@pytest.fixture
def context(tmp_path: Path, history: FeedbackHistory) -> Iterator[EssayContext]:
    with empty_library(tmp_path) as services:
        yield EssayContext(services, history)


def keep(history: FeedbackHistory) -> str:
    """The id of new feedback."""
    return str(store_feedback(SOME, "school", history).id)


def test_what_is_kept_is_read_as_it_was_given(history: FeedbackHistory) -> None:
    given = store_feedback(SOME, "school", history)

    kept = find_feedback("school", str(given.id), history)

    assert feedback_of(kept) == given == replace(SOME, id=given.id)
    assert (kept.created, history.expires(kept)) == (EVENING, EVENING + timedelta(days=30))


def test_where_nothing_is_to_be_kept_nothing_is(history: FeedbackHistory) -> None:
    nothing = replace(history, days=0)

    assert store_feedback(SOME, "school", nothing).id is None
    assert list_feedback("school", history) == []


def test_when_its_days_are_over_nobody_sees_it_even_before_it_is_deleted(history: FeedbackHistory, clock: Clock) -> None:
    old = keep(history)
    clock.later(days=30)
    assert find_feedback("school", old, history)
    clock.later(seconds=1)

    assert list_feedback("school", history) == []
    with refused(NotFound, "feedback_expired"):
        find_feedback("school", old, history)


def test_what_has_been_kept_long_enough_is_deleted_and_nothing_else(history: FeedbackHistory, clock: Clock) -> None:
    keep(history)
    clock.later(days=20)
    young = keep(history)
    clock.later(days=11)

    assert [expire(history), expire(history)] == [1, 0]
    assert [kept.id for kept in list_feedback("school", replace(history, days=3650))] == [young]


def test_who_keeps_nothing_any_more_deletes_all(history: FeedbackHistory, clock: Clock) -> None:
    keep(history)
    clock.later(seconds=1)

    assert expire(replace(history, days=0)) == 1


def test_what_another_version_gave_is_said_to_be_so_without_a_word_of_it(history: FeedbackHistory) -> None:
    kept = replace(find_feedback("school", keep(history), history), answer='{"words": "My secret."}')

    with pytest.raises(NotFound, match="another version") as error:
        feedback_of(kept)
    assert error.value.__cause__ is None
    assert "secret" not in str(error.value)


def test_stored_feedback_is_what_was_given_with_its_times(history: FeedbackHistory) -> None:
    given = store_feedback(some_feedback(), "school", history)
    kept = find_feedback("school", str(given.id), history)

    edits = {"changes": (), "grade": "", "levels": (), "note": "", "order": (), "own": ()}
    nothing = {"changed": False, "choices": [], "thumbs": (), "hidden": [], "edits": edits}
    nothing |= dict.fromkeys(("grade_given", "note", "written_by"), "")
    assert (
        StoredResponse.of_stored(kept, history).model_dump()
        == FeedbackResponse.of_feedback(given).model_dump() | TIMES | nothing
    )
    entry = {"id": given.id, "title": "Speech", "begins": BEGINS, "thumbs": {"up": 0, "down": 0}, "written_by": ""}
    entry |= {"words": 23, "version_of": None, "changed": False, "assignment": ""}
    assert Summary.of(kept, history).model_dump() == entry | TIMES


def test_another_school_chooses_and_approves_nothing(history: FeedbackHistory, context: EssayContext) -> None:
    id = keep(history)

    for do in (
        lambda: choose("another", id, Choice(1, Show.HIDDEN), context),
        lambda: approve("another", id, True, history),
    ):
        with pytest.raises(NotFound):
            do()


def test_approved_twice_it_is_approved_since_the_first_time(history: FeedbackHistory, clock: Clock) -> None:
    id = keep(history)
    approve("school", id, False, history)
    assert find_feedback("school", id, history).approved is None

    approve("school", id, True, history)
    first = clock()
    clock.later(hours=1)
    approve("school", id, True, history)

    assert find_feedback("school", id, history).approved == first
