"""What every SqlLectures must do."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.lectures.model import LectureCitation, LectureDetails, LectureSession, Segment, Window, WindowResult
from chapterverse.lectures.store import SqlLectures
from chapterverse.lectures.windows import Stream
from tests.contract.conftest import NOON, opens
from tests.support.lectures import a_citation as citation

NOBODY = UUID(int=999)
CALCULUS = BookId("calculus")
store = opens(SqlLectures)


def session(number: int = 1, hours: float = 0, school: str = "school", **facts: Any) -> LectureSession:
    return LectureSession(UUID(int=number), school, NOON + timedelta(hours=hours), **facts)


def keep(store: SqlLectures, *citations: LectureCitation) -> None:
    store.create_batch(citations[0].session_id, results(*citations), NOON)


def results(*citations: LectureCitation) -> list[WindowResult]:
    """Of the windows that these are of."""
    by_window = {
        each.window_index: [other for other in citations if other.window_index == each.window_index] for each in citations
    }
    return [WindowResult(Window(index, 1.0, 2.0, "Words."), tuple(its)) for index, its in by_window.items()]


def test_a_session_tells_when_it_was_last_received(store: SqlLectures) -> None:
    store.begin(session())
    store.begin(session(2))
    for index, minutes in ((0, 0), (1, 20)):
        store.create_batch(UUID(int=1), [WindowResult(Window(index, 0.0, 9.0, "A word."))], NOON + timedelta(minutes=minutes))

    listed = {each.id.int: each.received for each in store.of_school("school", NOON, 10)}

    assert listed == {1: NOON + timedelta(minutes=20), 2: None}
    assert store.find("school", UUID(int=1)).received == NOON + timedelta(minutes=20)


def test_sessions_are_listed_newest_first_or_those_that_one_person_began(store: SqlLectures) -> None:
    begun_by = {1: "anna@school.example", 2: "ben@school.example", 3: None}
    for number, hours in ((1, 0), (2, 2), (3, 1)):
        store.begin(session(number, hours, begun_by=begun_by[number]))
    store.begin(session(4, school="another"))

    def numbers(since: datetime, limit: int) -> list[int]:
        return [each.id.int for each in store.of_school("school", since, limit)]

    assert numbers(NOON, 10) == [2, 3, 1]
    assert numbers(NOON + timedelta(hours=1), 1) == [2]
    theirs = session(1, begun_by="anna@school.example")
    assert store.of_school("school", NOON, 10, "anna@school.example") == [theirs] == [store.find("school", theirs.id)]


def test_citations_are_kept_whole_and_listed_by_window_and_rank_and_only_the_last_of_a_window(store: SqlLectures) -> None:
    store.begin(session())
    later, second, first = citation(3), citation(0, 2, section_heading=None), citation(0, 1)

    keep(store, later, second, first)

    assert store.list_by_session("school", UUID(int=1)) == [first, second, later]
    assert store.get_by_id("school", second.id) == second
    store.create_batch(UUID(int=1), results(citation(0, 1, snippet="Better.")), NOON)
    assert store.list_by_session("school", UUID(int=1)) == [citation(0, 1, snippet="Better."), later]


def test_what_is_not_there_or_another_schools_is_not_found(store: SqlLectures) -> None:
    store.begin(session())
    keep(store, citation())

    for school, id in (("school", NOBODY), ("another", UUID(int=1))):
        for look in (
            store.find,
            store.list_by_session,
            store.remove,
            lambda s, i: store.change(s, i, lambda was: was),
            lambda s, i: store.change_stream(s, i, Stream.flush),
        ):
            with pytest.raises(NotFound):
                look(school, id)
    with pytest.raises(NotFound):
        store.get_by_id("another", citation().id)
    with pytest.raises(NotFound):
        store.create_batch(NOBODY, results(citation(session=999)), NOON)


def test_citations_go_with_their_session(store: SqlLectures) -> None:
    for number in (1, 2):
        store.begin(session(number))
        keep(store, citation(session=number))

    store.remove("school", UUID(int=1))

    with pytest.raises(NotFound):
        store.get_by_id("school", citation().id)
    assert store.list_by_session("school", UUID(int=2)) == [citation(session=2)]


def test_old_sessions_of_all_schools_are_forgotten(store: SqlLectures) -> None:
    day = timedelta(days=1)
    for each in (session(3, hours=-2), session(4, hours=-1, school="another"), session(5)):
        store.begin(each)

    assert store.of_school("school", NOON, 10) == [session(5)]
    assert store.remove_before(NOON) == 2
    assert store.of_school("school", NOON - day, 10) == [session(5)]
    assert store.of_school("another", NOON - day, 10) == []


def test_what_a_speaker_decides_is_stored_and_a_code_leads_to_the_session_of_its_school(store: SqlLectures) -> None:
    store.begin(session())
    books = store.change("school", UUID(int=1), lambda was: replace(was, books=(*was.books, CALCULUS)))
    assert books == store.find("school", UUID(int=1)) == session(books=(CALCULUS,))
    decided = {"books": (), "decided": LectureDetails(name="Harm"), "code": "K7Q4MN2P"}

    changed = store.change("school", UUID(int=1), lambda was: replace(was, **decided))

    assert changed == session(**decided) == store.with_code("school", "K7Q4MN2P")
    for school, code in (("another", "K7Q4MN2P"), ("school", "K7Q4MN2Q"), ("school", "")):
        with pytest.raises(NotFound):
            store.with_code(school, code)


def test_a_session_has_ended_until_somebody_speaks_again(store: SqlLectures) -> None:
    store.begin(session())

    store.change_stream("school", UUID(int=1), Stream.flush)
    assert store.find("school", UUID(int=1)).ended

    for word in ("one", "two"):  # where the windowing stands is stored
        store.change_stream("school", UUID(int=1), partial(Stream.push, segments=[Segment(word, 0, 1, word)]))
    assert not store.find("school", UUID(int=1)).ended
    assert [each.text for each in store.change_stream("school", UUID(int=1), Stream.flush)] == ["one two"]


def news(store: SqlLectures, after: int = 0) -> Sequence[tuple[int, WindowResult]]:
    return store.news({UUID(int=1): after})[UUID(int=1)].results


def test_windows_are_told_by_number_with_their_citations_and_without_words(store: SqlLectures) -> None:
    store.begin(session())
    said = Window(3, 12.5, 20.0, "What was said.", segments=("s1", "s2"))
    store.create_batch(UUID(int=1), [WindowResult(said, (citation(3, 1), citation(3, 2)), milliseconds=4.5)], NOON)
    store.create_batch(UUID(int=1), [WindowResult(Window(4, 20.0, 30.0, "More."), failed="search")], NOON)

    (first, cited), (second, missed) = news(store)

    assert cited == WindowResult(replace(said, text=""), (citation(3, 1), citation(3, 2)), milliseconds=4.5)
    assert (missed.window.index, missed.failed) == (4, "search")
    assert [number for number, _ in news(store, first)] == [second]
    keep(store, citation(3, snippet="Better."))  # a window that is looked up again comes again
    ((number, again),) = news(store, second)
    assert number > second
    assert [each.snippet for each in again.citations] == ["Better."]


def test_words_are_stored_where_the_school_keeps_transcripts_each_once(store: SqlLectures) -> None:
    store.begin(session())
    said = WindowResult(Window(3, 12.5, 20.0, "Before that. What was said.", overlap=13))
    store.create_batch(UUID(int=1), [said], NOON, with_words=True)

    assert [result.window.text for _, result in news(store)] == ["What was said."]


def test_news_of_several_lectures_come_together_each_with_its_own_citations(store: SqlLectures) -> None:
    for number in (1, 2):
        store.begin(replace(session(), id=UUID(int=number), code=None))
    keep(store, citation(0, snippet="One."))
    store.create_batch(UUID(int=2), [WindowResult(Window(0, 0.0, 9.0, "Two."))], NOON)
    store.change_stream("school", UUID(int=2), Stream.flush)

    found = store.news({UUID(int=number): 0 for number in (1, 2, 3)})

    assert set(found) == {UUID(int=1), UUID(int=2)}
    assert [len(result.citations) for _, result in found[UUID(int=1)].results] == [1]
    assert [result.citations for _, result in found[UUID(int=2)].results] == [()]
    assert (found[UUID(int=1)].ended, found[UUID(int=2)].ended) == (False, True)
