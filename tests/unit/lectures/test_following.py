"""What windows found, in the order of where the lecture is."""

import random
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import BookId, ChunkId, SentenceId
from chapterverse.core.errors import CatalogUnavailable
from chapterverse.core.hits import Hit, Record
from chapterverse.lectures.following import Followed, Place, PositionFilter, Running, follow
from chapterverse.lectures.model import LectureCitation, LectureSession, Window
from tests.support.lectures import a_citation

ONE = LectureSession(UUID(int=1), "school", datetime(2026, 1, 1, tzinfo=UTC))
OTHER = LectureSession(UUID(int=2), "school", datetime(2026, 1, 1, tzinfo=UTC))


def hit(number: int, score: float) -> Hit:
    id = SentenceId(f"0123456789abcdef-paragraph-24-254-{number:05d}")
    record = Record(id, BookId("book"), "0123456789abcdef", None, "", "", None, None)
    return Hit(record, score, np.ones(1, np.float32))


def found(number: int, score: float = 0.8) -> list[Hit]:
    return [hit(number, score), *(hit(other, 0.1) for other in range(40) if other != number)]


def window(index: int) -> Window:
    return Window(index, 0.0, 1.0, "")


def lecture(following: PositionFilter, numbers: range, session: LectureSession = ONE) -> None:
    following(session, [window(index) for index in range(len(numbers))], [found(number) for number in numbers])


def doubtful() -> list[Hit]:
    """30 and 12 score alike, 30 a little better."""
    return [hit(30, 0.82), hit(12, 0.8), *(hit(other, 0.1) for other in range(12))]


def where(following: PositionFilter, index: int = 10, session: LectureSession = ONE) -> str:
    [its] = following(session, [window(index)], [doubtful()])
    return its[0].record.id[-2:]


def test_a_session_is_followed_from_window_to_window_until_it_begins_anew_and_no_other_one() -> None:
    following = PositionFilter(min_score=0.4, min_confidence=0.0)
    lecture(following, range(2, 12))

    assert (where(following), where(following, session=OTHER)) == ("12", "30")
    assert where(following) == "12"  # asked once more
    assert where(following, 0) == "30"


def test_a_window_that_comes_too_late_does_not_move_the_lecture() -> None:
    following = PositionFilter(0.4, 0.0)
    lecture(following, range(2, 12))
    following(ONE, [window(3)], [found(35)])

    assert where(following) == "12"


def test_what_scores_too_low_or_might_stand_anywhere_is_cited_nowhere() -> None:
    everywhere = [hit(number, 0.5) for number in range(40)]

    told = PositionFilter(min_score=0.4, min_confidence=0.5, min_about=0.0)(
        ONE, [window(0), window(1), window(2)], [found(3, 0.35), everywhere, found(3)]
    )

    assert [bool(its) for its in told] == [False, False, True]


SCORES = {"X": 0.8, "x": 0.5, ".": 0.2}


def cited_of(following: PositionFilter, windows: str) -> str:
    """Of windows that come very close to the book ("X"), close ("x") or not ("."), those with citations ("x")."""
    hits = [found(index % 40, SCORES[each]) for index, each in enumerate(windows)]
    return "".join("x" if its else "." for its in following(ONE, [window(index) for index in range(len(windows))], hits))


def test_a_lecture_is_cited_while_it_is_on_the_book() -> None:
    assert cited_of(PositionFilter(0.4, 0.0), ".Xxx.xxxXx..xxxX") == ".xxx.xxxxx..xxxx"
    another = cited_of(PositionFilter(0.4, 0.0), "xx.xxx..xxxxx.x.xxxx.xxx")  # many windows come close
    assert another == "x" + "." * 23
    turns_away = cited_of(PositionFilter(0.4, 0.0), "XXXX" + ".x." * 20 + "x")
    assert (turns_away[:4], turns_away[-1]) == ("xxxx", ".")
    assert PositionFilter(min_score=0.4, min_confidence=0.5)(ONE, [window(0)], [[]]) == [[]]


def cited(*numbers: int) -> list[LectureCitation]:
    """The one citation of each window: paragraphs of these numbers."""
    paragraphs = [ChunkId(found(number)[0].record.id) for number in numbers]
    return [a_citation(index, paragraph=each, version="0123456789abcdef") for index, each in enumerate(paragraphs)]


def test_a_lecture_goes_on_in_another_process_from_its_citations_if_there_is_the_catalog() -> None:
    def away(_: LectureSession) -> list[LectureCitation]:
        raise CatalogUnavailable("Away.")

    kept = cited(*range(2, 12))

    assert where(PositionFilter(0.4, 0.0, lambda _: kept)) == "12"
    assert where(PositionFilter(0.4, 0.0)) == "30"
    assert where(PositionFilter(0.4, 0.0, away)) == "30"


def test_a_lecture_that_was_elsewhere_for_a_while_goes_on_where_it_is_now() -> None:
    kept = cited(*range(20, 30), *range(2, 12))
    following = PositionFilter(0.4, 0.0, lambda _: kept)
    lecture(following, range(20, 30))

    assert where(following, 20) == "12"
    assert where(following, 21) == "12"


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
    others = [] if other is None else [((version, other), 0.6 + lead)]
    return [*others, ((version, number), 0.6), *found]


def first(followed: Followed, found: Sequence[tuple[Place, float]]) -> Place:
    return found[followed.order[0]][0]


def test_a_lecture_that_goes_to_another_book_is_followed_there_at_once() -> None:
    there = [(("b", 7), 0.6), *about(40)[1:]]

    assert first(heard([*(about(number) for number in range(10)), there])[-1], there) == ("b", 7)


def test_who_jumps_about_is_soon_believed_to_jump_and_is_ordered_by_score() -> None:
    places = random.Random(1).sample(range(PARAGRAPHS), 40)
    windows = [about(number) for number in places] + [about((places[-1] + 2) % 60, other=(places[-1] + 30) % 60, lead=0.1)]

    told = heard(windows)

    assert told[-2].running.follows < 0.4
    assert first(told[-1], windows[-1]) == ("a", (places[-1] + 30) % 60)


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
