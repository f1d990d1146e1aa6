"""Documents that questions are asked on (S2): handed in, watched, asked, removed."""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import PurePath
from time import monotonic, sleep
from typing import Any

from flask import Response, request

from chapterverse import errors
from chapterverse.errors import BadRequest, NotFound, TooLarge
from chapterverse.model import BookId, Collection, KeyScope, Scope, ShelvedBook
from chapterverse.usecases.abandoned import ENDED
from chapterverse.usecases.answer_log import note_answer
from chapterverse.usecases.books import list_books, remove_with_file, show_book
from chapterverse.usecases.document_qa import answered_json, ask_documents
from chapterverse.usecases.progress import progress_of
from chapterverse.usecases.services import Intake
from chapterverse.usecases.tasks import receive_task
from chapterverse.usecases.uploaded import folder_of, parts_of
from chapterverse.usecases.versions import book_of
from chapterverse.web import document_schemas as schemas
from chapterverse.web import sse
from chapterverse.web.links import linked
from chapterverse.web.operations import PREFIX, Call, Topic
from chapterverse.web.schemas import Progress, Upload
from chapterverse.web.uploads import address

topic = Topic("Documents")

NAME = Collection.DOCUMENTS.value
FORM = "multipart/form-data"
SENT = {
    FORM: {
        "type": "object",
        "required": ["file"],
        "properties": {"file": {"type": "string", "format": "binary", "description": "The file, with its name."}},
    }
}
EVENTS = {sse.MEDIA_TYPE: {"description": "Events `progress`, each the document as it is told; the last one is its end."}}
WATCHED = 300.0  # seconds that a stream goes on at most; whoever still waits then asks again
LOOKS = 0.5  # seconds between two looks at the catalog
TO_LOOK = (errors.NotFound, errors.DimensionMismatch, errors.IndexUnavailable, errors.EmbedderUnavailable)


@topic.operation(
    "POST",
    "/documents",
    KeyScope.TEACHER,
    errors.BucketUnavailable,
    errors.QueueUnavailable,
    success=HTTPStatus.ACCEPTED,
    takes=SENT,
)
def new_document(call: Call, body: schemas.DocumentRequest | None = None) -> schemas.DocumentAccepted:
    """Hand in a document: as a form with the file, or by its name alone, to be sent then to the address that is answered. It is
    read and indexed meanwhile; a document of the same name is replaced when that is done."""
    if body:
        return _accepted(call, body.file_name, address(call, body.file_name, Collection.DOCUMENTS))
    return _accepted(call, _received(call))


@topic.operation("GET", "/documents", KeyScope.STUDENT)
def documents(call: Call) -> schemas.Documents:
    """All documents, by title, and how far each has come."""
    shelf = list_books(call.caller.school, _intake(call).services)
    return schemas.Documents(documents=[_told(book) for book in shelf])


@topic.operation("GET", "/documents/{document}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def document(call: Call, document: str) -> schemas.Document:
    """One document: how far it has come, and if it could not be read, why."""
    return _document(call, document)


@topic.operation(
    "GET", "/documents/{document}/events", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable, media=EVENTS
)
def document_events(call: Call, document: str) -> Response:
    """The same, as it happens: an event for each change, until it is ready or has failed; five minutes at most."""
    return sse.as_stream(_changes(call, document))


@topic.operation(
    "DELETE",
    "/documents/{document}",
    KeyScope.TEACHER,
    errors.NotFound,
    errors.BookBusy,
    errors.IndexUnavailable,
    errors.BucketUnavailable,
    success=HTTPStatus.NO_CONTENT,
)
def remove_document(call: Call, document: str) -> None:
    """Forget a document and all that was kept of it."""
    remove_with_file(call.caller.school, BookId(document), _intake(call).services, call.parts.intake.uploads)


@topic.operation("POST", "/documents/ask", KeyScope.STUDENT, *TO_LOOK, errors.BucketUnavailable)
def ask(call: Call, body: schemas.QuestionRequest) -> schemas.DocumentAnswer:
    """An answer from the documents, each of its sentences with the sentence that bears it, and how sure it is: high from cosine
    0.70, medium from 0.50; below that there is none. Nothing of the question is kept."""
    if len(body.question) > call.parts.figures.question_characters:
        raise TooLarge(f"A question has at most {call.parts.figures.question_characters} characters.")
    parts, scope = call.parts, Scope(call.caller.school, tuple(map(BookId, body.documents)))
    earlier = [one.told for one in body.earlier]
    answered = ask_documents(body.question, scope, parts.shelves[Collection.DOCUMENTS], parts.answering, earlier=earlier)
    id = note_answer(scope.school, NAME, answered.answer, answered.findings, log=parts.answers, now=parts.now())
    return schemas.DocumentAnswer.model_validate({**linked(answered_json(answered), Collection.DOCUMENTS), "id": id})


def _intake(call: Call) -> Intake:
    return call.parts.intake.of(Collection.DOCUMENTS)


def _folder(call: Call) -> str:
    return folder_of(call.caller.school, Collection.DOCUMENTS)


def _received(call: Call) -> str:
    """The file of the form, kept, its task asked for: its name. Raises BadRequest, TooLarge."""
    if call.parts.files is None:
        raise BadRequest('Files arrive in a bucket here. Send {"file_name": …} as JSON, and the file to the address answered.')
    request.max_content_length = request.max_form_memory_size = call.parts.intake.limits.bytes
    sent = request.files.get("file")
    if sent is None:
        raise BadRequest('The form has no file. Send it in a field called "file".')
    name = PurePath((sent.filename or "").replace("\\", "/")).name
    parts_of(_folder(call) + name)
    file = call.parts.files.write(_folder(call) + name, sent.read())
    call.parts.intake.queue.add(receive_task(file))
    return name


def _id_of(call: Call, file_name: str) -> BookId:
    return book_of(file_name, _intake(call).services.catalog.books(call.caller.school))


def _accepted(call: Call, file_name: str, upload: Upload | None = None) -> schemas.DocumentAccepted:
    document = _id_of(call, file_name)
    at = f"{PREFIX}/documents/{document}"
    return schemas.DocumentAccepted(document=document, progress=at, events=f"{at}/events", upload=upload)


def _document(call: Call, document: str) -> schemas.Document:
    """As the catalog knows it; or only its file is there, whose turn has yet to come. Raises NotFound."""
    school = call.caller.school
    try:
        return _told(show_book(school, BookId(document), _intake(call).services))
    except NotFound:
        for file in call.parts.intake.uploads.files(_folder(call)):
            name = file.name.removeprefix(_folder(call))
            if _id_of(call, name) == document:
                return _waiting(document, name)
        raise


def _waiting(document: str, name: str) -> schemas.Document:
    nothing: dict[str, Any] = dict.fromkeys(("created", "progress", "reason", "message", "chunks"))
    return schemas.Document(document=document, title=name, file=name, state="uploaded", **nothing)


def _changes(call: Call, document: str) -> Iterator[sse.Part]:
    until, last = monotonic() + WATCHED, None
    while monotonic() < until:
        now = _document(call, document)
        if now != last:
            yield "progress", now.model_dump(mode="json")
        if now.state in ENDED:
            return
        last = now
        sleep(LOOKS)


def _told(book: ShelvedBook) -> schemas.Document:
    progress = progress_of(book)
    return schemas.Document(
        document=book.id,
        title=book.title,
        file=book.file_name,
        created=book.created,
        state=progress.state if progress else "removed",
        progress=Progress(done=progress.done, total=progress.total) if progress else None,
        reason=progress.reason if progress else None,
        message=progress.message if progress else None,
        chunks=book.active.sentences if book.active else None,
    )
