"""Pages of assignments: what a course asks for, and what was handed in."""

from flask import Response, request

from chapterverse.model import Assignment, KeyScope, Person
from chapterverse.web.parts import Parts
from chapterverse.web.site.frame import Site, page


def offer_assignments(site: Site) -> None:
    """For teachers: all of them, and one."""
    store = site.parts.lti.store

    def all_(who: Person) -> Response:
        return page("assignments", "Assignments", who, assignments=store.assignments(who.school))

    def one(who: Person, assignment: str) -> Response:
        return page("assignment", "Assignment", who, assignment=store.assignment(who.school, assignment))

    site.offer("GET", "/essay/assignments", all_, KeyScope.TEACHER)
    site.offer("GET", "/essay/assignments/<assignment>", one, KeyScope.TEACHER)


def assignment_of(who: Person, parts: Parts) -> Assignment | None:
    """What the essay is for, where the address says. Raises NotFound."""
    named = request.args.get("assignment")
    return parts.lti.store.assignment(who.school, named) if named else None


def has_handed_in(who: Person, assignment: Assignment | None, parts: Parts) -> bool:
    """Whether that person has, for that assignment."""
    return assignment is not None and parts.lti.essay_of(assignment.id, who.email) is not None
