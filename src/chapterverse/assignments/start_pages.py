"""The start page: what waits for a person, by role, and the samples to try the program with."""

from dataclasses import dataclass
from typing import Any

from flask import Response

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.assignments.model import Assignment
from chapterverse.assignments.service import assignments_of, titles_of
from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound
from chapterverse.core.samples import SAMPLE_BOOK, samples
from chapterverse.essays.history import essay_of
from chapterverse.library.model import CatalogBook, VersionState
from chapterverse.library.service import list_books, ready_books
from chapterverse.questions.helpdesk import count_waiting
from chapterverse.questions.pages import UNANSWERED_SINCE
from chapterverse.web.context import AppContext
from chapterverse.web.frame import WebSite, page

MAX_LISTED = 6  # assignments, essays, books: the rest is on their own pages


def offer_start(site: WebSite) -> None:
    """GET / and the sample book."""
    pages = StartPages(site.context)
    site.offer("GET", "/", pages.start)
    site.offer("GET", f"/samples/{SAMPLE_BOOK}", pages.sample_book, KeyScope.TEACHER)


@dataclass(frozen=True, slots=True)
class AssignmentLine:
    """An assignment in a list. students: of its class, None for a course; submitted, ready: how many essays, and how many of
    them have feedback to release; has_submitted: of the student who sees the list."""

    assignment: Assignment
    class_name: str = ""
    students: int | None = None
    submitted: int = 0
    ready: int = 0
    has_submitted: bool = False


@dataclass(frozen=True, slots=True)
class StartPages:
    """The page for teachers, and the one for students."""

    context: AppContext

    def start(self, who: Person) -> Response:
        """The page for the person's role."""
        if as_wide(who.role, KeyScope.TEACHER):
            return page("start", "Home", who, **self._for_teacher(who.school), **self._for_admin(who))
        return page("start_student", "Home", who, **self._for_student(who))

    def sample_book(self, who: Person) -> Response:  # noqa: ARG002  # every page is called with the person
        """The PDF of the sample book. Raises NotFound where the program was installed without it."""
        file = samples() / SAMPLE_BOOK
        if not file.is_file():
            raise NotFound("no_such_asset")
        return Response(file.read_bytes(), content_type="application/pdf")

    def _for_teacher(self, school: str) -> dict[str, Any]:
        context = self.context
        books = list_books(school, context.services)
        lines = self._lines(school)
        return {
            "lines": lines[:MAX_LISTED],
            "ready": [line for line in lines if line.ready],
            "waiting": count_waiting(school, context.helpdesk),
            "failed": [each for each in books if each.newest and each.newest.state is VersionState.FAILED][:MAX_LISTED],
            "books": len(books),
            "listed": [each for each in books if each.active][:MAX_LISTED],
            "searchable": sum(each.active is not None for each in books),
            "sample": SAMPLE_BOOK,
            "sample_source": next((each.id for each in books if each.file_name == SAMPLE_BOOK), None),
            "direct_upload": context.files is not None,
        }

    def _for_admin(self, who: Person) -> dict[str, Any]:
        """is_alone: nobody else was invited yet; lacks_mail: links have to be passed on by hand; unanswered: questions. All are
        false for others."""
        sign_in, is_admin = self.context.sign_in, as_wide(who.role, KeyScope.ADMIN)
        is_alone = is_admin and len(sign_in.people.of_school(who.school)) < 2
        since = self.context.now() - UNANSWERED_SINCE
        unanswered = is_admin and len(self.context.answers.unanswered(who.school, since))
        return {"is_alone": is_alone, "lacks_mail": is_admin and not sign_in.has_post(who.school), "unanswered": unanswered}

    def _lines(self, school: str) -> list[AssignmentLine]:
        store, since = self.context.assignments, self.context.essays.history.since
        names = {each.id: each.name for each in store.classes(school)}
        sizes, submitted, ready = store.class_sizes(school), store.submitted(school), store.unreleased(school, since)
        return [
            AssignmentLine(
                each,
                names.get(each.class_id or "", ""),
                sizes.get(each.class_id, 0) if each.class_id else None,
                submitted.get(each.id, 0),
                ready.get(each.id, 0),
            )
            for each in store.assignments(school)
        ]

    def _for_student(self, who: Person) -> dict[str, Any]:
        store, history = self.context.assignments, self.context.essays.history
        handed_in = store.of_student(who.school, who.email)
        submitted = {each.assignment for each in handed_in}
        lines = [AssignmentLine(each, has_submitted=each.id in submitted) for each in assignments_of(who, store)]
        own = history.store.of_owner(who.school, who.email, history.since, MAX_LISTED) if history.days else []
        titles = titles_of(who.school, who.email, own, store)
        unwritten = {each.feedback for each in handed_in if each.batch and each.at >= history.since} - {each.id for each in own}
        essays = [(each, essay_of(each), titles.get(each.id, "")) for each in own]
        return {
            "lines": sorted(lines, key=lambda line: line.has_submitted)[:MAX_LISTED],
            "released": [essay for essay in essays if essay[0].approved],
            "waiting": sum(not each.approved for each in own) + len(unwritten),
            "books": self._class_books(who),
            "asks": any(
                ready_books(who.school, self.context.collections[each]) for each in (Collection.DOCUMENTS, Collection.TEXTBOOK)
            ),
        }

    def _class_books(self, who: Person) -> list[CatalogBook]:
        """The books of the student's classes that have pages to look at, by title."""
        wanted = self.context.class_sources(who, Collection.BOOKS)
        found = ready_books(who.school, self.context.collections[Collection.BOOKS]) if wanted else []
        return [each for each in found if each.id in wanted]
