"""The running position of a lecture in its books."""

import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.lectures.following import Followed, Place, Running, follow

PARAGRAPHS = 60


def heard(windows: Iterable[Sequence[tuple[Place, float]]]) -> list[Followed]:
    """What is made of windows, one after the other."""
    running, told = Running(), []
    for found in windows:
        followed = follow(running, [place for place, _ in found], [score for _, score in found])
        told.append(followed)
        running = followed.running
    return told


def about(number: int, version: str = "a", *, other: int | None = None, lead: float = 0.0) -> list[tuple[Place, float]]:
    """A window on that paragraph; `other` scores better by `lead`."""
    found: list[tuple[Place, float]] = [((version, place), 0.1) for place in range(PARAGRAPHS) if place not in (number, other)]
    return (
        [((version, other), 0.6 + lead), ((version, number), 0.6), *found]
        if other is not None
        else [((version, number), 0.6), *found]
    )


def first(followed: Followed, found: Sequence[tuple[Place, float]]) -> Place:
    return found[followed.order[0]][0]


def test_a_lecture_that_goes_to_another_book_is_followed_there_at_once() -> None:
    there = [(("b", 7), 0.6), *about(40)[1:]]

    told = heard([*(about(number) for number in range(10)), there])

    assert first(told[-1], there) == ("b", 7)


def test_who_jumps_about_is_soon_believed_to_jump_and_is_ordered_by_score() -> None:
    places = random.Random(1).sample(range(PARAGRAPHS), 40)
    windows = [about(number) for number in places] + [about((places[-1] + 2) % 60, other=(places[-1] + 30) % 60, lead=0.1)]

    told = heard(windows)

    assert told[-2].running.follows < 0.4
    assert first(told[-1], windows[-1]) == ("a", (places[-1] + 30) % 60)


def test_it_is_sure_of_a_place_that_windows_agree_on_and_not_of_one_among_many_alike() -> None:
    everywhere = [(("a", number), 0.3) for number in range(PARAGRAPHS)]

    told = heard([everywhere, *(about(number) for number in range(10, 14))])

    assert told[0].confidence < 0.3
    assert told[-1].confidence > 0.9


def test_a_window_that_finds_nothing_changes_nothing_and_it_knows_nothing_of_what_comes() -> None:
    running = heard([about(3)])[0].running
    assert follow(running, [], []) == Followed((), 0.0, running)
    windows = [about(number) for number in (3, 4, 30, 31, 5)]

    assert [each.order for each in heard(windows)[:3]] == [each.order for each in heard(windows[:3])]


@given(
    st.lists(
        st.dictionaries(st.tuples(st.sampled_from("abc"), st.integers(0, 300)), st.floats(-2, 4), min_size=1, max_size=30),
        max_size=12,
    )
)
def test_whatever_windows_find_all_of_it_is_ordered_and_the_shares_are_one_whole(windows: list[dict[Place, float]]) -> None:
    for found, told in zip(windows, heard([list(found.items()) for found in windows]), strict=True):
        assert sorted(told.order) == list(range(len(found)))
        assert 0 <= told.confidence <= 1
        assert 0 <= told.running.follows <= 1
        assert sum(shares.sum() for shares in told.running.shares.values()) == pytest.approx(1)
