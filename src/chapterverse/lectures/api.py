"""Routes of lectures (S3): sessions, attached documents, segments, results as events or on request."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from time import monotonic
from uuid import UUID

from flask import Response, request

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound
from chapterverse.lectures import schemas, service
from chapterverse.lectures.citing import cite_windows
from chapterverse.lectures.context import LectureContext
from chapterverse.lectures.model import Attached, LectureSession, Segment, Window
from chapterverse.lectures.service import NewResults, end_speech, found_since, hear, warm_up
from chapterverse.lectures.transcripts import read_transcript
from chapterverse.library.api import form_of, sent_file
from chapterverse.web import sse
from chapterverse.web.operations import ApiTopic, Call

topic = ApiTopic("Lectures")

EVENTS = {
    sse.MEDIA_TYPE: {
        "description": "Events `window`, each a window that was looked up (see /windows), with an id that is given as "
        "Last-Event-ID to go on after it; `end` when nobody speaks any more. A stream lasts 50 seconds at most: call again."
    }
}

LOOKS = 1.0  # seconds between two looks at what another process has found

BEATS = 10.0  # seconds between two comments that tell that all is well

MOST_SESSIONS = 100

MOST_BYTES = 10 * 2**20  # of a transcript; a lecture of a day has about one MiB

TO_ATTACH = (errors.NotFound, errors.QueueUnavailable)


@topic.operation("POST", "/sessions", KeyScope.STUDENT, *TO_ATTACH, success=HTTPStatus.CREATED)
def begin_session(call: Call, body: schemas.SessionRequest) -> schemas.Session:
    """Begin a lecture. Its documents are cut into paragraphs meanwhile; each is cut once, for all lectures."""
    desk = _desk(call)
    begun = service.begin_session(call.caller.school, _attached(call, body.documents), desk, by=call.caller.person)
    warm_up(call.context.lectures)
    return _told(begun, desk)


@topic.operation("GET", "/sessions", KeyScope.STUDENT)
def list_sessions(call: Call) -> schemas.Sessions:
    """The school's lectures, a student's own, newest first, and how far the documents beside each are."""
    desk = _desk(call)
    found = desk.store.of_school(call.caller.school, desk.since, MOST_SESSIONS, _student(call))
    return schemas.Sessions(sessions=[_told(each, desk) for each in found])


@topic.operation("POST", "/transcripts", KeyScope.STUDENT, errors.BadRequest, errors.TooLarge, takes=form_of())
def transcript_segments(_: Call) -> schemas.Transcript:
    """The segments in the file of a form, to be handed in as they are spoken: captions (.vtt, .srt, .sbv), JSON of a recognizer
    or plain text, at most 10 MiB. Nothing is kept."""
    _name, data = sent_file(MOST_BYTES)
    return schemas.Transcript(segments=[each for each in read_transcript(data) if each.text])


@topic.operation("GET", "/sessions/{session}", KeyScope.STUDENT, errors.NotFound)
def show_session(call: Call, session: str) -> schemas.Session:
    """One lecture, and how far the documents beside it are."""
    return _told(service.find_session(call.caller.school, _uuid(session), _desk(call)), _desk(call))


@topic.operation("DELETE", "/sessions/{session}", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def remove_session(call: Call, session: str) -> None:
    """Forget a lecture and its citations. The documents stay."""
    service.end_session(call.caller.school, _own(call, session), _desk(call))


@topic.operation("POST", "/sessions/{session}/documents", KeyScope.STUDENT, *TO_ATTACH)
def attach_documents(call: Call, session: str, body: schemas.DocumentsRequest) -> schemas.Session:
    """Put documents beside a lecture, also while it goes on."""
    id, attached = _own(call, session), _attached(call, body.documents)
    return _told(service.attach(call.caller.school, id, attached, _desk(call)), _desk(call))


@topic.operation(
    "DELETE", "/sessions/{session}/documents/{document}", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT
)
def detach_document(call: Call, session: str, document: str) -> None:
    """Take a document away from a lecture. Its citations stay, and so does the document."""
    desk, school = _desk(call), call.caller.school
    found = service.find_session(school, _own(call, session), desk)
    beside = service.attached_books(found, desk)
    wanted = next((each for each in beside if document in {str(each.document), each.attached.book}), None)
    if wanted is None:
        raise NotFound("document_not_of_lecture")
    service.detach(school, found.id, wanted.attached, desk)


@topic.operation(
    "POST", "/sessions/{session}/segments", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.ACCEPTED, often=True
)
def hear_segments(call: Call, session: str, body: schemas.SegmentsRequest) -> schemas.FilledWindows:
    """Hand in what was said, as it is transcribed: in any order, twice, or corrected. What is found appears as events; nothing
    that is away keeps this waiting."""
    said = [Segment(each.id, each.start, max(each.start, each.end), each.text) for each in body.segments]
    return _heard(hear(call.caller.school, _own(call, session), said, call.context.lectures))


@topic.operation("POST", "/sessions/{session}/end", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.ACCEPTED)
def end_session_speech(call: Call, session: str) -> schemas.FilledWindows:
    """Nobody speaks any more: what is left of the last window is looked up, too. Speech may go on after it."""
    return _heard(end_speech(call.caller.school, _own(call, session), call.context.lectures))


@topic.operation("GET", "/sessions/{session}/events", KeyScope.STUDENT, errors.NotFound, media=EVENTS, stays=True)
def session_events(call: Call, session: str, query: schemas.WindowsQuery) -> Response:
    """What is found, as it is found: first what came after the event named in Last-Event-ID (or after `after`), else all of the
    lecture."""
    named = request.headers.get("Last-Event-ID", "")
    after = int(named) if named.isdecimal() and len(named) < 19 else query.after
    return sse.as_stream(_events(call, _uuid(session), after))


@topic.operation("GET", "/sessions/{session}/windows", KeyScope.STUDENT, errors.NotFound, often=True)
def session_windows(call: Call, session: str, query: schemas.WindowsQuery) -> schemas.Windows:
    """The same to be asked for from time to time, where events do not come through."""
    found = found_since(call.caller.school, _uuid(session), query.after, call.context.lectures)
    windows = [schemas.WindowEvent.of(result) for _, result in found.windows]
    return schemas.Windows(windows=windows, last=found.last, ended=found.ended)


@topic.operation("GET", "/sessions/{session}/citations", KeyScope.STUDENT, errors.NotFound)
def session_citations(call: Call, session: str) -> schemas.SessionCitations:
    """All citations of a lecture, by window, then rank."""
    found = service.list_citations(call.caller.school, _uuid(session), _desk(call))
    return schemas.SessionCitations(citations=[schemas.SessionCitation.of(each) for each in found])


@topic.operation("GET", "/citations/{citation}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def citation(call: Call, citation: str) -> schemas.CitationDetails:
    """One citation with the whole paragraph that it is from."""
    found, text = service.find_citation(call.caller.school, _uuid(citation), _desk(call))
    return schemas.CitationDetails.of(found, full_chunk_text=text)


@topic.operation("POST", "/rag/query", KeyScope.STUDENT, errors.NotFound)
def query_rag(call: Call, body: schemas.RagRequest) -> schemas.RagAnswer:
    """Look up one window at once, for whoever puts windows together. Where something is away, there are no citations."""
    session = service.find_session(call.caller.school, _own(call, str(body.session_id)), _desk(call))
    (result,) = cite_windows(session, [Window(body.window_index, 0.0, 0.0, body.transcript_text)], _desk(call))
    call.context.lectures.bell.ring(session.id)
    return schemas.RagAnswer.of(result)


def _desk(call: Call) -> LectureContext:
    return call.context.lectures.desk


def _student(call: Call) -> str | None:
    """The address of a student; None for a teacher, and for a key: programs act for all of the school."""
    return call.caller.person if call.caller.role is KeyScope.STUDENT else None


def _own(call: Call, id: str) -> UUID:
    """Of a lecture that the caller may change. Only for a student it is looked up: what is said comes all the time. Raises
    NotFound, Forbidden, CatalogUnavailable."""
    session, student = _uuid(id), _student(call)
    if student is not None:
        service.refuse_others(service.find_session(call.caller.school, session, _desk(call)), student)
    return session


def _uuid(id: str) -> UUID:
    try:
        return UUID(id)
    except ValueError:
        raise NotFound("id_not_uuid") from None


def _attached(call: Call, documents: Sequence[schemas.Attachment]) -> list[Attached]:
    shelves = [each.collection and Collection(each.collection) for each in documents]
    return [
        service.resolve(call.caller.school, each.document, _desk(call), shelf)
        for each, shelf in zip(documents, shelves, strict=True)
    ]


def _told(session: LectureSession, desk: LectureContext) -> schemas.Session:
    return schemas.Session.of(session, service.attached_books(session, desk))


def _heard(windows: Sequence[Window]) -> schemas.FilledWindows:
    return schemas.FilledWindows(windows=[window.index for window in windows])


def _events(call: Call, session: UUID, after: int) -> Iterator[sse.Part | sse.Numbered]:
    listening, began, beats = call.context.lectures, monotonic(), 0
    while monotonic() < began + call.context.limits.stream_seconds:
        rings = listening.bell.rings(session)
        found = found_since(call.caller.school, session, after, listening)
        if monotonic() >= began + beats * BEATS:  # the first at once: it says that there is a stream
            yield sse.BEAT
            beats += 1
        yield from _parts(found)
        if found.ended:
            return
        after = found.last
        listening.bell.wait(session, rings, LOOKS)


def _parts(found: NewResults) -> Iterator[sse.Part | sse.Numbered]:
    for number, result in found.windows:
        yield "window", schemas.WindowEvent.of(result).model_dump(mode="json"), number
    if found.ended:
        yield "end", {}
