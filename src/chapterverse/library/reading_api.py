"""Textbooks as they are read, field by field.

The school's textbooks (S4): handed in, watched, corrected, removed, and read."""

from http import HTTPStatus

from flask import Response
from pydantic import BaseModel, ConfigDict, Field

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.library.reading import contents_of, picture_of, read_part
from chapterverse.library.schemas import CorrectionPatch, Name
from chapterverse.library.uploads_api import CORRECTING, EVENTS, REMOVING, SHOWING, TAKING, HandedIn, form_of
from chapterverse.questions import schemas
from chapterverse.web.operations import Call, Topic, reading_addresses


class Part(BaseModel):
    """A chapter. number: by which it is read; 0 for what stands before the first; title: empty where it has none; module: what
    the folder is about that it is in, empty for none."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    title: str
    module: str


class Contents(BaseModel):
    """All chapters in order."""

    textbook: str
    title: str
    parts: list[Part]


class HeadingLink(BaseModel):
    """level: from 2 on, as it is in the mark-up; anchor: its id there, null where it has none."""

    model_config = ConfigDict(from_attributes=True)

    level: int
    text: str
    anchor: str | None


class PartText(Part):
    """A chapter, or a stretch of a long one. html: harmless mark-up; each passage in it has as id the paragraph_id by which
    citations name it."""

    html: str
    headings: list[HeadingLink]
    stretch: int
    stretches: int


class PartQuery(BaseModel):
    """Which stretch of a long chapter."""

    model_config = ConfigDict(frozen=True)

    stretch: int = Field(1, ge=1, le=10_000)


class PictureQuery(BaseModel):
    """Which picture: its name in the folder, from the top."""

    model_config = ConfigDict(frozen=True)

    name: Name
    collection: Collection = Field(Collection.TEXTBOOK, description="Where the folder is.")


topic = Topic("Textbooks")

PICTURE = {"image/*": {"type": "string", "format": "binary"}}

A_DAY = 24 * 3600

ALONE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # a picture that is opened by itself runs nothing, SVG neither


@topic.operation("POST", "/textbooks", KeyScope.TEACHER, *TAKING, success=HTTPStatus.ACCEPTED, takes=form_of())
def new_textbook(call: Call, body: schemas.DocumentRequest | None = None) -> schemas.DocumentAccepted:
    """Hand in a textbook: as a form with the file (a PDF, a zip of a folder of pages, one page), or by its name alone, to be
    sent then to the address that is answered. One of the same name is replaced when it is read and indexed."""
    return _handed_in(call).announced(body.file_name) if body else _handed_in(call).received()


@topic.operation("GET", "/textbooks", KeyScope.STUDENT)
def textbooks(call: Call) -> schemas.Documents:
    """All textbooks, by title, and how far each has come."""
    return _handed_in(call).listed()


@topic.operation("GET", "/textbooks/{textbook}", KeyScope.STUDENT, *SHOWING)
def textbook(call: Call, textbook: str) -> schemas.Document:
    """One textbook: how far it has come, and if it could not be read, why."""
    return _handed_in(call).document(textbook)


@topic.operation("GET", "/textbooks/{textbook}/events", KeyScope.STUDENT, *SHOWING, media=EVENTS)
def textbook_events(call: Call, textbook: str) -> Response:
    """The same, as it happens: an event for each change, until it is ready or has failed; five minutes at most."""
    return _handed_in(call).watched(textbook)


@topic.operation("PATCH", "/textbooks/{textbook}", KeyScope.TEACHER, *CORRECTING)
def correct_textbook(call: Call, textbook: str, body: CorrectionPatch) -> schemas.Document:
    """Correct what it or its chapters are called, or what it is about (`topics`). Kept when it is replaced."""
    return _handed_in(call).corrected(textbook, body)


@topic.operation("DELETE", "/textbooks/{textbook}", KeyScope.TEACHER, *REMOVING, success=HTTPStatus.NO_CONTENT)
def remove_textbook(call: Call, textbook: str) -> None:
    """Forget a textbook and all that was kept of it."""
    _handed_in(call).remove(textbook)


@topic.operation("GET", "/textbooks/{textbook}/chapters", KeyScope.STUDENT, *SHOWING)
def textbook_contents(call: Call, textbook: str) -> Contents:
    """The chapters of a textbook, in order."""
    found = contents_of(call.caller.school, BookId(textbook), call.parts.shelves[Collection.TEXTBOOK])
    parts = [Part.model_validate(each) for each in found.parts]
    return Contents(textbook=found.book.id, title=found.book.title, parts=parts)


@topic.operation("GET", "/textbooks/{textbook}/chapters/{chapter}", KeyScope.STUDENT, *SHOWING)
def textbook_chapter(call: Call, textbook: str, chapter: int, query: PartQuery) -> PartText:
    """A chapter as it is read: all of its text, with links to the book's other chapters and pictures."""
    shelf, book = call.parts.shelves[Collection.TEXTBOOK], BookId(textbook)
    contents = contents_of(call.caller.school, book, shelf)
    read = read_part(contents, chapter, query.stretch, reading_addresses(Collection.TEXTBOOK, book), shelf)
    headings = [HeadingLink.model_validate(each, from_attributes=True) for each in read.headings]
    name = Part.model_validate(read.part).model_dump()
    return PartText(**name, html=read.html, headings=headings, stretch=read.stretch, stretches=read.stretches)


@topic.operation("GET", "/pictures/{book}", KeyScope.STUDENT, *SHOWING, media=PICTURE)
def picture(call: Call, book: str, query: PictureQuery) -> Response:
    """A picture that a folder of pages brought with it."""
    type_, data = picture_of(call.caller.school, BookId(book), query.name, call.parts.shelves[query.collection])
    kept = {"Cache-Control": f"private, max-age={A_DAY}", "Content-Security-Policy": ALONE, "X-Content-Type-Options": "nosniff"}
    return Response(data, headers=kept, content_type=type_)


def _handed_in(call: Call) -> HandedIn:
    return HandedIn(call, Collection.TEXTBOOK, "/textbooks")
