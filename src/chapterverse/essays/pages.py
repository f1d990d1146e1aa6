"""Pages for submitting an essay, a student's own essays, and a teacher's classes."""

from typing import Any

from flask import Response, request

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.assignments.pages import assignment_of
from chapterverse.assignments.service import text_of_submission
from chapterverse.core.errors import NotFound
from chapterverse.core.samples import SAMPLE_ESSAY, samples
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.history import essay_of, find_feedback, find_own
from chapterverse.library.service import ready_books
from chapterverse.web.frame import WebSite, page


def offer_essays(site: WebSite) -> None:
    """Add the student's pages; their scripts call /api/v1/essays and /api/v1/feedback."""
    context = site.context

    def essay(who: Person) -> Response:
        assignment, version, text = assignment_of(who, context), request.args.get("version_of", ""), ""
        handed_in = assignment and context.assignments.essay_of(assignment.id, who.email)
        if version:
            text = essay_of(find_own(who.school, who.email, version, context.essays.history)).text
        elif handed_in:
            text = text_of_submission(handed_in, context.coursework)
        elif "sample" in request.args:
            text = (samples() / SAMPLE_ESSAY).read_text("utf-8")
        values: dict[str, Any] = {
            "words": context.limits.essay_words,
            "version": version,
            "assignment": assignment,
            "handed_in": handed_in,
            "text": text,
            "books": [] if assignment else ready_books(who.school, context.services),
        }
        return page("essay", "Essay", who, **values)

    def mine(who: Person) -> Response:
        return page("mine", "My essays", who, days=context.essays.history.days_for(who.school))

    def own(who: Person, feedback: str) -> Response:
        find_own(who.school, who.email, feedback, context.essays.history)
        return page("own_essay", "Your essay", who, feedback=feedback)

    site.offer("GET", "/essay", essay)
    site.offer("GET", "/essay/mine", mine)
    site.offer("GET", "/essay/mine/<feedback>", own)


def offer_classes(site: WebSite) -> None:
    """Add the teacher's pages for essays without an assignment: all, an upload with its table, one essay with its feedback."""
    batches = site.context.batches

    def classes(who: Person) -> Response:
        return page("classes", "Other essays", who, max_essays=batches.limits.essays, days=batches.history.days_for(who.school))

    def one_class(who: Person, batch: str) -> Response:
        batches.store.batch(BatchKey(who.school, batch))
        return page("class", "Class", who, batch=batch)

    def essay_of_class(who: Person, batch: str, number: int) -> Response:
        if all(essay.number != number for essay in batches.store.essays(BatchKey(who.school, batch))):
            raise NotFound("no_essay_of_number", number=number)
        approval = batches.history.needs_approval(who.school)
        return page("class_essay", "Essay of a class", who, batch=batch, number=number, approval=approval, assignment=None)

    def other(who: Person, feedback: str) -> Response:
        find_feedback(who.school, feedback, batches.history)
        approval = batches.history.needs_approval(who.school)
        return page("class_essay", "Other essay", who, batch=None, feedback=feedback, approval=approval, assignment=None)

    site.offer("GET", "/essay/classes", classes, KeyScope.TEACHER)
    site.offer("GET", "/essay/classes/others/<feedback>", other, KeyScope.TEACHER)
    site.offer("GET", "/essay/classes/<batch>", one_class, KeyScope.TEACHER)
    site.offer("GET", "/essay/classes/<batch>/<int:number>", essay_of_class, KeyScope.TEACHER)
