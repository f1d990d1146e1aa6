"""The pages that there are."""

from flask import Flask, Response

from chapterverse.model import KeyScope, Person
from chapterverse.usecases.api_keys import as_wide
from chapterverse.web.parts import Parts
from chapterverse.web.site.assets import offer_assets
from chapterverse.web.site.frame import LINKS, Site, page, see_other
from chapterverse.web.site.sign_in import offer_sign_in


def offer_site(app: Flask, parts: Parts) -> None:
    """All of them, and what they load."""

    def home(who: Person) -> Response:
        return see_other(LINKS[who.role][0].path)

    def essay(who: Person) -> Response:
        return page("essay", "Essay", who, words=parts.figures.essay_words)

    site = Site(app, parts)

    def books(who: Person) -> Response:
        return page("books", "Books", who, here_taken=parts.files is not None)

    def book(who: Person, book: str) -> Response:
        return page("book", "Book", who, book=book)

    def ask(who: Person) -> Response:
        most, here = parts.figures.question_characters, parts.files is not None
        return page("ask", "Ask", who, most=most, here_taken=here, may_add=as_wide(who.role, KeyScope.TEACHER))

    def lecture(who: Person) -> Response:
        return page("lecture", "Lecture", who)

    offer_assets(app)
    offer_sign_in(site)
    site.offer("GET", "/", home)
    site.offer("GET", "/essay", essay)
    site.offer("GET", "/ask", ask)
    site.offer("GET", "/lecture", lecture)
    site.offer("GET", "/books", books, KeyScope.TEACHER)
    site.offer("GET", "/books/<book>", book, KeyScope.TEACHER)
