"""Pages of a school's settings and evaluations."""

from flask import Response

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.essays.schemas import MAX_EVIDENCES
from chapterverse.evaluation.settings_api import settings_response
from chapterverse.evaluation.settings_schemas import MEASURABLE
from chapterverse.evaluation.setup_api import setup_status
from chapterverse.library.schemas import MAX_SAMPLE
from chapterverse.library.service import ready_books
from chapterverse.web.frame import WebSite, page
from chapterverse.web.language import as_json


def offer_settings(site: WebSite) -> None:
    """GET /settings, /settings/evaluation, /settings/setup."""
    context = site.context

    def settings(who: Person) -> Response:
        current = as_json(settings_response(who.school, context))
        return page("settings", "Settings", who, settings=current, collections=MEASURABLE, max_evidences=MAX_EVIDENCES)

    def evaluation(who: Person) -> Response:
        ready = [(book.id, book.title) for book in ready_books(who.school, context.services)]
        paid = context.measuring.paid
        return page("evaluation", "Evaluation", who, books=ready, writes=paid and paid.model.model, max_sentences=MAX_SAMPLE)

    def setup(who: Person) -> Response:
        status = setup_status(who.school, context)
        return page("setup", "Setup", who, setup=status)

    site.offer("GET", "/settings/setup", setup, KeyScope.ADMIN)
    site.offer("GET", "/settings", settings, KeyScope.TEACHER)
    site.offer("GET", "/settings/evaluation", evaluation, KeyScope.TEACHER)
