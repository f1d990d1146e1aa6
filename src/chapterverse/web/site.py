"""The pages that there are."""

from flask import Flask, Response

from chapterverse.accounts.model import Person
from chapterverse.accounts.pages import offer_people, offer_sign_in
from chapterverse.essays.pages import offer_classes, offer_essays
from chapterverse.evaluation.pages import offer_settings
from chapterverse.lectures.pages import offer_lecture
from chapterverse.library.pages import offer_books, offer_textbook
from chapterverse.lti.pages import offer_assignments, offer_lti
from chapterverse.questions.pages import offer_ask, offer_help
from chapterverse.web.assets import offer_assets
from chapterverse.web.context import AppContext
from chapterverse.web.frame import WebSite, links_for, see_other


def offer_site(app: Flask, context: AppContext) -> None:
    """All of them, and what they load."""
    site = WebSite(app, context)
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
