"""Questions on documents, and for teachers what can be told of the answers."""

from flask import Response

from chapterverse.model import KeyScope, Person
from chapterverse.usecases.api_keys import as_wide
from chapterverse.web.site.frame import Site, page


def offer_ask(site: Site) -> None:
    """GET /ask, /ask/figures."""

    def ask(who: Person) -> Response:
        most, here = site.parts.figures.question_characters, site.parts.files is not None
        return page("ask", "Ask", who, most=most, here_taken=here, may_add=as_wide(who.role, KeyScope.TEACHER))

    def figures(who: Person) -> Response:
        return page("figures", "Figures", who)

    site.offer("GET", "/ask", ask)
    site.offer("GET", "/ask/figures", figures, KeyScope.TEACHER)
