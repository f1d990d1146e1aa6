"""HTTP routes for the sources of all collections, their chapters, pages and sentences; and for the viewer."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from io import BytesIO
from pathlib import PurePath
from threading import Lock
from time import monotonic, sleep
from typing import IO, Any
from urllib.parse import quote

from flask import Response, request
from pydantic import BaseModel, ConfigDict, Field

from bookreader.drawing import PageDrawer
from bookreader.html.files import PAGE_ENDINGS, File, pack
from bookreader.html.site import MAX_PAGE_BYTES
from bookreader.text.entries import LONGEST_DEPARTMENT
from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.errors import (
    BadRequest,
    ChapterverseError,
    Forbidden,
    NotFound,
    TooLarge,
    reader_errors_as_ours,
)
from chapterverse.core.names import department_of, fingerprint, in_department
from chapterverse.library import schemas
from chapterverse.library.artefacts import source_name
from chapterverse.library.corrections import chapters_of, correct_book
from chapterverse.library.intake import remove_everywhere, uses_of
from chapterverse.library.model import CatalogBook, Corrections, VersionKey, VersionState
from chapterverse.library.reading import contents_of, picture_of, read_part
from chapterverse.library.schemas import Name
from chapterverse.library.scope import PageView, draw_page, draw_pages, find_anywhere, find_page
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.tasks import receive_task
from chapterverse.library.uploads import ENDINGS, collection_of, folder_of, parts_of
from chapterverse.library.versions import ENDED, book_of, list_books, show_book
from chapterverse.library.view import boxes_by_page, view_book
from chapterverse.web import sse
from chapterverse.web.operations import ApiTopic, Call
from chapterverse.web.schemas import PREFIX, READERS, reading_addresses

ADD_ERRORS = (errors.BucketUnavailable, errors.QueueUnavailable)
SHOW_ERRORS = (errors.NotFound, errors.BucketUnavailable)
CORRECT_ERRORS = (errors.NotFound, errors.NotInBook, errors.BookBusy, errors.BucketUnavailable)
REMOVE_ERRORS = (errors.NotFound, errors.BookBusy, errors.IndexUnavailable, errors.BucketUnavailable)
EVENTS = {sse.MEDIA_TYPE: {"description": "`progress` events, each with the source; the last one when it is ready or failed."}}
MAX_WATCH_SECONDS = 300.0
POLL_SECONDS = 0.5
TEACHERS_ONLY = (Collection.HELPDESK,)  # students see departments, not the sources behind the answers
SOURCES = "/collections/{collection}/sources"
SOURCE = f"{SOURCES}/{{source}}"
FORM = "multipart/form-data"
FILE_FIELD = {"type": "string", "format": "binary", "description": "The file, with its name."}
DEPARTMENT_FIELD = {"type": "string", "maxLength": LONGEST_DEPARTMENT, "description": "Of the help desk; empty: all of them."}
topic = ApiTopic("Sources")


def form_of(**fields: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The schema of a form with a file and these fields, for requests that take one instead of JSON."""
    return {FORM: {"type": "object", "required": ["file"], "properties": {"file": FILE_FIELD, **fields}}}


def sent_file(max_bytes: int) -> tuple[str, IO[bytes]]:
    """Name of the form's file, and what gives its content, which is on disk if it is large. Raises BadRequest, TooLarge."""
    request.max_content_length = max_bytes
    sent = request.files.get("file")
    if sent is None:
        raise BadRequest("form_without_file")
    return PurePath((sent.filename or "").replace("\\", "/")).name, sent.stream


def department_in_form() -> str | None:
    """The form's department on one line; None if empty. Raises BadRequest."""
    department = " ".join(request.form.get("department", "").split())
    if len(department) > LONGEST_DEPARTMENT or not department.isprintable():
        raise BadRequest("department_too_long", max_characters=LONGEST_DEPARTMENT)
    return department or None


def as_source(name: str, file: IO[bytes]) -> tuple[str, IO[bytes]]:
    """The file as a source: a single page becomes a zip of a folder with that page. Raises TooLarge for such a page."""
    if not name.lower().endswith(PAGE_ENDINGS):
        return name, file
    page = file.read(MAX_PAGE_BYTES + 1)
    if len(page) > MAX_PAGE_BYTES:
        raise TooLarge("file_too_large", name=name, max_bytes=MAX_PAGE_BYTES)
    return f"{PurePath(name).stem}.zip", BytesIO(pack([File(name, page)]))


@dataclass(frozen=True, slots=True)
class CollectionView:
    """One collection as the caller of a request sees it."""

    call: Call
    collection: Collection

    @classmethod
    def of(cls, call: Call, collection: Collection) -> "CollectionView":
        """Raises Forbidden for a student where the sources are for teachers only."""
        if collection in TEACHERS_ONLY and not as_wide(call.caller.role, KeyScope.TEACHER):
            raise Forbidden("scope_too_narrow", needed=KeyScope.TEACHER, scope=call.caller.role)
        return cls(call, collection)

    @property
    def intake(self) -> Intake:
        """The collection's intake, for bulk work."""
        return self.call.context.intake.of(self.collection)

    @property
    def services(self) -> CollectionServices:
        """The collection's services, for requests that a person waits for."""
        return self.call.context.collections[self.collection]

    def announce(self, file_name: str, department: str | None = None) -> schemas.SourceAccepted:
        """Accept a source whose file will be sent to the answered address. Raises BadRequest for its name."""
        name = self._name(file_name, department)
        return self.accepted(self.id_of(name)).model_copy(update={"upload": self.upload_address(name)})

    def receive(self) -> schemas.SourceAccepted:
        """Store the form's file, for the form's department, and queue its task. Raises BadRequest, TooLarge."""
        files, intake = self.call.context.files, self.call.context.intake
        if files is None:
            raise BadRequest("files_go_to_bucket")
        sent = sent_file(intake.limits.bytes)
        file_name, file = as_source(*sent) if ".zip" in ENDINGS[self.collection] else sent
        name = self._name(file_name, department_in_form())
        intake.queue.add(receive_task(files.write(self._folder + name, file), self.call.caller.id))
        return self.accepted(self.id_of(name))

    def upload_address(self, name: str) -> schemas.UploadAddress:
        """A signed URL for a file of that name."""
        seconds = self.call.context.limits.upload_url_seconds
        intake = self.call.context.intake
        url, headers = intake.uploads.upload_url(self._folder + name, seconds, intake.limits.bytes)
        expires = self.call.context.now() + timedelta(seconds=seconds)
        return schemas.UploadAddress(url=url, headers=dict(headers), expires=expires)

    def id_of(self, file_name: str) -> BookId:
        """The id of the source that a file of that name is, or becomes."""
        return book_of(file_name, self.intake.services.catalog.books(self.call.caller.school))

    def sources(self) -> list[schemas.SourceResponse]:
        """All sources, by title, and then those whose file is stored but not read yet."""
        books = list_books(self.call.caller.school, self.intake.services)
        known = {book.file_name for book in books}
        waiting = [_waiting(book_of(name, books), name) for name in self._stored_names() if name not in known]
        return [schemas.SourceResponse.of(book) for book in books] + waiting

    def show(self, id: str) -> schemas.SourceResponse:
        """The source, also if its file is stored but not read yet. Raises NotFound."""
        try:
            return schemas.SourceResponse.of(show_book(self.call.caller.school, BookId(id), self.intake.services))
        except NotFound:
            if name := self._waiting_name(id):
                return _waiting(id, name)
            raise

    def details(self, id: str) -> schemas.SourceDetails:
        """The source with what was recognized in it. Raises NotFound, BucketUnavailable."""
        try:
            book = show_book(self.call.caller.school, BookId(id), self.services)
        except NotFound:
            waiting = self.show(id)
            nothing = Corrections()
            return schemas.SourceDetails(**waiting.model_dump(), report=None, chapters=[], corrections=nothing, versions=[])
        return details_of(book, self.services)

    def watch(self, id: str) -> Response:
        """A stream of the source: at once, and after each change until it is ready or failed."""
        return sse.as_stream(self.changes(id))

    def changes(self, id: str) -> Iterator[tuple[str, schemas.SourceResponse]]:
        """The source as `progress`, at once and after each change, until it is ready or failed. Raises NotFound."""
        until, last = monotonic() + MAX_WATCH_SECONDS, None
        while monotonic() < until:
            now = self.show(id)
            if now != last:
                yield "progress", now
            if now.state in ENDED:
                return
            last = now
            sleep(POLL_SECONDS)

    def correct(self, id: str, patch: schemas.CorrectionPatch) -> CatalogBook:
        """The source with its corrections, which hold in every collection that uses its file."""
        school, book = self.call.caller.school, BookId(id)
        source = correct_book(school, book, patch.applied_to, self.services)
        for each in uses_of(source, self.intake):
            correct_book(school, book, patch.applied_to, self.call.context.collections[each])
        return source

    def remove(self, id: str) -> None:
        """Remove the source from all its uses, and its file, also one that is not read yet."""
        try:
            remove_everywhere(self.call.caller.school, BookId(id), self.intake)
        except NotFound:
            if not (name := self._waiting_name(id)):
                raise
            self.intake.uploads.delete(self._folder + name)

    def _stored_names(self) -> Iterator[str]:
        """Names of this collection's stored files below its folder."""
        for file in self.call.context.intake.uploads.files(self._folder):
            with suppress(BadRequest):
                if collection_of(file.name) is self.collection:
                    yield parts_of(file.name)[1]

    def _waiting_name(self, id: str) -> str | None:
        """Name of the stored file whose source will have that id; None if there is none."""
        books = self.intake.services.catalog.books(self.call.caller.school)
        return next((name for name in self._stored_names() if book_of(name, books) == id), None)

    @property
    def _folder(self) -> str:
        return folder_of(self.call.caller.school, self.collection)

    def _name(self, file_name: str, department: str | None) -> str:
        if department and self.collection is not Collection.HELPDESK:
            raise BadRequest("department_of_helpdesk_only")
        if not file_name.lower().endswith(ENDINGS[self.collection]):
            raise BadRequest("wrong_kind_of_file", name=file_name, endings=", ".join(ENDINGS[self.collection]))
        name = in_department(file_name, department)
        parts_of(self._folder + name)
        return name

    def accepted(self, source: BookId) -> schemas.SourceAccepted:
        """The addresses of a source that will be read."""
        at = PREFIX + SOURCE.format(collection=self.collection, source=source)
        return schemas.SourceAccepted(source=source, progress=at, events=f"{at}/events")


@topic.operation("GET", SOURCES, KeyScope.STUDENT)
def sources(call: Call, collection: Collection) -> schemas.SourcesResponse:
    """All sources of a collection, by title, with their states. Those of the help desk are for teachers."""
    return schemas.SourcesResponse(sources=CollectionView.of(call, collection).sources())


@topic.operation(
    "POST",
    SOURCES,
    KeyScope.TEACHER,
    errors.BadRequest,
    *ADD_ERRORS,
    success=HTTPStatus.ACCEPTED,
    takes=form_of(department=DEPARTMENT_FIELD),
)
def add_source(call: Call, collection: Collection, body: schemas.SourceRequest | None = None) -> schemas.SourceAccepted:
    """Add a source: as a form with the file or, where files go to a bucket, by its file name, to be sent then to the answered
    upload address. It is read and indexed in the background; when that is done it replaces the source of the same name (and
    department)."""
    view = CollectionView.of(call, collection)
    return view.announce(body.file_name, body.department) if body else view.receive()


@topic.operation("GET", SOURCE, KeyScope.STUDENT, *SHOW_ERRORS)
def source(call: Call, collection: Collection, source: str) -> schemas.SourceDetails:
    """One source: its state, what was recognized in its file, its topics and corrections."""
    return CollectionView.of(call, collection).details(source)


@topic.operation("GET", f"{SOURCE}/events", KeyScope.STUDENT, *SHOW_ERRORS, media=EVENTS)
def source_events(call: Call, collection: Collection, source: str) -> Response:
    """The state of one source as it changes: an event for each change until it is ready or failed, for five minutes at most."""
    return CollectionView.of(call, collection).watch(source)


@topic.operation("PATCH", SOURCE, KeyScope.TEACHER, *CORRECT_ERRORS)
def correct_source(call: Call, collection: Collection, source: str, body: schemas.CorrectionPatch) -> schemas.SourceDetails:
    """Correct the title, authors, topics, chapter titles or page numbers. Corrections stay when the file is replaced."""
    view = CollectionView.of(call, collection)
    return details_of(view.correct(source, body), view.services)


@topic.operation("DELETE", SOURCE, KeyScope.TEACHER, *REMOVE_ERRORS, success=HTTPStatus.NO_CONTENT)
def remove_source(call: Call, collection: Collection, source: str) -> None:
    """Remove a source, its file and all data made from it."""
    CollectionView.of(call, collection).remove(source)


@topic.operation("GET", f"{SOURCE}/chapters", KeyScope.STUDENT, *SHOW_ERRORS)
def source_chapters(call: Call, collection: Collection, source: str) -> schemas.ContentsResponse:
    """The chapters of a textbook or document, in order."""
    contents = contents_of(call.caller.school, BookId(source), _readable(call, collection))
    parts = [schemas.PartResponse.model_validate(part) for part in contents.parts]
    return schemas.ContentsResponse(source=contents.book.id, title=contents.book.title, parts=parts)


@topic.operation("GET", f"{SOURCE}/chapters/{{chapter}}", KeyScope.STUDENT, *SHOW_ERRORS)
def source_chapter(call: Call, collection: Collection, source: str, chapter: int, query: schemas.PartQuery) -> schemas.PartText:
    """The text of a chapter, with links to other chapters and to pictures."""
    services, book = _readable(call, collection), BookId(source)
    contents = contents_of(call.caller.school, book, services)
    read = read_part(contents, chapter, query.stretch, reading_addresses(collection, book), services)
    part = schemas.PartResponse.model_validate(read.part).model_dump()
    return schemas.PartText(**part, html=read.html, headings=read.headings, stretch=read.stretch, stretches=read.stretches)


def _readable(call: Call, collection: Collection) -> CollectionServices:
    if collection not in READERS:
        raise NotFound("nothing_to_read")
    return CollectionView.of(call, collection).services


def _waiting(id: str, name: str) -> schemas.SourceResponse:
    """The source of a stored file that is not read yet."""
    file, department = PurePath(name).name, department_of(name)
    known: dict[str, Any] = {"source": id, "title": file, "authors": [], "file": file, "department": department, "topics": []}
    unknown = dict.fromkeys(("created", "progress", "reason", "message", "version", "chunks"))
    return schemas.SourceResponse.model_validate({**known, **unknown, "state": VersionState.WAITING})


def details_of(book: CatalogBook, services: CollectionServices) -> schemas.SourceDetails:
    """The source with the report, chapters, corrections and versions of its file. Raises NotFound, BucketUnavailable."""
    chapters = chapters_of(book, services)
    return schemas.SourceDetails.of(
        book,
        report=schemas.BookReport.of(book),
        chapters=[schemas.SourceChapter.model_validate(chapter, from_attributes=True) for chapter in chapters],
        corrections=book.corrections,
        versions=[schemas.Version.of(each, book) for each in book.versions],
    )


pages_topic = ApiTopic("Pages")
PNG = "image/png"
PICTURE = {"image/*": {"type": "string", "format": "binary"}}
ONE_YEAR = 365 * 24 * 3600
ONE_DAY = timedelta(days=1)
SANDBOXED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # a picture opened by itself, SVG too, runs no script


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
def page(call: Call, book: str, index: int, query: schemas.PageQuery) -> Response:
    """A picture of a page, optionally with a sentence highlighted. index counts from 0. With a sentence the picture never
    changes; without one it is of the version that is searched now."""
    sentence = SentenceId(query.sentence) if query.sentence else None
    services = call.context.collections[query.collection]
    view = find_page(call.caller.school, BookId(book), index, sentence, services)
    response = Response(content_type=PNG)
    response.set_etag(fingerprint(view.key.version, str(view.page_index), query.sentence or "", str(query.scale)))
    response.headers["Cache-Control"] = f"private, max-age={ONE_YEAR}, immutable" if sentence else "private, no-cache"
    if not request.if_none_match.contains(response.get_etag()[0] or ""):
        response.set_data(draw_page(view, query.scale, services, call.context.draw))
    response.make_conditional(request)
    return response


@pages_topic.operation("GET", "/pictures/{book}", KeyScope.STUDENT, *SHOW_ERRORS, media=PICTURE)
def picture(call: Call, book: str, query: schemas.PictureQuery) -> Response:
    """A picture from a folder of pages."""
    type_, data = picture_of(call.caller.school, BookId(book), query.name, call.context.collections[query.collection])
    headers = {
        "Cache-Control": f"private, max-age={ONE_DAY.total_seconds():.0f}",
        "Content-Security-Policy": SANDBOXED,
        "X-Content-Type-Options": "nosniff",
    }
    return Response(data, headers=headers, content_type=type_)


evidence_topic = ApiTopic("Evidence")


@evidence_topic.operation("GET", "/evidence/{sentence}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def evidence(call: Call, sentence: str) -> schemas.PassageResponse:
    """A sentence of any collection with its neighbours, its paragraph, its address, and pictures of its pages."""
    collection, passage = find_anywhere(call.caller.school, SentenceId(sentence), call.context.collections.values())
    return schemas.PassageResponse.of(passage, collection)


PDF = "application/pdf"
BINARY = {"type": "string", "format": "binary"}
SMALL = 0.3  # pixels a point: A4 is 178 pixels wide
BLOCK = 12  # pages drawn at once: a reader scrolls through them
MAX_HIGHLIGHTS = 200
viewer_topic = ApiTopic("Viewer")
_ONE_AT_A_TIME = Lock()  # a browser asks for several of a block at once; drawing should leave the other cores to people


class SmallQuery(BaseModel):
    """Which page: `version` makes the address that of an unchanging picture."""

    model_config = ConfigDict(frozen=True)

    collection: Collection = Field(Collection.BOOKS, description="The collection of the source.")
    version: Name | None = Field(None, description="The version that is expected; with it, browsers may store the picture.")


class HighlightQuery(BaseModel):
    """Which sentences are highlighted."""

    model_config = ConfigDict(frozen=True)

    sentences: str = Field(
        "", max_length=60 * MAX_HIGHLIGHTS, description="Their ids, separated by commas; none: the file as it is."
    )


@dataclass(frozen=True, slots=True)
class SmallPages:
    """Pictures of some pages. nbytes: size in memory."""

    pictures: tuple[bytes | ChapterverseError, ...]

    @property
    def nbytes(self) -> int:
        """Approximate bytes in memory."""
        return sum(len(each) if isinstance(each, bytes) else 0 for each in self.pictures)


@viewer_topic.operation(
    "GET",
    "/pages/{book}/{index}/thumbnail.png",
    KeyScope.STUDENT,
    errors.NotFound,
    errors.TooLarge,
    errors.BadBook,
    errors.BucketUnavailable,
    media={PNG: BINARY},
)
def thumbnail(call: Call, book: str, index: int, query: SmallQuery) -> Response:
    """A small picture of a page; index counts from 0. The first page serves as the cover."""
    services = CollectionView.of(call, query.collection).services
    view = find_page(call.caller.school, BookId(book), index, None, services)
    pages = services.catalog.book(call.caller.school, BookId(book)).active
    last = pages.report.pages if pages and pages.report else index + 1
    picture = small_page(view.key, index, last, services, call.context.draw)
    fresh = query.version == view.key.version
    response = Response(picture, content_type=PNG)
    response.headers["Cache-Control"] = f"private, max-age={ONE_YEAR}, immutable" if fresh else "private, no-cache"
    return response


def small_page(key: VersionKey, index: int, pages: int, services: CollectionServices, draw: PageDrawer) -> bytes:
    """The small picture of a page of `pages`. The cover is drawn alone, other pages with their neighbours. Raises TooLarge,
    BadBook."""
    first = (index - 1) // BLOCK * BLOCK + 1 if index else 0
    block = range(first, min(first + BLOCK, pages) if index else 1)

    def drawn() -> SmallPages:
        views = [PageView(key, each) for each in block]
        return SmallPages(tuple(draw_pages(key, views, SMALL, services, draw)))

    name = ("thumbnails", key, first)
    pages_of_block = services.recent.find(name)
    if pages_of_block is None:
        with _ONE_AT_A_TIME:
            pages_of_block = services.recent.get(name, drawn)
    picture = pages_of_block.pictures[index - first]
    if isinstance(picture, bytes):
        return picture
    raise picture


@viewer_topic.operation(
    "GET",
    "/collections/{collection}/sources/{source}/file",
    KeyScope.STUDENT,
    errors.BadRequest,
    errors.NotFound,
    errors.BadBook,
    errors.BucketUnavailable,
    media={PDF: BINARY},
)
def source_file(call: Call, collection: Collection, source: str, query: HighlightQuery) -> Response:
    """The PDF of a book, with the sentences highlighted as annotations. An e-book is given as the PDF made from it."""
    services = CollectionView.of(call, collection).services
    viewed = view_book(call.caller.school, BookId(source), services)
    sentences = [SentenceId(id) for id in query.sentences.split(",") if id]
    if len(sentences) > MAX_HIGHLIGHTS:
        raise BadRequest("too_many_highlights", max_highlights=MAX_HIGHLIGHTS)
    boxes = boxes_by_page(sentences, viewed, services)
    data = services.bucket.read(source_name(viewed.key))
    name = f"{viewed.book.title}.pdf"
    headers = {
        "Content-Disposition": f"attachment; filename=\"book.pdf\"; filename*=UTF-8''{quote(name, safe='')}",
        "X-Content-Type-Options": "nosniff",
    }
    with reader_errors_as_ours():
        data = call.context.highlight(data, boxes) if boxes else data
    return Response(data, headers=headers, content_type=PDF)
