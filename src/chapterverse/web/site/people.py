"""The school's people, for its admins."""

from flask import Response

from chapterverse.model import KeyScope, Person
from chapterverse.usecases.people import MOST
from chapterverse.web.site.frame import Site, page


def offer_people(site: Site) -> None:
    """/settings/people."""

    def people(who: Person) -> Response:
        reception, doors = site.parts.reception, site.parts.schools
        titles = [each.title for each in doors.accounts.providers(who.school)]
        return page("people", "People", who, outbox=reception.is_outbox, titles=titles, most=MOST)

    site.offer("GET", "/settings/people", people, KeyScope.ADMIN)
