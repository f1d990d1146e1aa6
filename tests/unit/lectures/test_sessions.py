from datetime import timedelta
from uuid import UUID

import pytest

from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.lectures.citing import document_id, store_results
from chapterverse.lectures.context import companion_of, cut
from chapterverse.lectures.model import Attached, LectureDetails, Window, WindowResult
from chapterverse.lectures.service import (
    MAX_BOOKS,
    begin_session,
    decide,
    find_citation,
    find_session,
    is_running,
    list_citations,
    resolve,
    state_of,
)
from chapterverse.library.indexing import repair_index
from chapterverse.library.intake import resume
from chapterverse.library.versions import IndexHere, remove_book
from chapterverse.messages import plain
from tests.support.intake import NOON, SCHOOL
from tests.support.lectures import CALCULUS, CUT, NOBODYS, NOTES, Campus, at, snippets

THEOREM = "so the fundamental theorem links integration with differentiation"
DESCENT = "gradient descent takes the steepest slope"
ALGEBRA = b"Groups have an identity.|Every element has an inverse."


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
    assert list_citations(SCHOOL, session.id, campus.context)
    assert (left.books, names(campus, session.id, DESCENT)) == ((), [])


def test_a_book_of_another_shelf_is_cut_in_the_background_once_and_stays_what_essays_find(campus: Campus) -> None:
    essays = campus.add(CALCULUS, "calculus", Collection.BOOKS)
    parsed = campus.town.parser.calls

    session = begin_session(SCHOOL, [essays], campus.context)
    before = states(campus, session.id), names(campus, session.id, THEOREM)
    campus.town.do_all()

    assert before == (["waiting"], [])
    assert states(campus, session.id) == ["ready"]
    assert names(campus, session.id, THEOREM)[0] == "Calculus"
    assert campus.town.parser.calls == parsed

    sessions = [campus.begin(essays) for _ in range(2)]  # it is cut once for all of them
    book = campus.services(Collection.BOOKS).catalog.book(SCHOOL, essays.book)
    assert all(names(campus, session.id, THEOREM) for session in sessions)
    assert sorted(version.key.unit for version in book.versions) == [CUT.unit, "sentence"]
    assert book.active == book.newest
    assert book.active.key.unit == "sentence"


def test_books_of_several_collections_are_looked_in_at_once(campus: Campus) -> None:
    session = campus.begin(
        campus.add(CALCULUS, "calculus", Collection.BOOKS),
        campus.add(NOTES, "notes", Collection.DOCUMENTS),
        campus.add(ALGEBRA, "algebra"),
    )

    found = [names(campus, session.id, said)[0] for said in (THEOREM, DESCENT, "every element has an inverse")]

    assert found == ["Calculus", "Notes", "Algebra"]


def test_without_a_queue_it_is_cut_at_once(campus: Campus) -> None:
    essays = campus.add(CALCULUS, "calculus", Collection.BOOKS)

    services = campus.context.of_collection(Collection.BOOKS)
    for _ in range(2):
        key = companion_of(essays, services.catalog.book(SCHOOL, essays.book), campus.context)
        cut(key, services, IndexHere())

    session = begin_session(SCHOOL, [essays], campus.context)
    assert states(campus, session.id) == ["ready"]


@pytest.mark.parametrize("shelf", [Collection.LECTURES, Collection.BOOKS])
def test_of_a_book_that_is_replaced_the_newest_version_is_cited(campus: Campus, shelf: Collection) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus", shelf))

    campus.add(b"The fundamental theorem links integration with antiderivatives now.", "calculus", shelf)
    meanwhile = campus.cite(session, THEOREM)
    campus.town.do_all()
    [result] = campus.cite(session, THEOREM)

    assert [each.failed for each in meanwhile] == [None]
    assert snippets(result)[0] == "The fundamental theorem links integration with antiderivatives now."


@pytest.mark.parametrize("shelf", [Collection.LECTURES, Collection.BOOKS])
def test_of_a_book_that_is_removed_nothing_is_cited_and_nothing_is_left(campus: Campus, shelf: Collection) -> None:
    gone, stays = campus.add(CALCULUS, "calculus", shelf), campus.add(NOTES, "notes")
    session = campus.begin(gone, stays)

    remove_book(SCHOOL, gone.book, campus.services(shelf))

    assert states(campus, session.id) == ["gone", "ready"]
    assert set(names(campus, session.id, THEOREM)) <= {"Notes"}
    assert names(campus, session.id, DESCENT)[0] == "Notes"
    assert len(campus.town.searched()) == 1


def test_a_file_in_two_collections_is_cited_until_it_is_on_none(campus: Campus) -> None:
    essays, lectures = campus.add(CALCULUS, "calculus", Collection.BOOKS), campus.add(CALCULUS, "same")
    session = campus.begin(essays, lectures)

    remove_book(SCHOOL, lectures.book, campus.services(Collection.LECTURES))
    left = names(campus, session.id, THEOREM)
    remove_book(SCHOOL, essays.book, campus.services(Collection.BOOKS))

    assert left[0] == "Calculus"
    assert names(campus, session.id, THEOREM) == []
    assert campus.town.searched() == []


def test_what_the_index_has_lost_is_written_again_when_the_book_is_attached_and_at_the_start(campus: Campus) -> None:
    essays = campus.add(CALCULUS, "calculus", Collection.BOOKS)
    campus.begin(essays)
    campus.town.vectors.objects.clear()

    session = campus.begin(essays)

    assert names(campus, session.id, THEOREM)[0] == "Calculus"
    campus.town.vectors.objects.clear()
    assert len(repair_index(SCHOOL, campus.services(Collection.BOOKS))) == 1
    assert names(campus, session.id, THEOREM)[0] == "Calculus"


def test_tasks_that_a_process_took_with_it_are_asked_for_again_and_a_book_that_is_gone_is_no_error(campus: Campus) -> None:
    essays, gone = campus.add(CALCULUS, "calculus", Collection.BOOKS), campus.add(NOTES, "notes", Collection.BOOKS)
    session = begin_session(SCHOOL, [essays, gone], campus.context)
    campus.town.queue.do(campus.town.queue.waiting[0], campus.town.intake)
    campus.town.queue.waiting.clear()
    remove_book(SCHOOL, gone.book, campus.services(Collection.BOOKS))

    resume(SCHOOL, campus.town.intake)
    campus.town.do_all()

    assert states(campus, session.id) == ["ready", "gone"]


def test_a_book_that_cannot_be_cut_says_why(campus: Campus) -> None:
    essays = campus.add(CALCULUS, "calculus", Collection.BOOKS)
    begin_session(SCHOOL, [essays], campus.context)
    campus.town.queue.do(campus.town.queue.waiting[0], campus.town.intake)
    book = campus.services(Collection.BOOKS).catalog.book(SCHOOL, essays.book)

    campus.services(Collection.BOOKS).catalog.failed(book.versions[0].key, "gave_up", plain("It did not succeed."))

    told = state_of(SCHOOL, essays, campus.context)
    assert (told.state, str(told.message)) == ("failed", "It did not succeed.")
    assert book.newest.state == "ready"


def test_a_document_goes_by_its_name_or_by_the_uuid_of_citations_and_what_is_not_there_is_not_attached(campus: Campus) -> None:
    essays, lectures = campus.add(CALCULUS, "calculus", Collection.BOOKS), campus.add(NOTES, "calculus")

    assert resolve(SCHOOL, "calculus", campus.context) == lectures
    assert resolve(SCHOOL, str(document_id(SCHOOL, essays)), campus.context) == essays
    with pytest.raises(NotFound):
        resolve(SCHOOL, "nobody", campus.context)
    session = campus.begin()
    for attached in (Attached(BookId("nobody")), Attached(BookId("faq"), Collection.HELPDESK)):
        with pytest.raises(NotFound):
            decide(SCHOOL, session.id, LectureDetails(), campus.context, [attached])
    with pytest.raises(BadRequest):
        begin_session(SCHOOL, [Attached(BookId(str(number))) for number in range(MAX_BOOKS + 1)], campus.context)
    assert find_session(SCHOOL, session.id, campus.context).books == ()


def test_a_session_whose_days_are_over_is_shown_to_nobody(campus: Campus) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"))
    [result] = campus.cite(session, THEOREM)
    later = at(NOON + timedelta(days=31), campus.context)

    for look in (
        lambda: find_session(SCHOOL, session.id, later),
        lambda: find_citation(SCHOOL, result.citations[0].id, later),
        lambda: list_citations(SCHOOL, session.id, later),
    ):
        with pytest.raises(NotFound):
            look()
    assert find_session(SCHOOL, session.id, at(NOON + timedelta(days=29), campus.context)).id == session.id


def test_a_citation_is_told_with_its_whole_paragraph_or_what_is_kept_of_it(campus: Campus) -> None:
    essays = campus.add(CALCULUS, "calculus", Collection.BOOKS)
    session = campus.begin(essays)
    first = campus.cite(session, THEOREM)[0].citations[0]

    told = find_citation(SCHOOL, first.id, campus.context)
    remove_book(SCHOOL, essays.book, campus.services(Collection.BOOKS))

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
