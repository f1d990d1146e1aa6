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
    remove_feedback,
    store_feedback,
)
from tests.support.keeping import keeping_in, some_feedback
from tests.support.nights import TEN, Clock
from tests.support.refusals import refused

SOME = some_feedback()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keeping(tmp_path: Path, clock: Clock) -> Iterator[FeedbackHistory]:
    with keeping_in(tmp_path, clock) as opened:
        yield opened


def keep(keeping: FeedbackHistory) -> str:
    """The id of new feedback."""
    return str(store_feedback(SOME, "school", keeping).id)


def test_what_is_kept_is_read_as_it_was_given(keeping: FeedbackHistory) -> None:
    given = store_feedback(SOME, "school", keeping)

    kept = find_feedback("school", str(given.id), keeping)

    assert feedback_of(kept) == given == replace(SOME, id=given.id)
    assert (kept.created, keeping.expires(kept)) == (TEN, TEN + timedelta(days=30))


def test_no_two_have_an_id_in_common_and_none_can_be_guessed(keeping: FeedbackHistory) -> None:
    ids = {keep(keeping) for _ in range(20)}

    assert len(ids) == 20
    assert {len(id) for id in ids} == {32}


def test_where_nothing_is_to_be_kept_nothing_is(keeping: FeedbackHistory) -> None:
    nothing = replace(keeping, days=0)

    assert store_feedback(SOME, "school", nothing).id is None
    assert list_feedback("school", keeping) == []


def test_when_its_days_are_over_nobody_sees_it_even_before_it_is_deleted(keeping: FeedbackHistory, clock: Clock) -> None:
    old = keep(keeping)
    clock.later(days=30)
    assert find_feedback("school", old, keeping)
    clock.later(seconds=1)

    assert list_feedback("school", keeping) == []
    with refused(NotFound, "feedback_expired"):
        find_feedback("school", old, keeping)


def test_what_has_been_kept_long_enough_is_deleted_and_nothing_else(keeping: FeedbackHistory, clock: Clock) -> None:
    keep(keeping)
    clock.later(days=20)
    young = keep(keeping)
    clock.later(days=11)

    assert [expire(keeping), expire(keeping)] == [1, 0]
    assert [kept.id for kept in list_feedback("school", replace(keeping, days=3650))] == [young]


def test_who_keeps_nothing_any_more_deletes_all(keeping: FeedbackHistory, clock: Clock) -> None:
    keep(keeping)
    clock.later(seconds=1)

    assert expire(replace(keeping, days=0)) == 1


def test_the_newest_come_first_and_the_rest_part_by_part(keeping: FeedbackHistory, clock: Clock) -> None:
    ids = []
    for _ in range(3):
        ids.append(keep(keeping))
        clock.later(minutes=1)

    first = list_feedback("school", keeping, limit=2)
    rest = list_feedback("school", keeping, before=first[-1].created)

    assert [kept.id for kept in (*first, *rest)] == ids[::-1]


def test_what_is_removed_is_gone_at_once(keeping: FeedbackHistory) -> None:
    id = keep(keeping)

    remove_feedback("school", id, keeping)

    with pytest.raises(NotFound):
        find_feedback("school", id, keeping)
    with pytest.raises(NotFound):
        remove_feedback("school", id, keeping)


def test_what_another_version_gave_is_said_to_be_so_without_a_word_of_it(keeping: FeedbackHistory) -> None:
    kept = replace(find_feedback("school", keep(keeping), keeping), answer='{"words": "My secret."}')

    with pytest.raises(NotFound, match="another version") as error:
        feedback_of(kept)
    assert error.value.__cause__ is None
    assert "secret" not in str(error.value)
