"""The school's textbooks (S4): handed in, watched, corrected, removed, and read."""

from http import HTTPStatus

from flask import Response

from chapterverse.model import BookId, Collection, KeyScope
from chapterverse.usecases.reading import contents_of, picture_of, read_part
from chapterverse.web import document_schemas
from chapterverse.web import reading_schemas as schemas
from chapterverse.web.handed_in import CORRECTING, EVENTS, REMOVING, SHOWING, TAKING, HandedIn, form_of
from chapterverse.web.links import reading_addresses
from chapterverse.web.operations import Call, Topic
from chapterverse.web.schemas import CorrectionPatch

topic = Topic("Textbooks")

PICTURE = {"image/*": {"type": "string", "format": "binary"}}
A_DAY = 24 * 3600
ALONE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # a picture that is opened by itself runs nothing, SVG neither


@topic.operation("POST", "/textbooks", KeyScope.TEACHER, *TAKING, success=HTTPStatus.ACCEPTED, takes=form_of())
def new_textbook(call: Call, body: document_schemas.DocumentRequest | None = None) -> document_schemas.DocumentAccepted:
    """Hand in a textbook: as a form with the file (a PDF, a zip of a folder of pages, one page), or by its name alone, to be
    sent then to the address that is answered. One of the same name is replaced when it is read and indexed."""
    return _handed_in(call).announced(body.file_name) if body else _handed_in(call).received()


@topic.operation("GET", "/textbooks", KeyScope.STUDENT)
def textbooks(call: Call) -> document_schemas.Documents:
    """All textbooks, by title, and how far each has come."""
    return _handed_in(call).listed()


@topic.operation("GET", "/textbooks/{textbook}", KeyScope.STUDENT, *SHOWING)
def textbook(call: Call, textbook: str) -> document_schemas.Document:
    """One textbook: how far it has come, and if it could not be read, why."""
    return _handed_in(call).document(textbook)


@topic.operation("GET", "/textbooks/{textbook}/events", KeyScope.STUDENT, *SHOWING, media=EVENTS)
def textbook_events(call: Call, textbook: str) -> Response:
    """The same, as it happens: an event for each change, until it is ready or has failed; five minutes at most."""
    return _handed_in(call).watched(textbook)


@topic.operation("PATCH", "/textbooks/{textbook}", KeyScope.TEACHER, *CORRECTING)
def correct_textbook(call: Call, textbook: str, body: CorrectionPatch) -> document_schemas.Document:
    """Correct what it or its chapters are called, or what it is about (`topics`). Kept when it is replaced."""
    return _handed_in(call).corrected(textbook, body)


@topic.operation("DELETE", "/textbooks/{textbook}", KeyScope.TEACHER, *REMOVING, success=HTTPStatus.NO_CONTENT)
def remove_textbook(call: Call, textbook: str) -> None:
    """Forget a textbook and all that was kept of it."""
    _handed_in(call).remove(textbook)


@topic.operation("GET", "/textbooks/{textbook}/chapters", KeyScope.STUDENT, *SHOWING)
def textbook_contents(call: Call, textbook: str) -> schemas.Contents:
    """The chapters of a textbook, in order."""
    found = contents_of(call.caller.school, BookId(textbook), call.parts.shelves[Collection.TEXTBOOK])
    parts = [schemas.Part.model_validate(each) for each in found.parts]
    return schemas.Contents(textbook=found.book.id, title=found.book.title, parts=parts)


@topic.operation("GET", "/textbooks/{textbook}/chapters/{chapter}", KeyScope.STUDENT, *SHOWING)
def textbook_chapter(call: Call, textbook: str, chapter: int, query: schemas.PartQuery) -> schemas.PartText:
    """A chapter as it is read: all of its text, with links to the book's other chapters and pictures."""
    shelf, book = call.parts.shelves[Collection.TEXTBOOK], BookId(textbook)
    contents = contents_of(call.caller.school, book, shelf)
    read = read_part(contents, chapter, query.stretch, reading_addresses(Collection.TEXTBOOK, book), shelf)
    headings = [schemas.HeadingLink.model_validate(each, from_attributes=True) for each in read.headings]
    name = schemas.Part.model_validate(read.part).model_dump()
    return schemas.PartText(**name, html=read.html, headings=headings, stretch=read.stretch, stretches=read.stretches)


@topic.operation("GET", "/pictures/{book}", KeyScope.STUDENT, *SHOWING, media=PICTURE)
def picture(call: Call, book: str, query: schemas.PictureQuery) -> Response:
    """A picture that a folder of pages brought with it."""
    type_, data = picture_of(call.caller.school, BookId(book), query.name, call.parts.shelves[query.collection])
    kept = {"Cache-Control": f"private, max-age={A_DAY}", "Content-Security-Policy": ALONE, "X-Content-Type-Options": "nosniff"}
    return Response(data, headers=kept, content_type=type_)


def _handed_in(call: Call) -> HandedIn:
    return HandedIn(call, Collection.TEXTBOOK, "/textbooks")
