"""An essay held against the school's books (S1)."""

from collections.abc import Iterator
from dataclasses import replace

from flask import Response

from chapterverse import errors
from chapterverse.essay import Essay, parse_essay
from chapterverse.feedback.comments import Review
from chapterverse.model import KeyScope
from chapterverse.usecases.essay_feedback import EssayEvidence, find_evidence
from chapterverse.usecases.essay_json import essay_evidence_json
from chapterverse.usecases.feedback_json import citations_json, feedback_json, review_json
from chapterverse.usecases.kept_feedback import keep_feedback
from chapterverse.usecases.write_feedback import Feedback, write_feedback
from chapterverse.usecases.writing import Writing
from chapterverse.web import essay_schemas as schemas
from chapterverse.web import sse
from chapterverse.web.forms import FORMS, accepted, written
from chapterverse.web.operations import JSON, Call, Topic

topic = Topic("Essays")

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
        "and `done` (the id that it is kept under, or null).",
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
    form = accepted(MEDIA)
    if call.parts.keeping.approval and call.caller.role is KeyScope.STUDENT:
        return schemas.Waiting(id=str(_given(call, body).id))
    if form == sse.MEDIA_TYPE:
        return sse.as_stream(_parts(call, body))
    given = _given(call, body)
    if form == JSON:
        return schemas.EssayFeedback.model_validate(feedback_json(given))
    return written(form, given, call)


def _parts(call: Call, body: schemas.FeedbackRequest) -> Iterator[sse.Part]:
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
    yield "done", {"id": _kept(call, given).id}


def _given(call: Call, body: schemas.FeedbackRequest) -> Feedback:
    writing = _writing(call, body)
    began = writing.clock()
    found = _find(call, body)
    return _kept(call, Feedback(found, tuple(write_feedback(found, call.caller.school, writing, began))))


def _kept(call: Call, given: Feedback) -> Feedback:
    return keep_feedback(given, call.caller.school, call.parts.keeping)


def _writing(call: Call, body: schemas.FeedbackRequest) -> Writing:
    usual = call.parts.writing
    return replace(usual, style=body.style(usual.style))


def _find(call: Call, body: schemas.EssayRequest) -> EssayEvidence:
    return find_evidence(_essay(call, body), call.caller.scope(body.books), call.parts.services, call.parts.plan)


def _essay(call: Call, body: schemas.EssayRequest) -> Essay:
    return parse_essay(body.essay, call.parts.figures.essay_words)
