"""The school's books: how far each has come, what was understood of it, and what a teacher says of it.

Addresses that teachers send files to.

Pages, and sentences that are seen on them, field by field.

A page of a book as a picture.

A sentence in its surroundings."""

from datetime import timedelta
from http import HTTPStatus

from flask import Response, request
from pydantic import BaseModel, ConfigDict, Field

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.names import fingerprint, media_type_of
from chapterverse.essays.json import passage_json
from chapterverse.library import schemas
from chapterverse.library.corrections import chapters_of, correct_book
from chapterverse.library.lookup import PageView, draw_page, find_anywhere, find_page
from chapterverse.library.model import BookVersion, ShelvedBook
from chapterverse.library.schemas import Name, PassageFields
from chapterverse.library.service import list_books, remove_with_file, show_book
from chapterverse.library.uploads import folder_of
from chapterverse.library.versions import book_of, progress_of
from chapterverse.questions.records import place_of
from chapterverse.web.operations import Call, Topic, linked

books_topic = Topic("Books")


@books_topic.operation("GET", "/books", KeyScope.STUDENT)
def books(call: Call) -> schemas.Books:
    """All books, by title, and how far each has come."""
    shelf = list_books(call.caller.school, call.parts.services)
    return schemas.Books(books=[schemas.BookSummary.model_validate(_summary(book)) for book in shelf])


@books_topic.operation("GET", "/books/{book}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def book(call: Call, book: str) -> schemas.Book:
    """One book: how far it has come, what was understood of it, and its corrections."""
    return _whole(call, show_book(call.caller.school, BookId(book), call.parts.services))


@books_topic.operation(
    "PATCH", "/books/{book}", KeyScope.TEACHER, errors.NotFound, errors.NotInBook, errors.BookBusy, errors.BucketUnavailable
)
def correct(call: Call, book: str, body: schemas.CorrectionPatch) -> schemas.Book:
    """Correct a book's title, authors, chapter titles or page numbers. Kept when the book is indexed again or replaced."""
    return _whole(call, correct_book(call.caller.school, BookId(book), body.applied_to, call.parts.services))


@books_topic.operation(
    "DELETE",
    "/books/{book}",
    KeyScope.TEACHER,
    errors.NotFound,
    errors.BookBusy,
    errors.IndexUnavailable,
    errors.BucketUnavailable,
    success=HTTPStatus.NO_CONTENT,
)
def remove(call: Call, book: str) -> None:
    """Forget a book and all that was kept of it."""
    remove_with_file(call.caller.school, BookId(book), call.parts.services, call.parts.intake.uploads)


def _whole(call: Call, book: ShelvedBook) -> schemas.Book:
    version = book.active or book.newest
    return schemas.Book.model_validate(
        _summary(book)
        | {
            "report": version.report if version else None,
            "chapters": [
                schemas.Chapter.model_validate(each, from_attributes=True) for each in chapters_of(book, call.parts.services)
            ],
            "corrections": book.corrections,
            "versions": [_version(each, book) for each in book.versions],
        }
    )


def _summary(book: ShelvedBook) -> dict[str, object]:
    progress, active = progress_of(book), book.active
    return {
        "book": book.id,
        "title": book.title,
        "authors": list(book.authors),
        "file": book.file_name,
        "created": book.created,
        "state": progress.state if progress else None,
        "progress": schemas.Progress(done=progress.done, total=progress.total) if progress else None,
        "reason": progress.reason if progress else None,
        "message": progress.message if progress else None,
        "version": active.key.version if active else None,
        "sentences": active.sentences if active else None,
    }


def _version(version: BookVersion, book: ShelvedBook) -> schemas.Version:
    return schemas.Version(
        version=version.key.version,
        state=version.state,
        progress=schemas.Progress(done=version.batches_done, total=version.batches),
        reason=version.reason,
        message=version.message,
        sentences=version.sentences,
        began=version.began,
        changed=version.changed,
        active=version == book.active,
    )


uploads_topic = Topic("Uploads")


@uploads_topic.operation("POST", "/uploads", KeyScope.TEACHER, errors.BucketUnavailable, success=HTTPStatus.CREATED)
def upload(call: Call, body: schemas.UploadRequest) -> schemas.Upload:
    """An address to send one file to, good for a while: a PDF for the books; for other collections also a zip of a folder of
    pages."""
    return address(call, body.file_name, body.collection)


def address(call: Call, file_name: str, collection: Collection) -> schemas.Upload:
    """Where a file of that name is sent that is for the collection."""
    seconds, school = call.parts.figures.upload_url_seconds, call.caller.school
    expires = call.parts.now() + timedelta(seconds=seconds)
    url = call.parts.intake.uploads.upload_url(folder_of(school, collection) + file_name, seconds)
    book = book_of(file_name, call.parts.shelves[collection].catalog.books(school))
    return schemas.Upload(url=url, headers={"Content-Type": media_type_of(file_name)}, expires=expires, book=book)


class PageLink(BaseModel):
    """A page that the sentence stands on, as a picture with the sentence lit."""

    page_index: int
    page_label: str
    image: str


class Seen(BaseModel):
    """Where a sentence is seen. pages: those that it stands on, as pictures, the sentence lit; url: the first of them, or on a
    site the page at its heading."""

    book: str
    sentence_id: str
    pages: list[PageLink]
    url: str | None


class Passage(PassageFields, Seen):
    """A sentence in its surroundings."""


class PageQuery(BaseModel):
    """How a page is drawn."""

    model_config = ConfigDict(frozen=True)

    sentence: Name | None = Field(None, description="Light this sentence on the page.")
    collection: Collection = Field(Collection.BOOKS, description="Where the book is: answers name it in their addresses.")
    scale: float = Field(2.0, ge=0.5, le=4.0, allow_inf_nan=False, description="Pixels a point; 1 is 72 dpi.")


pages_topic = Topic("Pages")

PNG = "image/png"

A_YEAR = 365 * 24 * 3600


@pages_topic.operation(
    "GET",
    "/pages/{book}/{index}.png",
    KeyScope.STUDENT,
    errors.NotFound,
    errors.TooLarge,
    errors.BadBook,
    errors.BucketUnavailable,
    media={PNG: {"type": "string", "format": "binary"}},
)
def page(call: Call, book: str, index: int, query: PageQuery) -> Response:
    """A page as it is displayed, and on it a sentence, lit in every box that it has there.

    index counts from 0. An address with a sentence always shows the same; one without shows the version that is searched."""
    sentence = SentenceId(query.sentence) if query.sentence else None
    shelf = call.parts.shelves[query.collection]
    view = find_page(call.caller.school, BookId(book), index, sentence, shelf)
    response = Response(content_type=PNG)
    response.set_etag(_tag(view, query))
    response.headers["Cache-Control"] = f"private, max-age={A_YEAR}, immutable" if sentence else "private, no-cache"
    if not request.if_none_match.contains(response.get_etag()[0] or ""):
        response.set_data(draw_page(view, query.scale, shelf, call.parts.draw))
    response.make_conditional(request)
    return response


def _tag(view: PageView, query: PageQuery) -> str:
    return fingerprint(view.key.version, str(view.page_index), query.sentence or "", str(query.scale))


evidence_topic = Topic("Evidence")


@evidence_topic.operation("GET", "/evidence/{sentence}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def evidence(call: Call, sentence: str) -> Passage:
    """A sentence of any collection with its neighbours, its paragraph, its address, and pictures of its pages."""
    collection, passage = find_anywhere(call.caller.school, SentenceId(sentence), call.parts.shelves.values())
    return Passage.model_validate(linked(passage_json(passage) | place_of(passage.sentence), collection))
