"""Teachers' pages: the shelf of books, and one book."""

from flask import Response

from chapterverse.model import KeyScope, Person
from chapterverse.web.site.frame import Site, page


def offer_books(site: Site) -> None:
    """GET /books, /books/{book}; what is done there goes through /api/v1/books and /api/v1/uploads."""
    here = site.parts.files is not None

    def books(who: Person) -> Response:
        return page("books", "Books", who, here_taken=here)

    def book(who: Person, book: str) -> Response:
        return page("book", "Book", who, book=book, here_taken=here)

    site.offer("GET", "/books", books, KeyScope.TEACHER)
    site.offer("GET", "/books/<book>", book, KeyScope.TEACHER)
