"""The lecture page: with the attachable books, or with the lecture that is shared by a code."""

from http import HTTPStatus
from uuid import UUID

from flask import Response, request

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound
from chapterverse.lectures.citing import document_id
from chapterverse.lectures.model import Attached
from chapterverse.lectures.service import QUIET, find_shared
from chapterverse.library.model import CatalogBook
from chapterverse.library.versions import ready_books
from chapterverse.web.context import AppContext
from chapterverse.web.frame import WebSite, page
from chapterverse.web.language import in_readers_words


def offer_lecture(site: WebSite) -> None:
    """GET /lecture. In its query, the code of a lecture to follow."""

    def lecture(who: Person) -> Response:
        code, problem, followed, status = request.args.get("code", ""), None, None, HTTPStatus.OK
        if code:
            try:
                followed = find_shared(who.school, code, site.context.lectures.context)
            except NotFound as error:
                problem, status = in_readers_words(error.message), HTTPStatus.NOT_FOUND
        books = [] if followed else _readable(who.school, site.context)
        values = {
            "books": books,
            "classes": site.context.assignments.classes(who.school) if as_wide(who.role, KeyScope.TEACHER) else [],
            "followed": followed,
            "code": code,
            "problem": problem,
            "quiet": QUIET.seconds // 60,
        }
        return page("lecture", "Lecture", who, status, may_add=as_wide(who.role, KeyScope.TEACHER), **values)

    site.offer("GET", "/lecture", lecture)


def _readable(school: str, context: AppContext) -> list[tuple[UUID, Collection, CatalogBook]]:
    """The ready books that a lecture may cite, each sorted by title; a file of several collections is listed once."""
    listed: dict[str, tuple[UUID, Collection, CatalogBook]] = {}
    for each in context.lectures.context.collections:
        for book in ready_books(school, context.collections[each]):
            if book.active:
                id = document_id(school, Attached(book.id, each))
                listed.setdefault(book.active.key.version, (id, each, book))
    return list(listed.values())
