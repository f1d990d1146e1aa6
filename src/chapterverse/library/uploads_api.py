"""Files that are handed in to a collection and read meanwhile: taken in, watched, told; for documents.py, textbooks.py and
desk_documents.py.

PUT to an address that POST /api/v1/uploads gave out, where this app takes in the files itself; in the cloud the bucket does.

The address is signed: its signature, not a key, says that this name may be written, and so in which school's folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import PurePath
from time import monotonic, sleep
from typing import Any

from flask import Flask, Response, request

from chapterverse.core import errors
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.core.names import department_of, in_department, media_type_of
from chapterverse.library.api import address
from chapterverse.library.corrections import correct_book
from chapterverse.library.html.files import PAGE_ENDINGS, File, pack
from chapterverse.library.model import ShelvedBook
from chapterverse.library.schemas import CorrectionPatch, Progress
from chapterverse.library.service import list_books, remove_with_file, show_book
from chapterverse.library.services import Intake
from chapterverse.library.tasks import receive_task
from chapterverse.library.uploads import folder_of, parts_of
from chapterverse.library.versions import ENDED, book_of, progress_of
from chapterverse.questions import schemas
from chapterverse.web import sse
from chapterverse.web.context import Parts, ReceivesFiles
from chapterverse.web.operations import PREFIX, Call

FORM = "multipart/form-data"

FILE_FIELD = {"type": "string", "format": "binary", "description": "The file, with its name."}

EVENTS = {sse.MEDIA_TYPE: {"description": "Events `progress`, each the document as it is told; the last one is its end."}}

TAKING = (errors.BucketUnavailable, errors.QueueUnavailable)

SHOWING = (errors.NotFound, errors.BucketUnavailable)

CORRECTING = (errors.NotFound, errors.NotInBook, errors.BookBusy, errors.BucketUnavailable)

REMOVING = (errors.NotFound, errors.BookBusy, errors.IndexUnavailable, errors.BucketUnavailable)

WATCHED = 300.0  # seconds that a stream goes on at most; whoever still waits then asks again

LOOKS = 0.5  # seconds between two looks at the catalog


def form_of(**fields: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What may be sent in the place of JSON: a form with a file, and these fields."""
    return {FORM: {"type": "object", "required": ["file"], "properties": {"file": FILE_FIELD, **fields}}}


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What one call sees of a collection; path: where it is offered ("/documents")."""

    call: Call
    collection: Collection
    path: str

    @property
    def intake(self) -> Intake:
        """For bulk work."""
        return self.call.parts.intake.of(self.collection)

    @property
    def folder(self) -> str:
        """Where its files arrive."""
        return folder_of(self.call.caller.school, self.collection)

    def announced(self, file_name: str, department: str | None = None) -> schemas.DocumentAccepted:
        """One whose file is sent later, to an address."""
        name = in_department(file_name, department)
        accepted = self._accepted(name)
        return accepted.model_copy(update={"upload": address(self.call, name, self.collection)})

    def received(self, department: str | None = None) -> schemas.DocumentAccepted:
        """The file of the form, kept, its task asked for. Raises BadRequest, TooLarge."""
        files, intake = self.call.parts.files, self.call.parts.intake
        if files is None:
            raise BadRequest("files_go_to_bucket")
        file_name, data = as_source(*sent_file(intake.limits.bytes))
        name = in_department(file_name, department)
        parts_of(self.folder + name)
        intake.queue.add(receive_task(files.write(self.folder + name, data)))
        return self._accepted(name)

    def listed(self) -> schemas.Documents:
        """All, by title."""
        books = list_books(self.call.caller.school, self.intake.services)
        return schemas.Documents(documents=[told(book) for book in books])

    def document(self, id: str) -> schemas.Document:
        """As the catalog knows it; or only its file is there, whose turn has yet to come. Raises NotFound."""
        try:
            return told(show_book(self.call.caller.school, BookId(id), self.intake.services))
        except NotFound:
            for file in self.call.parts.intake.uploads.files(self.folder):
                name = file.name.removeprefix(self.folder)
                if self._id_of(name) == id:
                    return _waiting(id, name)
            raise

    def watched(self, id: str) -> Response:
        """The document at first, then at each change, until its end."""
        return sse.as_stream(self._changes(id))

    def corrected(self, id: str, patch: CorrectionPatch) -> schemas.Document:
        """As it is called, and what it is about, from now on."""
        return told(correct_book(self.call.caller.school, BookId(id), patch.applied_to, self.intake.services))

    def remove(self, id: str) -> None:
        """With its file."""
        remove_with_file(self.call.caller.school, BookId(id), self.intake.services, self.call.parts.intake.uploads)

    def _changes(self, id: str) -> Iterator[sse.Part]:
        until, last = monotonic() + WATCHED, None
        while monotonic() < until:
            now = self.document(id)
            if now != last:
                yield "progress", now.model_dump(mode="json")
            if now.state in ENDED:
                return
            last = now
            sleep(LOOKS)

    def _id_of(self, file_name: str) -> BookId:
        return book_of(file_name, self.intake.services.catalog.books(self.call.caller.school))

    def _accepted(self, file_name: str) -> schemas.DocumentAccepted:
        document = self._id_of(file_name)
        at = f"{PREFIX}{self.path}/{document}"
        return schemas.DocumentAccepted(document=document, progress=at, events=f"{at}/events")


def sent_file(most: int) -> tuple[str, bytes]:
    """Name and bytes of the form's file. Raises BadRequest, TooLarge beyond `most` bytes."""
    request.max_content_length = request.max_form_memory_size = most
    sent = request.files.get("file")
    if sent is None:
        raise BadRequest("form_without_file")
    return PurePath((sent.filename or "").replace("\\", "/")).name, sent.read()


def as_source(name: str, data: bytes) -> tuple[str, bytes]:
    """A page by itself is a folder of one page, packed as folders are."""
    if not name.lower().endswith(PAGE_ENDINGS):
        return name, data
    return f"{PurePath(name).stem}.zip", pack([File(name, data)])


def told(book: ShelvedBook) -> schemas.Document:
    """How far it is."""
    progress = progress_of(book)
    return schemas.Document(
        document=book.id,
        title=book.title,
        file=PurePath(book.file_name).name,
        department=department_of(book.file_name),
        created=book.created,
        state=progress.state if progress else "removed",
        progress=Progress(done=progress.done, total=progress.total) if progress else None,
        reason=progress.reason if progress else None,
        message=progress.message if progress else None,
        chunks=book.active.sentences if book.active else None,
        topics=list(book.topics),
    )


def _waiting(document: str, name: str) -> schemas.Document:
    nothing: dict[str, Any] = dict.fromkeys(("created", "progress", "reason", "message", "chunks"))
    file, department = PurePath(name).name, department_of(name)
    told: dict[str, Any] = {"document": document, "title": file, "file": file, "department": department}
    return schemas.Document(**told, state="uploaded", topics=[], **nothing)


def offer_uploads(app: Flask, parts: Parts, files: ReceivesFiles) -> None:
    """PUT /uploads/{school}/{file}, or /uploads/{school}/{collection}/{file}."""

    def receive(name: str) -> Response:
        request.max_content_length = parts.intake.limits.bytes
        files.verify(name, request.args.get("expires", 0, int), request.args.get("signature", ""))
        if request.mimetype != (wanted := media_type_of(name)):
            raise BadRequest("wrong_content_type", content_type=wanted)
        file = files.write(name, request.get_data())
        parts.intake.queue.add(receive_task(file))
        return Response(status=HTTPStatus.NO_CONTENT)

    app.add_url_rule("/uploads/<path:name>", "receive_file", receive, methods=["PUT"])
