"""The forms that feedback is given in, beside JSON.

An essay held against the school's books (S1)."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from flask import Response, request
from werkzeug.exceptions import NotAcceptable

from chapterverse.accounts.model import KeyScope
from chapterverse.citations.passages import highlighted_pages
from chapterverse.core import errors
from chapterverse.core.errors import NotFound
from chapterverse.essays import schemas
from chapterverse.essays.evidence import EssayEvidence, find_evidence
from chapterverse.essays.history import find_feedback, keep_feedback
from chapterverse.essays.json import citations_json, essay_evidence_json, feedback_json, review_json
from chapterverse.essays.model import Essay, Review, Submission
from chapterverse.essays.records import feedback_shown, submission_of
from chapterverse.essays.service import Feedback, plan_for, style_for, write_feedback
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.render import feedback_html, feedback_markdown, feedback_pdf
from chapterverse.essays.writing.writing import Writing
from chapterverse.web import sse
from chapterverse.web.operations import JSON, ApiTopic, Call

MARKDOWN, HTML, PDF = "text/markdown", "text/html", "application/pdf"

FORMS = {
    MARKDOWN: {"type": "string", "description": "The same as one text."},
    HTML: {
        "type": "string",
        "description": "A page to hand out: the essay with marks, feedback, evidence, pictures of its pages.",
    },
    PDF: {"type": "string", "format": "binary", "description": "The same page, to be printed."},
}

NAMED = {"json": JSON, "markdown": MARKDOWN, "html": HTML, "pdf": PDF}


def accepted(media: Iterable[str]) -> str:
    """JSON or that of the media which the caller likes best. Raises NotAcceptable."""
    form = request.accept_mimetypes.best_match([JSON, *media]) if request.accept_mimetypes else JSON
    if form is None:
        raise NotAcceptable
    return form


def written(form: str, given: Feedback, call: Call) -> Response:
    """The feedback as MARKDOWN, HTML or PDF. Raises TooLarge."""
    return Response(_written(form, given, call), content_type=form if form == PDF else f"{form}; charset=utf-8")


def _written(form: str, given: Feedback, call: Call) -> str | bytes:
    if form == MARKDOWN:
        return feedback_markdown(given)
    pages = highlighted_pages(given.evidence.evidence, call.caller.school, call.context.services, call.context.draw)
    return feedback_html(given, pages) if form == HTML else feedback_pdf(given, pages, call.context.printer)


topic = ApiTopic("Essays")

MAY_RAISE = (
    errors.NotFound,
    errors.TooLarge,
    errors.DimensionMismatch,
    errors.ModelUnavailable,
    errors.IndexUnavailable,
    errors.EmbedderUnavailable,
    errors.BucketUnavailable,
)

MEDIA = {
    sse.MEDIA_TYPE: {
        "type": "string",
        "description": "Events `evidence` (EssayEvidence, without verdicts), then `content`, `expressions`, `features` (Review "
        "each), `citations` (all of them, and `verdicts` on the evidence by number), "
        "and `done` (the id that it is kept under, or null). With a `key` they are numbered, and go on when nobody listens.",
    },
    **FORMS,
}


@topic.operation("POST", "/essays/evidence", KeyScope.STUDENT, *MAY_RAISE)
def essay_evidence(call: Call, body: schemas.EssayRequest) -> schemas.EssayEvidence:
    """The sentences of the books that bear on an essay, paragraph by paragraph."""
    return schemas.EssayEvidence.model_validate(essay_evidence_json(_find(call, body)))


@topic.operation("POST", "/essays/feedback", KeyScope.STUDENT, *MAY_RAISE, media=MEDIA, later=schemas.Waiting)
def essay_feedback(call: Call, body: schemas.FeedbackRequest) -> schemas.EssayFeedback | schemas.Waiting | Response:
    """Feedback on an essay: as JSON, as Markdown (`Accept: text/markdown`), as a page to hand out (`text/html`,
    `application/pdf`), or as server-sent events (`text/event-stream`), the evidence first, then each dimension. Where a
    teacher has to approve it first, a key of scope student is only told its id."""
    form, submission = accepted(MEDIA), _submission(call, body)
    if call.context.keeping.approval and call.caller.role is KeyScope.STUDENT:
        return schemas.Waiting(id=_waited_for(call, body, submission))
    if form == sse.MEDIA_TYPE:
        return sse.as_stream(_stream(call, body, submission))
    given = _given(call, body, submission)
    if form == JSON:
        return schemas.EssayFeedback.model_validate(feedback_json(given))
    return written(form, given, call)


def _submission(call: Call, body: schemas.FeedbackRequest) -> Submission:
    caller, keeping = call.caller, call.context.keeping
    return submission_of(caller.person, caller.id, caller.school, keeping, key=body.key, earlier=body.version_of)


def _stream(call: Call, body: schemas.FeedbackRequest, submission: Submission) -> Iterator[sse.Part | sse.Numbered]:
    """With a key it goes on whether or not anybody listens."""
    if submission.id is None:
        return iter(_parts(call, body, submission))
    after, kept = request.headers.get("Last-Event-ID", 0, int), call.context.keeping.days > 0
    return call.context.under_way.follow(submission.id, lambda: _parts(call, body, submission), max(0, after), kept=kept)


def _waited_for(call: Call, body: schemas.FeedbackRequest, submission: Submission) -> str:
    *_, last = (part for part in _stream(call, body, submission) if part[0])
    return str(last[1]["id"])


def _parts(call: Call, body: schemas.FeedbackRequest, submission: Submission) -> Iterator[sse.Part]:
    if (given := _there(call, submission)) is not None:
        yield from _all_parts(given)
        return
    writing = _writing(call, body)
    began = writing.clock()
    found = _find(call, body)
    yield "evidence", essay_evidence_json(found)
    reviews: list[Review] = []
    for review in write_feedback(found, call.caller.school, writing, began):
        yield review.dimension.value, review_json(review, found)
        reviews.append(review)
    given = Feedback(found, tuple(reviews))
    yield "citations", citations_json(given)
    yield "done", {"id": _kept(call, given, submission).id}


def _all_parts(given: Feedback) -> Iterator[sse.Part]:
    """The same of what is kept."""
    yield "evidence", essay_evidence_json(given.evidence)
    for review in given.reviews:
        yield review.dimension.value, review_json(review, given.evidence)
    yield "citations", citations_json(given)
    yield "done", {"id": given.id}


def _given(call: Call, body: schemas.FeedbackRequest, submission: Submission) -> Feedback:
    if (given := _there(call, submission)) is not None:
        return given
    writing = _writing(call, body)
    began = writing.clock()
    found = _find(call, body)
    return _kept(call, Feedback(found, tuple(write_feedback(found, call.caller.school, writing, began))), submission)


def _there(call: Call, submission: Submission) -> Feedback | None:
    """What is kept on the same essay already, as a teacher has it shown."""
    if submission.id is None:
        return None
    with suppress(NotFound):
        return feedback_shown(find_feedback(call.caller.school, submission.id, call.context.keeping))
    return None


def _kept(call: Call, given: Feedback, submission: Submission) -> Feedback:
    return keep_feedback(given, call.caller.school, call.context.keeping, submission=submission)


def _writing(call: Call, body: schemas.FeedbackRequest) -> Writing:
    usual, parts = call.context.writing, call.context
    return replace(usual, style=body.style(style_for(call.caller.school, usual.style, parts.services)))


def _find(call: Call, body: schemas.EssayRequest) -> EssayEvidence:
    parts, school = call.context, call.caller.school
    plan = body.looked_up(plan_for(school, parts.plan, parts.services))
    return find_evidence(_essay(call, body), call.caller.scope(_books(call, body)), parts.services, plan)


def _books(call: Call, body: schemas.EssayRequest) -> list[str]:
    """An assignment's are its teacher's choice. Raises NotFound."""
    if body.assignment is None:
        return body.books
    return [*call.context.lti.store.assignment(call.caller.school, body.assignment).books]


def _essay(call: Call, body: schemas.EssayRequest) -> Essay:
    return parse_essay(body.essay, call.context.limits.essay_words)
