"""Pages of a school's settings and evaluations."""

from typing import Any

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
    """GET /settings, /settings/advanced, /settings/setup."""
    context = site.context

    def settings(who: Person) -> Response:
        return page("settings", "Settings", who, settings=as_json(settings_response(who.school, context)))

    def advanced(who: Person) -> Response:
        paid = context.measuring.paid
        values: dict[str, Any] = {
            "settings": as_json(settings_response(who.school, context)),
            "collections": MEASURABLE,
            "max_evidences": MAX_EVIDENCES,
            "books": [(book.id, book.title) for book in ready_books(who.school, context.services)],
            "writes": paid and paid.model.model,
            "max_sentences": MAX_SAMPLE,
        }
        return page("advanced", "Advanced", who, **values)

    def setup(who: Person) -> Response:
        status = setup_status(who.school, context)
        return page("setup", "Setup", who, setup=status)

    site.offer("GET", "/settings/setup", setup, KeyScope.ADMIN)
    site.offer("GET", "/settings", settings, KeyScope.TEACHER)
    site.offer("GET", "/settings/advanced", advanced, KeyScope.ADMIN)
