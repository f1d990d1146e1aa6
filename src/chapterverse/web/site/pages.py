"""The pages that there are."""

from flask import Flask, Response

from chapterverse.model import Person
from chapterverse.web.parts import Parts
from chapterverse.web.site.assets import offer_assets
from chapterverse.web.site.frame import Site, page, see_other
from chapterverse.web.site.sign_in import offer_sign_in


def offer_site(app: Flask, parts: Parts) -> None:
    """All of them, and what they load."""

    def home(_: Person) -> Response:
        return see_other("/essay")

    def essay(who: Person) -> Response:
        return page("essay", "Essay", who, words=parts.figures.essay_words)

    site = Site(app, parts)
    offer_assets(app)
    offer_sign_in(site)
    site.offer("GET", "/", home)
    site.offer("GET", "/essay", essay)
