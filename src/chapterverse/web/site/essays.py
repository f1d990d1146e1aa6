"""Handing an essay in, and what one has handed in."""

from flask import Response, request

from chapterverse.model import Person
from chapterverse.web.site.assignments import assignment_of, has_handed_in
from chapterverse.web.site.frame import Site, page


def offer_essays(site: Site) -> None:
    """Pages; what they do goes through /api/v1/essays and /api/v1/feedback."""
    parts = site.parts

    def essay(who: Person) -> Response:
        words, assignment, version = parts.figures.essay_words, assignment_of(who, parts), "version_of" in request.args
        handed_in = has_handed_in(who, assignment, parts)
        return page("essay", "Essay", who, words=words, version=version, assignment=assignment, handed_in=handed_in)

    def mine(who: Person) -> Response:
        return page("mine", "My essays", who, days=parts.keeping.days)

    def own(who: Person, feedback: str) -> Response:
        return page("own_essay", "Your essay", who, feedback=feedback)

    site.offer("GET", "/essay", essay)
    site.offer("GET", "/essay/mine", mine)
    site.offer("GET", "/essay/mine/<feedback>", own)
