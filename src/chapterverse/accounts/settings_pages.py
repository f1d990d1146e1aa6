"""Pages of a school's settings and set-up."""

from flask import Response

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.settings_api import settings_response
from chapterverse.accounts.setup_api import setup_status
from chapterverse.essays.schemas import MAX_EVIDENCES
from chapterverse.web.frame import WebSite, page
from chapterverse.web.language import as_json


def offer_settings(site: WebSite) -> None:
    """GET /settings, /settings/advanced, /settings/setup."""

    def settings(who: Person) -> Response:
        return page("settings", "Settings", who, settings=as_json(settings_response(who.school, site.context)))

    def advanced(who: Person) -> Response:
        current = as_json(settings_response(who.school, site.context))
        return page("advanced", "Advanced", who, settings=current, max_evidences=MAX_EVIDENCES)

    def setup(who: Person) -> Response:
        return page("setup", "Setup", who, setup=setup_status(who.school, site.context))

    site.offer("GET", "/settings/setup", setup, KeyScope.ADMIN)
    site.offer("GET", "/settings", settings, KeyScope.TEACHER)
    site.offer("GET", "/settings/advanced", advanced, KeyScope.ADMIN)
