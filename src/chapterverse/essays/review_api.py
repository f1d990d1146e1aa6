"""Feedback that was given and is kept for a while.

What somebody who is signed in handed in themselves; of a program's key there is nothing."""

import json
from http import HTTPStatus

from flask import Response

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId, SentenceId
from chapterverse.essays import schemas
from chapterverse.essays.api import FORMS, NAMED, accepted, written
from chapterverse.essays.batch.essays import forget_feedback
from chapterverse.essays.history import find_feedback, list_feedback
from chapterverse.essays.model import Choice, Item, Mark, Show, Thumb
from chapterverse.essays.records import (
    export_marks,
    feedback_shown,
    find_own,
    kept_json,
    list_own,
    own_json,
    refuse_anothers,
    summary_json,
    thumb_own,
)
from chapterverse.essays.review import Library, approve, candidate_json, candidates_for, choose, mark
from chapterverse.essays.schemas import Waiting
from chapterverse.essays.text.files import MOST_BYTES, text_of
from chapterverse.library.api import form_of, sent_file
from chapterverse.web.operations import JSON, LINES, ApiTopic, Call

topic = ApiTopic("Feedback")

NO_CONTENT = HTTPStatus.NO_CONTENT

MAY_RAISE = (errors.NotFound, errors.ChangedMeanwhile)

BY_BOOKS = (errors.BucketUnavailable, errors.IndexUnavailable, errors.EmbedderUnavailable, errors.ModelUnavailable)

EXPORT = {LINES: {"type": "string", "description": "id, created, marks and choices, with the ids of the sentences meant."}}


@topic.operation("GET", "/feedback", KeyScope.TEACHER)
def feedback_list(call: Call, query: schemas.FeedbackQuery) -> schemas.FeedbackList:
    """What was given, newest first, and when it will be forgotten."""
    keeping = call.context.keeping
    kept = list_feedback(call.caller.school, keeping, query.before, query.limit, waiting=query.waiting, alone=query.alone)
    return schemas.FeedbackList(feedback=[schemas.Summary.model_validate(summary_json(each, keeping)) for each in kept])


@topic.operation("GET", "/feedback/export", KeyScope.TEACHER, errors.NotFound, media=EXPORT)
def export(call: Call, query: schemas.ExportQuery) -> Response:
    """What teachers did with feedback, a line of JSON each, newest first; nobody's words, unless they are asked for."""
    exported = export_marks(call.caller.school, call.context.keeping, with_text=query.with_text)
    lines = (f"{json.dumps(each)}\n" for each in exported)
    return Response("".join(lines), content_type=LINES)


@topic.operation("GET", "/feedback/{feedback}", KeyScope.STUDENT, errors.NotFound, errors.TooLarge, media=FORMS, later=Waiting)
def feedback(call: Call, feedback: str, query: schemas.FormQuery) -> schemas.Kept | Waiting | Response:
    """Feedback as a teacher has it shown; `format` says in which form, or `Accept`. Its id is all that a student needs: nobody
    can guess one, and students see no marks, no essay of another who is signed in, and nothing that waits for a teacher."""
    form = NAMED[query.format] if query.format else accepted(FORMS)
    kept = find_feedback(call.caller.school, feedback, call.context.keeping)
    is_student = call.caller.role is KeyScope.STUDENT
    if is_student:
        refuse_anothers(kept, call.caller.person)
    if is_student and kept.approved is None:
        return Waiting(id=kept.id)
    if form != JSON:
        return written(form, feedback_shown(kept), call)
    told = kept_json(kept, call.context.keeping)
    return schemas.Kept.model_validate(told | {"marks": [], "choices": []} if is_student else told)


@topic.operation("PUT", "/feedback/{feedback}/marks/{part}/{number}", KeyScope.TEACHER, *MAY_RAISE, success=NO_CONTENT)
def mark_item(call: Call, feedback: str, part: str, number: int, body: schemas.MarkRequest) -> None:
    """Say what you think of a comment (part: content, expressions, features) or of evidence (part: evidence)."""
    item, seen = Item(part, number), body.seen
    before = Mark(item, seen.thumb and Thumb(seen.thumb), seen.comment) if seen else None
    new = Mark(item, body.thumb and Thumb(body.thumb), body.comment)
    mark(call.caller.school, feedback, new, call.context.keeping, before)


@topic.operation("PUT", "/feedback/{feedback}/evidence/{number}", KeyScope.TEACHER, *MAY_RAISE, *BY_BOOKS, success=NO_CONTENT)
def choose_evidence(call: Call, feedback: str, number: int, body: schemas.ChoiceRequest) -> None:
    """Pin evidence, hide it, or put another sentence of your books in its place. What was said of it alone goes with it."""
    before = _choice(number, body.seen) if body.seen else None
    choose(feedback, _choice(number, body), call.context.keeping, _library(call), before)


@topic.operation("POST", "/feedback/{feedback}/evidence/{number}/candidates", KeyScope.TEACHER, errors.NotFound, *BY_BOOKS)
def candidates(call: Call, feedback: str, number: int, body: schemas.CandidatesRequest) -> schemas.Candidates:
    """Sentences of your books that might stand in the place of evidence, those first that are nearest to the essay, or to the
    words that are sent."""
    keeping, plan = call.context.keeping, call.context.plan
    found = candidates_for(
        feedback,
        number,
        keeping,
        _library(call),
        plan=plan,
        words=body.words.strip(),
        books=(BookId(body.book),) if body.book else (),
        most=body.limit,
    )
    return schemas.Candidates(candidates=[schemas.Candidate.model_validate(candidate_json(one)) for one in found])


@topic.operation("PUT", "/feedback/{feedback}/approval", KeyScope.TEACHER, *MAY_RAISE, success=NO_CONTENT)
def approval(call: Call, feedback: str, body: schemas.ApprovalRequest) -> None:
    """Let students see it, or no more."""
    approve(call.caller.school, feedback, body.approved, call.context.keeping, body.seen)


@topic.operation(
    "DELETE",
    "/feedback/{feedback}",
    KeyScope.TEACHER,
    errors.NotFound,
    errors.BucketUnavailable,
    errors.EssayBusy,
    success=NO_CONTENT,
)
def forget(call: Call, feedback: str) -> None:
    """Forget feedback at once, with the essay and all that was said of it, in the results of its batch, too."""
    forget_feedback(call.caller.school, feedback, call.context.night)


def _choice(number: int, told: schemas.ChoiceRequest | schemas.SeenChoice) -> Choice:
    return Choice(number, Show(told.show), SentenceId(told.sentence) if told.sentence else None)


def _library(call: Call) -> Library:
    return Library(call.caller.school, call.context.services, call.context.writing.judge)


my_essays = ApiTopic("Own essays")


@my_essays.operation(
    "POST", "/essays/text", KeyScope.STUDENT, errors.BadRequest, errors.TooLarge, errors.BadBook, takes=form_of()
)
def essay_text(call: Call) -> schemas.EssayText:
    """The text in the file of a form: Word, OpenDocument, PDF or plain text, at most 10 MiB. Nothing of it is kept."""
    _, data = sent_file(MOST_BYTES)
    return schemas.EssayText(text=text_of(data, call.context.find_text))


@my_essays.operation("GET", "/essays/mine", KeyScope.STUDENT)
def own_essays(call: Call) -> schemas.OwnEssays:
    """What you handed in, newest first, and when it will be forgotten; GET /feedback/{id} shows one."""
    keeping = call.context.keeping
    kept = list_own(call.caller.school, call.caller.person, keeping)
    return schemas.OwnEssays(essays=[schemas.OwnEssay.model_validate(own_json(each, keeping)) for each in kept])


@my_essays.operation(
    "PUT", "/essays/mine/{feedback}/thumbs/{part}/{number}", KeyScope.STUDENT, errors.NotFound, success=NO_CONTENT
)
def own_thumb(call: Call, feedback: str, part: str, number: int, body: schemas.OwnThumbRequest) -> None:
    """Say whether a comment (part: content, expressions, features) or evidence (part: evidence) helped you; your teachers see
    it."""
    told = Mark(Item(part, number), Thumb(body.thumb) if body.thumb else None)
    thumb_own(call.caller.school, call.caller.person, feedback, told, call.context.keeping)


@my_essays.operation(
    "DELETE",
    "/essays/mine/{feedback}",
    KeyScope.STUDENT,
    errors.NotFound,
    errors.BucketUnavailable,
    errors.EssayBusy,
    success=NO_CONTENT,
)
def forget_own_essay(call: Call, feedback: str) -> None:
    """Forget an essay of yours at once, with all that was said of it."""
    find_own(call.caller.school, call.caller.person, feedback, call.context.keeping)
    forget_feedback(call.caller.school, feedback, call.context.night)
