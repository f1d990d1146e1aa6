"""Routes that the sources of all collections (library/api.py) replaced in 0.2.0, with their own field names.

They are removed in 0.3.0. Until then each answers with a Deprecation header (RFC 9745) and a link to its successor."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from flask import Response
from pydantic import BaseModel, model_validator

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import Collection
from chapterverse.library import api, schemas
from chapterverse.library.api import (
    ADD_ERRORS,
    CORRECT_ERRORS,
    DEPARTMENT_FIELD,
    REMOVE_ERRORS,
    SHOW_ERRORS,
    CollectionView,
    department_in_form,
    form_of,
)
from chapterverse.library.model import Corrections, VersionState
from chapterverse.library.uploads import ENDINGS
from chapterverse.messages.fields import Words
from chapterverse.web import sse
from chapterverse.web.operations import PREFIX, ApiTopic, Call, note_successor


class BookSummary(BaseModel):
    """A book; see SourceResponse. sentences: number of its chunks."""

    book: str
    title: str
    authors: list[str]
    file: str
    created: datetime | None
    state: VersionState | None
    progress: schemas.IndexingProgress | None
    reason: str | None
    message: Words | None
    version: str | None
    sentences: int | None


class BookDetails(BookSummary):
    """A book with what the parser recognized in its file; see SourceDetails."""

    report: schemas.BookReport | None
    chapters: list[schemas.SourceChapter]
    corrections: Corrections
    versions: list[schemas.Version]


class Books(BaseModel):
    """The school's books, by title."""

    books: list[BookSummary]


class Document(BaseModel):
    """A source of another collection than the books; see SourceResponse. state: "removed" while it is being removed."""

    document: str
    title: str
    file: str
    department: str | None
    created: datetime | None
    state: str
    progress: schemas.IndexingProgress | None
    reason: str | None
    message: Words | None
    chunks: int | None
    topics: list[str]


class Documents(BaseModel):
    """The documents by title."""

    documents: list[Document]


class UploadRequest(schemas.FileRequest):
    """A file that will be sent, and the collection that it is for."""

    collection: Collection = Collection.BOOKS

    @model_validator(mode="after")
    def _has_right_ending(self) -> "UploadRequest":
        _refuse_ending(self.file_name, self.collection)
        return self


class Upload(schemas.UploadAddress):
    """Where to send the file. book: the id of the source."""

    book: str


class DocumentRequest(schemas.FileRequest):
    """A document that will be sent to an upload address: a PDF (.pdf), or a zip of a folder of pages (.zip)."""

    department: schemas.Department | None = None

    @model_validator(mode="after")
    def _has_right_ending(self) -> "DocumentRequest":
        _refuse_ending(self.file_name, Collection.DOCUMENTS)
        return self


class DocumentAccepted(BaseModel):
    """A document that will be read; see SourceAccepted."""

    document: str
    progress: str
    events: str
    upload: Upload | None = None


class TextbookContents(BaseModel):
    """All chapters in order."""

    textbook: str
    title: str
    parts: list[schemas.PartResponse]


def _refuse_ending(file_name: str, collection: Collection) -> None:
    if not file_name.lower().endswith(ENDINGS[collection]):
        raise ValueError(f"A file for the {collection} ends in {' or '.join(ENDINGS[collection])}")


def _summary(source: schemas.SourceResponse) -> BookSummary:
    return BookSummary(book=source.source, sentences=source.chunks, **source.model_dump())


def _book(details: schemas.SourceDetails) -> BookDetails:
    return BookDetails(book=details.source, sentences=details.chunks, **details.model_dump())


def _document(source: schemas.SourceResponse) -> Document:
    return Document(document=source.source, **source.model_dump() | {"state": source.state or "removed"})


books_topic = ApiTopic("Books")


@books_topic.operation("GET", "/books", KeyScope.STUDENT, successor="/collections/books/sources")
def books(call: Call) -> Books:
    """All books, by title, with their states."""
    return Books(books=[_summary(source) for source in CollectionView.of(call, Collection.BOOKS).sources()])


@books_topic.operation("GET", "/books/{book}", KeyScope.STUDENT, *SHOW_ERRORS, successor="/collections/books/sources/{book}")
def book(call: Call, book: str) -> BookDetails:
    """One book: its state, what was recognized in its file, and its corrections."""
    view = CollectionView.of(call, Collection.BOOKS)
    return _book(view.details(book))


@books_topic.operation(
    "PATCH", "/books/{book}", KeyScope.TEACHER, *CORRECT_ERRORS, successor="/collections/books/sources/{book}"
)
def correct(call: Call, book: str, body: schemas.CorrectionPatch) -> BookDetails:
    """Correct a book's title, authors, chapter titles or page numbers."""
    return _book(api.correct_source(call, Collection.BOOKS, book, body))


@books_topic.operation(
    "DELETE",
    "/books/{book}",
    KeyScope.TEACHER,
    *REMOVE_ERRORS,
    success=HTTPStatus.NO_CONTENT,
    successor="/collections/books/sources/{book}",
)
def remove(call: Call, book: str) -> None:
    """Remove a book, its file and all data made from it."""
    CollectionView.of(call, Collection.BOOKS).remove(book)


uploads_topic = ApiTopic("Uploads")


@uploads_topic.operation(
    "POST",
    "/uploads",
    KeyScope.TEACHER,
    errors.BucketUnavailable,
    success=HTTPStatus.CREATED,
    successor="/collections/books/sources",
)
def upload(call: Call, body: UploadRequest) -> Upload:
    """An address to send one file to."""
    note_successor(f"/collections/{body.collection}/sources")
    view = CollectionView.of(call, body.collection)
    return _upload(view, body.file_name)


def _upload(view: CollectionView, file_name: str) -> Upload:
    return Upload(**view.upload_address(file_name).model_dump(), book=view.id_of(file_name))


EVENTS = {sse.MEDIA_TYPE: {"description": "`progress` events, each with the document; the last one when it is done."}}


def _offer_documents(topic: ApiTopic, path: str, collection: Collection, reader: KeyScope, name: str) -> None:
    """Add the six routes of a collection below `path`. name: of one source in the ids of the operations."""
    sources = f"/collections/{collection}/sources"
    one = {"successor": f"{sources}/{{document}}"}

    def accepted(done: schemas.SourceAccepted) -> DocumentAccepted:
        at = f"{PREFIX}{path}/{done.source}"
        address = Upload(**done.upload.model_dump(), book=done.source) if done.upload else None
        return DocumentAccepted(document=done.source, progress=at, events=f"{at}/events", upload=address)

    def add(call: Call, body: DocumentRequest | None = None) -> DocumentAccepted:
        """Add a document: as a form with the file, or by its file name only, to be sent then to the answered address."""
        view = CollectionView.of(call, collection)
        done = view.announce(body.file_name, body.department) if body else view.receive(department_in_form())
        return accepted(done)

    def all_documents(call: Call) -> Documents:
        """All documents, by title, with their states."""
        return Documents(documents=[_document(source) for source in CollectionView.of(call, collection).sources()])

    def show(call: Call, document: str) -> Document:
        """One document and its state."""
        return _document(CollectionView.of(call, collection).show(document))

    def events(call: Call, document: str) -> Response:
        """The state of one document as it changes, for five minutes at most."""
        changes = CollectionView.of(call, collection).changes(document)
        return sse.as_stream((kind, _document(source)) for kind, source in changes)

    def correct(call: Call, document: str, body: schemas.CorrectionPatch) -> Document:
        """Correct the title or topics."""
        return _document(api.source_of(CollectionView.of(call, collection).correct(document, body)))

    def remove(call: Call, document: str) -> None:
        """Remove a document, its file and all data made from it."""
        CollectionView.of(call, collection).remove(document)

    def offer(view: Any, id: str, method: str, at: str, scope: KeyScope, *raises: Any, **how: Any) -> None:
        view.__name__ = id
        topic.operation(method, at, scope, *raises, **how)(view)

    form = form_of(department=DEPARTMENT_FIELD) if collection is Collection.HELPDESK else form_of()
    accept = {"success": HTTPStatus.ACCEPTED, "takes": form, "successor": sources}
    offer(add, f"new_{name}", "POST", path, KeyScope.TEACHER, errors.BadRequest, *ADD_ERRORS, **accept)
    offer(all_documents, f"{name}s", "GET", path, reader, successor=sources)
    offer(show, name, "GET", f"{path}/{{document}}", reader, *SHOW_ERRORS, **one)
    offer(events, f"{name}_events", "GET", f"{path}/{{document}}/events", reader, *SHOW_ERRORS, media=EVENTS, **one)
    offer(
        remove,
        f"remove_{name}",
        "DELETE",
        f"{path}/{{document}}",
        KeyScope.TEACHER,
        *REMOVE_ERRORS,
        success=HTTPStatus.NO_CONTENT,
        **one,
    )
    if collection is not Collection.HELPDESK:
        offer(correct, f"correct_{name}", "PATCH", f"{path}/{{document}}", KeyScope.TEACHER, *CORRECT_ERRORS, **one)


documents_topic = ApiTopic("Documents")
textbooks_topic = ApiTopic("Textbooks")

_offer_documents(documents_topic, "/documents", Collection.DOCUMENTS, KeyScope.STUDENT, "document")
_offer_documents(textbooks_topic, "/textbooks", Collection.TEXTBOOK, KeyScope.STUDENT, "textbook")
_offer_documents(documents_topic, "/helpdesk/documents", Collection.HELPDESK, KeyScope.TEACHER, "desk_document")

TEXTBOOK = "/collections/textbook/sources/{textbook}"


@textbooks_topic.operation(
    "GET", "/textbooks/{textbook}/chapters", KeyScope.STUDENT, *SHOW_ERRORS, successor=f"{TEXTBOOK}/chapters"
)
def textbook_contents(call: Call, textbook: str) -> TextbookContents:
    """The chapters of a textbook, in order."""
    contents = api.source_chapters(call, Collection.TEXTBOOK, textbook)
    return TextbookContents(textbook=contents.source, title=contents.title, parts=contents.parts)


@textbooks_topic.operation(
    "GET",
    "/textbooks/{textbook}/chapters/{chapter}",
    KeyScope.STUDENT,
    *SHOW_ERRORS,
    successor=f"{TEXTBOOK}/chapters/{{chapter}}",
)
def textbook_chapter(call: Call, textbook: str, chapter: int, query: schemas.PartQuery) -> schemas.PartText:
    """The text of a chapter, with links to other chapters and to pictures."""
    part: schemas.PartText = api.source_chapter(call, Collection.TEXTBOOK, textbook, chapter, query)
    return part
