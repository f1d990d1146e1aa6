"""Documents that questions are asked on (S2): handed in, watched, asked, removed."""

from http import HTTPStatus

from flask import Response

from chapterverse import errors
from chapterverse.model import BookId, Collection, KeyScope, Scope
from chapterverse.usecases.answer_log import Watch, note_answer
from chapterverse.usecases.document_qa import answered_json, ask_documents
from chapterverse.web import document_schemas as schemas
from chapterverse.web.handed_in import CORRECTING, EVENTS, REMOVING, SHOWING, TAKING, HandedIn, form_of
from chapterverse.web.links import linked
from chapterverse.web.operations import Call, Topic
from chapterverse.web.schemas import CorrectionPatch

topic = Topic("Documents")

NAME = Collection.DOCUMENTS.value
TO_LOOK = (errors.NotFound, errors.DimensionMismatch, errors.IndexUnavailable, errors.EmbedderUnavailable)


@topic.operation("POST", "/documents", KeyScope.TEACHER, *TAKING, success=HTTPStatus.ACCEPTED, takes=form_of())
def new_document(call: Call, body: schemas.DocumentRequest | None = None) -> schemas.DocumentAccepted:
    """Hand in a document: as a form with the file, or by its name alone, to be sent then to the address that is answered. It is
    read and indexed meanwhile; a document of the same name is replaced when that is done."""
    return _handed_in(call).announced(body.file_name) if body else _handed_in(call).received()


@topic.operation("GET", "/documents", KeyScope.STUDENT)
def documents(call: Call) -> schemas.Documents:
    """All documents, by title, and how far each has come."""
    return _handed_in(call).listed()


@topic.operation("GET", "/documents/{document}", KeyScope.STUDENT, *SHOWING)
def document(call: Call, document: str) -> schemas.Document:
    """One document: how far it has come, and if it could not be read, why."""
    return _handed_in(call).document(document)


@topic.operation("GET", "/documents/{document}/events", KeyScope.STUDENT, *SHOWING, media=EVENTS)
def document_events(call: Call, document: str) -> Response:
    """The same, as it happens: an event for each change, until it is ready or has failed; five minutes at most."""
    return _handed_in(call).watched(document)


@topic.operation("PATCH", "/documents/{document}", KeyScope.TEACHER, *CORRECTING)
def correct_document(call: Call, document: str, body: CorrectionPatch) -> schemas.Document:
    """Correct what it is called, or what it is about (`topics`). Kept when it is replaced."""
    return _handed_in(call).corrected(document, body)


@topic.operation("DELETE", "/documents/{document}", KeyScope.TEACHER, *REMOVING, success=HTTPStatus.NO_CONTENT)
def remove_document(call: Call, document: str) -> None:
    """Forget a document and all that was kept of it."""
    _handed_in(call).remove(document)


@topic.operation("POST", "/documents/ask", KeyScope.STUDENT, *TO_LOOK, errors.BucketUnavailable)
def ask(call: Call, body: schemas.QuestionRequest) -> schemas.DocumentAnswer:
    """An answer from the documents, each of its sentences with the sentence that bears it, and how sure it is: high from cosine
    0.70, medium from 0.50; below that there is none. Nothing of the question is kept."""
    watch, parts = Watch(), call.parts
    parts.figures.refuse_long(body.question)
    scope = Scope(call.caller.school, tuple(map(BookId, body.documents)), topics=tuple(body.topics))
    earlier = [one.told for one in body.earlier]
    answered = ask_documents(body.question, scope, parts.shelves[Collection.DOCUMENTS], parts.answering, earlier=earlier)
    id = note_answer(scope.school, NAME, answered.answer, answered.findings, log=parts.answers, now=parts.now(), watch=watch)
    return schemas.DocumentAnswer.model_validate({**linked(answered_json(answered), Collection.DOCUMENTS), "id": id})


def _handed_in(call: Call) -> HandedIn:
    return HandedIn(call, Collection.DOCUMENTS, "/documents")
