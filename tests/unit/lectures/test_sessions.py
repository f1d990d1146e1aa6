from datetime import timedelta
from uuid import UUID

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.lectures.citing import store_results
from chapterverse.lectures.model import LectureDetails, Window, WindowResult
from chapterverse.lectures.service import (
    MAX_BOOKS,
    begin_session,
    decide,
    find_citation,
    find_session,
    is_running,
    state_of,
)
from chapterverse.library.versions import remove_book
from chapterverse.messages import plain
from tests.support.intake import NOON, SCHOOL
from tests.support.lectures import CALCULUS, DESCENT, NOBODYS, NOTES, THEOREM, Campus, at


def states(campus: Campus, id: UUID) -> list[str]:
    return [state_of(SCHOOL, each, campus.context).state for each in find_session(SCHOOL, id, campus.context).books]


def names(campus: Campus, id: UUID, said: str) -> list[str]:
    [result] = campus.cite(find_session(SCHOOL, id, campus.context), said)
    return [citation.document_name for citation in result.citations]


def test_only_books_beside_the_session_are_cited_and_they_change_while_the_lecture_goes_on(campus: Campus) -> None:
    calculus, notes, session = campus.add(CALCULUS, "calculus"), campus.add(NOTES, "notes"), campus.begin()
    assert set(names(campus, campus.begin(calculus).id, DESCENT)) <= {"Calculus"}

    decide(SCHOOL, session.id, LectureDetails(), campus.context, [notes, notes])
    cited = names(campus, session.id, DESCENT)
    left = decide(SCHOOL, session.id, LectureDetails(), campus.context, [])

    assert cited[0] == "Notes"
    assert campus.context.store.list_by_session(SCHOOL, session.id)
    assert (left.books, names(campus, session.id, DESCENT)) == ((), [])


def test_of_a_book_that_is_removed_nothing_is_cited_and_nothing_is_left(campus: Campus) -> None:
    gone, stays = campus.add(CALCULUS, "calculus"), campus.add(NOTES, "notes")
    session = campus.begin(gone, stays)

    remove_book(SCHOOL, gone, campus.context.services)

    assert states(campus, session.id) == ["gone", "ready"]
    assert set(names(campus, session.id, THEOREM)) <= {"Notes"}
    assert names(campus, session.id, DESCENT)[0] == "Notes"
    assert len(campus.town.searched()) == 1


def test_a_book_that_is_not_ready_says_why(campus: Campus) -> None:
    catalog, book = campus.context.services.catalog, BookId("calculus")
    catalog.begin(key := campus.context.services.key(SCHOOL, book, "v1"), "calculus.pdf")
    before = state_of(SCHOOL, book, campus.context).state

    catalog.failed(key, "gave_up", plain("It did not succeed."))

    told = state_of(SCHOOL, book, campus.context)
    assert (before, told.state, str(told.message)) == ("waiting", "failed", "It did not succeed.")


def test_a_session_has_so_many_books_at_most(campus: Campus) -> None:
    with pytest.raises(BadRequest):
        begin_session(SCHOOL, [BookId(str(number)) for number in range(MAX_BOOKS + 1)], campus.context)


def test_a_session_whose_days_are_over_is_shown_to_nobody(campus: Campus) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"))
    [result] = campus.cite(session, THEOREM)
    later = at(NOON + timedelta(days=31), campus.context)

    for look in (lambda: find_session(SCHOOL, session.id, later), lambda: find_citation(SCHOOL, result.citations[0].id, later)):
        with pytest.raises(NotFound):
            look()
    assert find_session(SCHOOL, session.id, at(NOON + timedelta(days=29), campus.context)).id == session.id


def test_a_citation_is_told_with_its_whole_paragraph_or_what_is_kept_of_it(campus: Campus) -> None:
    book = campus.add(CALCULUS, "calculus")
    session = campus.begin(book)
    first = campus.cite(session, THEOREM)[0].citations[0]

    told = find_citation(SCHOOL, first.id, campus.context)
    remove_book(SCHOOL, book, campus.context.services)

    assert told == (first, "The fundamental theorem links integration with differentiation. Newton knew it.")
    assert find_citation(SCHOOL, first.id, campus.context) == (first, first.snippet)
    with pytest.raises(NotFound):
        find_citation(SCHOOL, NOBODYS, campus.context)


def test_a_lecture_that_was_left_runs_until_half_an_hour_without_a_window(campus: Campus) -> None:
    session = campus.begin()
    later = at(NOON + timedelta(minutes=20), campus.context)
    store_results(session, [WindowResult(Window(0, 0.0, 9.0, "Silencing an opinion."))], later)

    def runs(minutes: int) -> bool:
        context = at(NOON + timedelta(minutes=minutes), campus.context)
        return is_running(find_session(SCHOOL, session.id, context), context)

    assert [runs(minutes) for minutes in (45, 51)] == [True, False]
