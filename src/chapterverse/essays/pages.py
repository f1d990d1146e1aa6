"""Pages for writing an essay, one of a student's own, and a teacher's review of one without an assignment."""

from contextlib import suppress
from functools import partial
from typing import Any

from flask import Response, request

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.assignments.pages import assignment_of, review_page
from chapterverse.assignments.service import text_of_submission, titles_of
from chapterverse.citations.model import cite
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Passage
from chapterverse.essays.api import feedback_versions
from chapterverse.essays.history import essay_of, find_own, list_own, visible_feedback
from chapterverse.essays.model import Comment
from chapterverse.essays.records import Summary
from chapterverse.essays.render import listed
from chapterverse.essays.task import read_rubric
from chapterverse.library.versions import ready_books
from chapterverse.texts import SAMPLE_ESSAY, samples
from chapterverse.web.context import AppContext
from chapterverse.web.frame import Pages, page
from chapterverse.web.language import as_json, readers_language
from chapterverse.web.operations import answer_to

pages = Pages()


@pages.offer("GET", "/essay")
def essay(who: Person, context: AppContext) -> Response:
    """The page to write an essay on."""
    assignment, version, text = assignment_of(who, context), request.args.get("version_of", ""), ""
    handed_in = assignment and context.assignments.essay_of(assignment.id, who.email)
    last, chosen = handed_in.feedback if handed_in else None, assignment.books if assignment else ()
    given = list_own(who.school, who.email, context.essays.history) if assignment else []
    titles, title = titles_of(who.school, who.email, given, context.assignments), assignment.title if assignment else ""
    if version:
        text = essay_of(find_own(who.school, who.email, version, context.essays.history)).text
    elif handed_in:
        text = text_of_submission(handed_in, context.coursework)
    elif "sample" in request.args:
        text = (samples() / SAMPLE_ESSAY).read_text("utf-8")
    values: dict[str, Any] = {
        "words": context.limits.essay_words,
        "version": version,
        "sample": "sample" if text and not (version or handed_in) else "",
        "assignment": assignment,
        "handed_in": handed_in,
        "held": assignment and (assignment.is_held or context.essays.history.needs_approval(who.school)),
        "rubric": read_rubric(assignment.rubric) if assignment and assignment.rubric else (),
        "happened": [each for each in given[::-1] if titles.get(each.id) == title and each.id != last],
        "text": text,
        "comments": _comments_on(version or last, who, context),
        "cite": partial(cite, language=readers_language()),
        "books": [each for each in ready_books(who.school, context.services) if not chosen or each.id in chosen],
    }
    return page("essay", "Essay", who, **values)


@pages.offer("GET", "/essay/mine/<feedback>")
def own(who: Person, context: AppContext, feedback: str) -> Response:
    """An essay of one's own, with its feedback."""
    found = find_own(who.school, who.email, feedback, context.essays.history)
    versions = answer_to(who, context, feedback_versions, feedback)
    every = list_own(who.school, who.email, context.essays.history)
    title = titles_of(who.school, who.email, every, context.assignments).get(feedback, "")
    essay = as_json(Summary.of(found, context.essays.history.for_school(who.school), assignment=title))
    return page("own_essay", "Your essay", who, essay=essay, versions=versions)


@pages.offer("GET", "/essay/others/<feedback>", KeyScope.TEACHER)
def other(who: Person, context: AppContext, feedback: str) -> Response:
    """An essay without an assignment, as a teacher reviews it."""
    return review_page(who, feedback, None, context)


def _comments_on(
    id: str | None, who: Person, context: AppContext
) -> list[tuple[Comment, list[tuple[str, str]], list[Passage]]]:
    """What the student may read of the comments on an earlier version in the order of its page, each with its words and what to
    write instead, and its passages; empty without one."""
    with suppress(NotFound):
        stored = find_own(who.school, who.email, id or "", context.essays.history)
        feedback = visible_feedback(stored)
        there = {each.number: each.passage for each in feedback.evidence.evidence}
        passages = {one.number: [there[number] for number in one.evidence if number in there] for one in feedback.comments}
        of = feedback.evidence
        pairs = {one.number: [(of.words(at.paragraph, at.about), at.instead) for at in one.places] for one in feedback.comments}
        rows = [(one, pairs[one.number], passages[one.number]) for _, one in listed(feedback.comments)]
        return rows if stored.approved else []
    return []
