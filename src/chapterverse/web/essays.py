"""An essay held against the school's books (S1)."""

from collections.abc import Iterator

from flask import Response, request
from werkzeug.exceptions import NotAcceptable

from chapterverse import errors
from chapterverse.essay import Essay, parse_essay
from chapterverse.model import KeyScope
from chapterverse.usecases.essay_feedback import EssayEvidence, feedback_on, find_evidence
from chapterverse.usecases.essay_json import essay_evidence_json, feedback_json
from chapterverse.web import schemas, sse
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
STREAM = {
    sse.MEDIA_TYPE: {"type": "string", "description": "Events `evidence` (EssayEvidence), `feedback` (EssayFeedback), `done`."}
}


@topic.operation("POST", "/essays/evidence", KeyScope.STUDENT, *MAY_RAISE)
def essay_evidence(call: Call, body: schemas.EssayRequest) -> schemas.EssayEvidence:
    """The sentences of the books that bear on an essay, paragraph by paragraph."""
    return schemas.EssayEvidence.model_validate(essay_evidence_json(_find(call, body)))


@topic.operation("POST", "/essays/feedback", KeyScope.STUDENT, *MAY_RAISE, media=STREAM)
def essay_feedback(call: Call, body: schemas.EssayRequest) -> schemas.EssayFeedback | Response:
    """Feedback on an essay: as JSON, or as server-sent events (`Accept: text/event-stream`), the evidence first."""
    form = request.accept_mimetypes.best_match([JSON, sse.MEDIA_TYPE]) if request.accept_mimetypes else JSON
    if form is None:
        raise NotAcceptable
    if form == sse.MEDIA_TYPE:
        return sse.as_stream(_parts(call, body))
    return schemas.EssayFeedback.model_validate(feedback_json(feedback_on(_find(call, body))))


def _parts(call: Call, body: schemas.EssayRequest) -> Iterator[sse.Part]:
    found = _find(call, body)
    yield "evidence", essay_evidence_json(found)
    yield "feedback", feedback_json(feedback_on(found))


def _find(call: Call, body: schemas.EssayRequest) -> EssayEvidence:
    return find_evidence(_essay(call, body), call.caller.scope(body.books), call.parts.services, call.parts.plan)


def _essay(call: Call, body: schemas.EssayRequest) -> Essay:
    return parse_essay(body.essay, call.parts.figures.essay_words)
