"""Documents that the help desk answers from (S5, 2: "Academic PDFs"), a department's or everybody's."""

from http import HTTPStatus

from flask import Response, request

from chapterverse.errors import BadRequest
from chapterverse.ingestion.entries import LONGEST_DEPARTMENT
from chapterverse.model import Collection, KeyScope
from chapterverse.web import document_schemas as schemas
from chapterverse.web.handed_in import EVENTS, REMOVING, SHOWING, TAKING, HandedIn, form_of
from chapterverse.web.helpdesk_schemas import Departments, DeskDocumentRequest
from chapterverse.web.operations import Call, Topic

topic = Topic("Help desk's documents")

OF_DEPARTMENT = {"type": "string", "maxLength": LONGEST_DEPARTMENT, "description": "Whose it is; none: everybody's."}


@topic.operation(
    "POST",
    "/helpdesk/documents",
    KeyScope.TEACHER,
    *TAKING,
    success=HTTPStatus.ACCEPTED,
    takes=form_of(department=OF_DEPARTMENT),
)
def new_desk_document(call: Call, body: DeskDocumentRequest | None = None) -> schemas.DocumentAccepted:
    """Hand in a document: as a form with the file, or by its name alone, to be sent then to the address that is answered. It is
    read and indexed meanwhile; one of the same name and department is replaced when that is done. Lists of questions and
    answers go to POST /faq/lists."""
    if body:
        return _handed_in(call).announced(body.file_name, body.department)
    return _handed_in(call).received(department_in_form())


@topic.operation("GET", "/helpdesk/departments", KeyScope.STUDENT)
def departments(call: Call) -> Departments:
    """Those that have sources of their own."""
    return Departments(departments=call.parts.desk.departments(call.caller.school))


@topic.operation("GET", "/helpdesk/documents", KeyScope.TEACHER)
def desk_documents(call: Call) -> schemas.Documents:
    """All documents, by title, and how far each has come; the approved entries of a department are one, too."""
    return _handed_in(call).listed()


@topic.operation("GET", "/helpdesk/documents/{document}", KeyScope.TEACHER, *SHOWING)
def desk_document(call: Call, document: str) -> schemas.Document:
    """One document: how far it has come, and if it could not be read, why."""
    return _handed_in(call).document(document)


@topic.operation("GET", "/helpdesk/documents/{document}/events", KeyScope.TEACHER, *SHOWING, media=EVENTS)
def desk_document_events(call: Call, document: str) -> Response:
    """The same, as it happens: an event for each change, until it is ready or has failed; five minutes at most."""
    return _handed_in(call).watched(document)


@topic.operation("DELETE", "/helpdesk/documents/{document}", KeyScope.TEACHER, *REMOVING, success=HTTPStatus.NO_CONTENT)
def remove_desk_document(call: Call, document: str) -> None:
    """Forget a document and all that was kept of it."""
    _handed_in(call).remove(document)


def department_in_form() -> str | None:
    """On one line. Raises BadRequest."""
    told = " ".join(request.form.get("department", "").split())
    if len(told) > LONGEST_DEPARTMENT or not told.isprintable():
        raise BadRequest("department_too_long", max_characters=LONGEST_DEPARTMENT)
    return told or None


def _handed_in(call: Call) -> HandedIn:
    return HandedIn(call, Collection.HELPDESK, "/helpdesk/documents")
