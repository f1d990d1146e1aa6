"""Routes of lectures (S3): sessions, attached documents, segments, results as events or on request."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from time import monotonic, sleep
from typing import Annotated
from uuid import UUID

from flask import Response, request
from pydantic import Field

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId
from chapterverse.core.errors import Forbidden, NotFound
from chapterverse.lectures import schemas, service
from chapterverse.lectures.citing import LectureContext, cite_windows
from chapterverse.lectures.model import LectureSession, Segment, Window
from chapterverse.lectures.service import POLL_SECONDS, found_since, go_on, warm_up
from chapterverse.lectures.transcripts import read_transcript
from chapterverse.lectures.windows import Stream
from chapterverse.library.api import form_of, sent_file
from chapterverse.web import sse
from chapterverse.web.operations import ApiTopic, Call

topic = ApiTopic("Lectures")

EVENTS = {
    sse.MEDIA_TYPE: {
        "description": "Events `window`, each a searched window (see /windows), with an id; send it as Last-Event-ID to go on "
        "after it. Event `end` after the end of speech. A stream lasts at most nine minutes: call again."
    }
}

After = Annotated[int, Field(ge=0, lt=2**62, description="Only windows with a higher number.")]
MAX_SESSIONS = 100
MAX_BYTES = 10 * 2**20  # of a transcript; a lecture of a day has about one MiB


@topic.operation("POST", "/sessions", KeyScope.STUDENT, success=HTTPStatus.CREATED)
def begin_session(call: Call, body: schemas.SessionRequest) -> schemas.Session:
    """Begin a lecture."""
    context = _context(call)
    books = _attached(call, body.documents or [])
    begun = service.begin_session(call.school, books, context, by=call.caller.person, details=body.details)
    warm_up(call.context.lectures)
    return _session(call, begun)


@topic.operation("GET", "/sessions", KeyScope.STUDENT, field="sessions")
def list_sessions(call: Call) -> list[schemas.Session]:
    """The school's lectures, or a student's own, newest first, with the state of their documents."""
    found = _context(call).store.of_school(call.school, _context(call).since, MAX_SESSIONS, _student(call))
    return [_session(call, each) for each in found]


@topic.operation("POST", "/transcripts", KeyScope.STUDENT, takes=form_of(), field="segments")
def transcript_segments(_: Call) -> list[Segment]:
    """Segments of an uploaded transcript, to be sent as they are spoken: captions (.vtt, .srt, .sbv) or plain text, at most
    10 MiB. Nothing is stored."""
    _name, file = sent_file(MAX_BYTES)
    return [each for each in read_transcript(file.read()) if each.text]


@topic.operation("GET", "/sessions/{session}", KeyScope.STUDENT)
def show_session(call: Call, session: str) -> schemas.Session:
    """One lecture with the state of its documents."""
    return _session(call, service.find_session(call.school, _uuid(session), _context(call)))


@topic.operation("PUT", "/sessions/{session}", KeyScope.STUDENT)
def decide(call: Call, session: str, body: schemas.SessionRequest) -> schemas.Session:
    """Name a lecture, decide whether others follow it, and change its documents, also while it is being held."""
    id, books = _own(call, session), None if body.documents is None else _attached(call, body.documents)
    return _session(call, service.decide(call.school, id, body.details, _context(call), books))


@topic.operation("DELETE", "/sessions/{session}", KeyScope.STUDENT)
def remove_session(call: Call, session: str) -> None:
    """Delete a lecture and its citations. The documents stay."""
    _context(call).store.remove(call.school, _own(call, session))


@topic.operation(
    "POST", "/sessions/{session}/segments", KeyScope.STUDENT, success=HTTPStatus.ACCEPTED, often=True, field="windows"
)
def hear_segments(
    call: Call, session: str, *, segments: Annotated[list[Segment], Field(min_length=1, max_length=schemas.MAX_SEGMENTS)]
) -> list[int]:
    """Send speech in order, each segment when it is final; one that is sent again counts once. Answers with the indices of the
    windows that they completed, whose results appear as events; this request does not wait for them. After the end, late
    segments are accepted and the lecture runs again: end it again."""
    in_order = [replace(each, end=max(each.start, each.end)) for each in segments]
    filled = go_on(call.school, _own(call, session), lambda stream: stream.push(in_order), call.context.lectures)
    return [window.index for window in filled]


@topic.operation("POST", "/sessions/{session}/end", KeyScope.STUDENT, success=HTTPStatus.ACCEPTED, field="windows")
def end_session_speech(call: Call, session: str) -> list[int]:
    """End the speech: the last, incomplete window is searched as well. Speech may continue afterwards."""
    return [window.index for window in go_on(call.school, _own(call, session), Stream.flush, call.context.lectures)]


@topic.operation("GET", "/sessions/{session}/events", KeyScope.STUDENT, media=EVENTS, stays=True)
def session_events(call: Call, session: str, *, after: After = 0) -> Response:
    """Stream of results: first those after the event in Last-Event-ID (or after `after`), else all of the lecture."""
    named = request.headers.get("Last-Event-ID", "")
    after = int(named) if named.isdecimal() and len(named) < 19 else after
    return sse.as_stream(_events(call, _uuid(session), after))


@topic.operation("GET", "/sessions/{session}/windows", KeyScope.STUDENT, often=True)
def session_windows(call: Call, session: str, *, after: After = 0) -> schemas.Windows:
    """Results on request, for networks that block event streams."""
    found = found_since(call.school, _uuid(session), after, call.context.lectures)
    windows = [schemas.WindowEvent.of(result) for _, result in found.results]
    return schemas.Windows(windows=windows, last=found.last, ended=found.ended)


@topic.operation("GET", "/sessions/{session}/citations", KeyScope.STUDENT, field="citations")
def session_citations(call: Call, session: str) -> list[schemas.LinkedCitation]:
    """All citations of a lecture, by window, then rank."""
    of = service.find_session(call.school, _uuid(session), _context(call))
    return [schemas.LinkedCitation.of(each) for each in _context(call).store.list_by_session(of.school, of.id)]


@topic.operation("GET", "/citations/{citation}", KeyScope.STUDENT)
def citation(call: Call, citation: str) -> schemas.CitationDetails:
    """One citation with the whole paragraph that it is from."""
    found, text = service.find_citation(call.school, _uuid(citation), _context(call))
    return schemas.CitationDetails.of(found, full_chunk_text=text)


@topic.operation("POST", "/rag/query", KeyScope.STUDENT)
def query_rag(call: Call, body: schemas.RagRequest) -> schemas.WindowEvent:
    """Search one window made by the caller. Without citations if a service is unavailable."""
    session = service.find_session(call.school, _own(call, str(body.session_id)), _context(call))
    (result,) = cite_windows(session, [Window(body.window_index, 0.0, 0.0, body.transcript_text)], _context(call))
    return schemas.WindowEvent.of(result)


def _context(call: Call) -> LectureContext:
    return call.context.lectures.context


def _student(call: Call) -> str | None:
    """The address of a student; None for a teacher, and for a key: programs act for all of the school."""
    return call.caller.person if call.caller.role is KeyScope.STUDENT else None


def _own(call: Call, id: str) -> UUID:
    """Id of a lecture that the caller may change. It is read only for students, because segments arrive all the time. Raises
    NotFound, Forbidden, CatalogUnavailable."""
    session, student = _uuid(id), _student(call)
    if student and service.find_session(call.school, session, _context(call)).begun_by != student:
        raise Forbidden("lecture_of_another")
    return session


def _uuid(id: str) -> UUID:
    try:
        return UUID(id)
    except ValueError:
        raise NotFound("id_not_uuid") from None


def _attached(call: Call, documents: Sequence[str]) -> list[BookId]:
    return [service.resolve(call.school, each, _context(call)) for each in documents]


def _session(call: Call, session: LectureSession) -> schemas.Session:
    student = _student(call)
    return schemas.Session.of(session, _context(call), may_change=student is None or session.begun_by == student)


def _events(call: Call, session: UUID, after: int) -> Iterator[sse.Part | sse.Numbered]:
    service.find_session(call.school, session, _context(call))
    listeners, began, beats = call.context.lectures.listeners, monotonic(), 0
    while monotonic() < began + call.context.limits.stream_seconds:
        found = listeners.since(session, after)
        if monotonic() >= began + beats * sse.BEAT_SECONDS:  # the first at once, so that the client sees an open stream
            yield sse.BEAT
            beats += 1
        for number, result in found.results:
            yield "window", schemas.WindowEvent.of(result), number
        if found.ended:
            yield "end", {}
            return
        after = found.last
        sleep(POLL_SECONDS)
