"""The school's books: how far each has come, what was understood of it, and what a teacher says of it."""

from http import HTTPStatus

from chapterverse import errors
from chapterverse.model import BookId, BookVersion, KeyScope, ShelvedBook
from chapterverse.usecases.books import list_books, remove_with_file, show_book
from chapterverse.usecases.corrections import chapters_of, correct_book
from chapterverse.usecases.progress import progress_of
from chapterverse.web import schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Books")


@topic.operation("GET", "/books", KeyScope.STUDENT)
def books(call: Call) -> schemas.Books:
    """All books, by title, and how far each has come."""
    shelf = list_books(call.caller.school, call.parts.services)
    return schemas.Books(books=[schemas.BookSummary.model_validate(_summary(book)) for book in shelf])


@topic.operation("GET", "/books/{book}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def book(call: Call, book: str) -> schemas.Book:
    """One book: how far it has come, what was understood of it, and its corrections."""
    return _whole(call, show_book(call.caller.school, BookId(book), call.parts.services))


@topic.operation(
    "PATCH", "/books/{book}", KeyScope.TEACHER, errors.NotFound, errors.NotInBook, errors.BookBusy, errors.BucketUnavailable
)
def correct(call: Call, book: str, body: schemas.CorrectionPatch) -> schemas.Book:
    """Correct a book's title, authors, chapter titles or page numbers. Kept when the book is indexed again or replaced."""
    return _whole(call, correct_book(call.caller.school, BookId(book), body.applied_to, call.parts.services))


@topic.operation(
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
