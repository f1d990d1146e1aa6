"""The lecture page, rendered with the attachable books."""

from flask import Response

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.book import Collection
from chapterverse.library.model import CatalogBook
from chapterverse.library.service import ready_books
from chapterverse.web.context import AppContext
from chapterverse.web.frame import WebSite, page

ATTACHABLE = (Collection.BOOKS, Collection.DOCUMENTS)


def offer_lecture(site: WebSite) -> None:
    """GET /lecture."""

    def lecture(who: Person) -> Response:
        may_add = as_wide(who.role, KeyScope.TEACHER)
        return page("lecture", "Lecture", who, books=_readable(who.school, site.context), may_add=may_add)

    site.offer("GET", "/lecture", lecture)


def _readable(school: str, context: AppContext) -> list[tuple[Collection, CatalogBook]]:
    """Ready books of both collections, each sorted by title."""
    return [(each, book) for each in ATTACHABLE for book in ready_books(school, context.collections[each])]
