"""The pages that there are."""

from flask import Flask, Response

from chapterverse.model import Person
from chapterverse.web.parts import Parts
from chapterverse.web.site.ask import offer_ask
from chapterverse.web.site.assets import offer_assets
from chapterverse.web.site.assignments import offer_assignments
from chapterverse.web.site.books import offer_books
from chapterverse.web.site.classes import offer_classes
from chapterverse.web.site.essays import offer_essays
from chapterverse.web.site.frame import Site, see_other
from chapterverse.web.site.help import offer_help
from chapterverse.web.site.lecture import offer_lecture
from chapterverse.web.site.links import links_for
from chapterverse.web.site.lti import offer_lti
from chapterverse.web.site.people import offer_people
from chapterverse.web.site.settings import offer_settings
from chapterverse.web.site.sign_in import offer_sign_in
from chapterverse.web.site.textbook import offer_textbook


def offer_site(app: Flask, parts: Parts) -> None:
    """All of them, and what they load."""
    site = Site(app, parts)
    offer_assets(app)
    offer_sign_in(site)
    offer_books(site)
    offer_essays(site)
    offer_people(site)
    offer_lecture(site)
    offer_settings(site)
    offer_help(site)
    offer_classes(site)
    offer_lti(site)
    offer_assignments(site)
    offer_ask(site)
    offer_textbook(site)
    site.offer("GET", "/", home)


def home(who: Person) -> Response:
    """To the first page that the bar leads them to."""
    return see_other(links_for(who.role)[0].path)
