"""The lecture page: with the attachable books, or with the lecture that is shared by a code."""

from http import HTTPStatus

from flask import Response, request

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.errors import NotFound
from chapterverse.lectures.citing import document_id
from chapterverse.lectures.service import QUIET, find_shared
from chapterverse.library.versions import count_unread, ready_books
from chapterverse.web.context import AppContext
from chapterverse.web.frame import Pages, page
from chapterverse.web.language import in_readers_words

pages = Pages()


@pages.offer("GET", "/lecture")
def lecture(who: Person, context: AppContext) -> Response:
    """The page, with the lecture to follow whose code is in the query."""
    code, problem, followed, status = request.args.get("code", ""), None, None, HTTPStatus.OK
    if code:
        try:
            followed = find_shared(who.school, code, context.lectures.context)
        except NotFound as error:
            problem, status = in_readers_words(error.message), HTTPStatus.NOT_FOUND
    books = [] if followed else ready_books(who.school, context.lectures.context.services)
    values = {
        "books": [(document_id(who.school, book.id), book) for book in books],
        "classes": context.assignments.classes(who.school) if as_wide(who.role, KeyScope.TEACHER) else [],
        "reading": count_unread(who.school, context.services),
        "followed": followed,
        "code": code,
        "problem": problem,
        "quiet": QUIET.seconds // 60,
    }
    return page("lecture", "Lecture", who, status, may_add=as_wide(who.role, KeyScope.TEACHER), **values)
