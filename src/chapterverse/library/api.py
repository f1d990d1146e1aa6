"""HTTP routes for the sources of all collections, their chapters, pages and sentences; for the viewer; and for the library,
which shows every source once, with the applications that it serves.

A use is a collection that searches the file. Sources of several collections with the same id and file name are one source of
the library; the first collection that has it, in the order of Collection, is its home: corrections and pages are read there."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from io import BytesIO
from pathlib import PurePath
from threading import Lock
from typing import IO, Annotated, Any
from urllib.parse import quote, urlencode

from flask import Response, request
from pydantic import Field

from bookreader.drawing import PageDrawer
from bookreader.html.files import PAGE_ENDINGS, File, pack
from bookreader.html.site import MAX_PAGE_BYTES
from bookreader.source import version_of
from bookreader.text.entries import LONGEST_DEPARTMENT
from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope
from chapterverse.citations.records import place_of
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.errors import BadRequest, ChangedMeanwhile, ChapterverseError, Forbidden, NotFound, TooLarge
from chapterverse.core.names import department_of, fingerprint, in_department
from chapterverse.core.requests import PREFIX, Request
from chapterverse.library import schemas
from chapterverse.library.artefacts import source_name
from chapterverse.library.corrections import correct_book, corrected_chapter
from chapterverse.library.intake import current_file, remove_everywhere, stored_files, use_in, uses_of
from chapterverse.library.model import ENDINGS, CatalogBook, Corrections, VersionState, folder_of, parts_of
from chapterverse.library.reading import picture_of, view_book
from chapterverse.library.schemas import Name
from chapterverse.library.scope import PageView, draw_pages, find_page, find_passage
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.versions import ENDED, book_id_of, book_of, receive_task, remove_book
from chapterverse.web.operations import ApiTopic, Call

TEACHERS_ONLY = (Collection.HELPDESK,)  # students see departments, not the sources behind the answers
SOURCES = "/collections/{collection}/sources"
SOURCE = f"{SOURCES}/{{source}}"
FORM = "multipart/form-data"
FILE_FIELD = {"type": "string", "format": "binary", "description": "The file, with its name."}
DEPARTMENT_FIELD = {"type": "string", "maxLength": LONGEST_DEPARTMENT, "description": "Of the help desk; empty: all of them."}
topic = ApiTopic("Sources")


class AddQuery(Request):
    """Options of a new source."""

    replace: bool = Field(False, strict=False, description="Also a source of the same name that is another file's.")


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

    def announce(self, file_name: str, department: str | None = None, *, replacing: bool) -> schemas.SourceAccepted:
        """Accept a source whose file will be sent to the answered address. Raises BadRequest for its name, ChangedMeanwhile."""
        name = self._name(file_name, department)
        id = self._id_of(name, None, replacing=replacing)
        seconds, intake = self.call.context.limits.upload_url_seconds, self.call.context.intake
        url, headers = intake.uploads.upload_url(self.folder + name, seconds, intake.limits.bytes)
        expires = self.call.context.now() + timedelta(seconds=seconds)
        upload = schemas.UploadAddress(url=url, headers=dict(headers), expires=expires)
        return self.accepted(id).model_copy(update={"upload": upload})

    def receive(self, *, replacing: bool) -> schemas.SourceAccepted:
        """Store the form's file, for the form's department, and queue its task. Raises BadRequest, TooLarge,
        ChangedMeanwhile."""
        files, intake = self.call.context.files, self.call.context.intake
        if files is None:
            raise BadRequest("files_go_to_bucket")
        sent = sent_file(intake.limits.bytes)
        file_name, file = as_source(*sent) if ".zip" in ENDINGS[self.collection] else sent
        name = self._name(file_name, department_in_form())
        id = self._id_of(name, file, replacing=replacing)
        intake.queue.add(receive_task(files.write(self.folder + name, file), self.call.caller.id))
        return self.accepted(id)

    def _id_of(self, name: str, file: IO[bytes] | None, *, replacing: bool) -> BookId:
        """The id of the source that a file of that name is, or becomes. Raises ChangedMeanwhile if there is another file's,
        unless that is replaced. file: None, not known yet."""
        intake, books = self.intake, self.intake.services.catalog.books(self.call.school)
        id, stored = book_of(name, books), current_file(self.folder + name, intake)
        book = next((each for each in books if each.id == id), None)
        if replacing or not (book or stored):
            return id
        there = schemas.SourceResponse.of(book) if book else _waiting(id, name)
        if there.state is VersionState.FAILED and there.version is None:
            return id
        if file:
            data = file.read()
            file.seek(0)
            if version_of(data) == there.version:
                return id
            with suppress(NotFound, TooLarge):  # or the bytes of an EPUB, of which a version is the PDF
                if stored and data == intake.uploads.read(stored, intake.limits.bytes):
                    return id
        added = (there.created or self.call.context.now()).date().isoformat()
        raise ChangedMeanwhile("source_of_that_name", title=there.title, name=there.file, added=added)

    def sources(self) -> "list[FoundSource]":
        """All sources, by title, and then those whose file is stored but not read yet."""
        books, kind = self.intake.services.catalog.books(self.call.school), self.collection
        names = {name for _, name in stored_files(self.call.school, self.intake)} - {book.file_name for book in books}
        waiting = [FoundSource(kind, _waiting(book_of(name, books), name)) for name in sorted(names)]
        return [FoundSource(kind, schemas.SourceResponse.of(book), book) for book in books] + waiting

    def show(self, id: str) -> schemas.SourceResponse:
        """The source, also if its file is stored but not read yet. Raises NotFound."""
        try:
            return schemas.SourceResponse.of(self.intake.services.catalog.book(self.call.school, BookId(id)))
        except NotFound:
            if name := self.waiting_name(id):
                return _waiting(id, name)
            raise

    def waiting_name(self, id: str) -> str | None:
        """Name of the stored file whose source will have that id; None if there is none."""
        books = self.intake.services.catalog.books(self.call.school)
        stored = stored_files(self.call.school, self.intake)
        return next((name for _, name in stored if id.startswith(book_id_of(name)) and book_of(name, books) == id), None)

    @property
    def folder(self) -> str:
        """Prefix of the names of its files."""
        return folder_of(self.call.school, self.collection)

    def _name(self, file_name: str, department: str | None) -> str:
        if department and self.collection is not Collection.HELPDESK:
            raise BadRequest("department_of_helpdesk_only")
        if not file_name.lower().endswith(ENDINGS[self.collection]):
            raise BadRequest("wrong_kind_of_file", name=file_name, endings=", ".join(ENDINGS[self.collection]))
        name = in_department(file_name, department)
        parts_of(self.folder + name)
        return name

    def accepted(self, source: BookId) -> schemas.SourceAccepted:
        """The addresses of a source that will be read."""
        at = PREFIX + SOURCE.format(collection=self.collection, source=source)
        return schemas.SourceAccepted(source=source, progress=at)


@topic.operation("GET", SOURCES, KeyScope.STUDENT, field="sources")
def sources(call: Call, collection: Collection) -> list[schemas.SourceResponse]:
    """All sources of a collection, by title, with their states. Those of the help desk are for teachers."""
    return [each.source for each in CollectionView.of(call, collection).sources()]


@topic.operation("POST", SOURCES, KeyScope.TEACHER, success=HTTPStatus.ACCEPTED, takes=form_of(department=DEPARTMENT_FIELD))
def add_source(
    call: Call, collection: Collection, query: AddQuery, body: schemas.SourceRequest | None = None
) -> schemas.SourceAccepted:
    """Add a source: as a form with the file or, where files go to a bucket, by its file name, to be sent then to the answered
    upload address. It is read and indexed in the background; when that is done it replaces the source of the same name (and
    department). Where there is one of another file, nothing is stored, unless `replace` is set."""
    view = CollectionView.of(call, collection)
    if body:
        return view.announce(body.file_name, body.department, replacing=query.replace)
    return view.receive(replacing=query.replace)


@topic.operation("GET", SOURCE, KeyScope.STUDENT)
def source(call: Call, collection: Collection, source: str) -> schemas.SourceDetails:
    """One source: its state, what was recognized in its file, its topics and corrections."""
    view = CollectionView.of(call, collection)
    if book := view.services.catalog.find(call.school, BookId(source)):
        return details_of(book, view.services)
    nothing = Corrections()
    return schemas.SourceDetails(**view.show(source).model_dump(), report=None, chapters=[], corrections=nothing, versions=[])


@topic.operation("PATCH", SOURCE, KeyScope.TEACHER)
def correct_source(call: Call, collection: Collection, source: str, body: schemas.CorrectionPatch) -> schemas.SourceDetails:
    """Correct the title, authors, topics, chapter titles or page numbers. Corrections stay when the file is replaced, and hold
    in every collection that uses it."""
    view, school, id = CollectionView.of(call, collection), call.school, BookId(source)
    book = correct_book(school, id, body.applied_to, view.services)
    for each in uses_of(book, view.intake):
        correct_book(school, id, body.applied_to, call.context.collections[each])
    return details_of(book, view.services)


@topic.operation("DELETE", SOURCE, KeyScope.TEACHER)
def remove_source(call: Call, collection: Collection, source: str) -> None:
    """Remove a source, its file and all data made from it, from all its uses; also one that is not read yet."""
    view = CollectionView.of(call, collection)
    try:
        remove_everywhere(call.school, BookId(source), view.intake)
    except NotFound:
        if not (name := view.waiting_name(source)):
            raise
        view.intake.uploads.delete(view.folder + name)


def _waiting(id: str, name: str) -> schemas.SourceResponse:
    """The source of a stored file that is not read yet."""
    file, department = PurePath(name).name, department_of(name)
    known: dict[str, Any] = {"source": id, "title": file, "authors": [], "file": file, "department": department, "topics": []}
    unknown = dict.fromkeys(("created", "progress", "reason", "message", "version", "chunks"))
    return schemas.SourceResponse(**known, **unknown, state=VersionState.WAITING)


def details_of(book: CatalogBook, services: CollectionServices) -> schemas.SourceDetails:
    """The source with the report, chapters, corrections and versions of its file. Raises NotFound, BucketUnavailable."""
    chapters = services.text_of(book.active.key).head.chapters if book.active else ()
    return schemas.SourceDetails.of(
        book,
        report=schemas.BookReport.of(book),
        chapters=[corrected_chapter(each, book.corrections) for each in chapters],
        corrections=book.corrections,
        versions=[schemas.Version.of(each, book) for each in book.versions],
    )


pages_topic = ApiTopic("Pages")
PNG = "image/png"
BINARY = {"type": "string", "format": "binary"}
OfSource = Annotated[Collection, Field(description="The collection of the source.")]
ONE_YEAR = 365 * 24 * 3600
ONE_DAY = timedelta(days=1)
SANDBOXED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # a picture opened by itself, SVG too, runs no script


@pages_topic.operation("GET", "/pages/{book}/{index}.png", KeyScope.STUDENT, media={PNG: BINARY})
def page(
    call: Call,
    book: str,
    index: int,
    *,
    sentence: Name | None = None,
    collection: OfSource = Collection.BOOKS,
    scale: Annotated[float, Field(ge=0.5, le=4.0, allow_inf_nan=False, description="Pixels a point; 1 is 72 dpi.")] = 2.0,
) -> Response:
    """A picture of a page, optionally with a sentence highlighted. index counts from 0. With a sentence the picture never
    changes; without one it is of the version that is searched now."""
    services = call.context.collections[collection]
    view = find_page(call.school, BookId(book), index, SentenceId(sentence) if sentence else None, services)
    response = Response(content_type=PNG)
    response.set_etag(fingerprint(view.key.version, str(view.page_index), sentence or "", str(scale)))
    response.headers["Cache-Control"] = f"private, max-age={ONE_YEAR}, immutable" if sentence else "private, no-cache"
    if not request.if_none_match.contains(response.get_etag()[0] or ""):
        [picture] = draw_pages(view.key, [view], scale, services, call.context.draw)
        response.set_data(_rendered(picture))
    response.make_conditional(request)
    return response


@pages_topic.operation("GET", "/pictures/{book}", KeyScope.STUDENT, media={"image/*": BINARY})
def picture(call: Call, book: str, *, name: Name, collection: OfSource = Collection.TEXTBOOK) -> Response:
    """A picture from a folder of pages. name: its path in the folder."""
    type_, data = picture_of(call.school, BookId(book), name, call.context.collections[collection])
    headers = {
        "Cache-Control": f"private, max-age={ONE_DAY.total_seconds():.0f}",
        "Content-Security-Policy": SANDBOXED,
        "X-Content-Type-Options": "nosniff",
    }
    return Response(data, headers=headers, content_type=type_)


evidence_topic = ApiTopic("Evidence")


@evidence_topic.operation("GET", "/evidence/{sentence}", KeyScope.STUDENT)
def evidence(call: Call, sentence: str) -> schemas.PassageResponse:
    """A sentence of any collection with its neighbours, its paragraph, its address, and pictures of its pages."""
    found = find_passage(call.school, SentenceId(sentence), *call.context.collections.values())
    return schemas.PassageResponse.of_passage(found, **place_of(found))


PDF = "application/pdf"
SMALL = 0.3  # pixels a point: A4 is 178 pixels wide
BLOCK = 12  # pages drawn at once: a reader scrolls through them
viewer_topic = ApiTopic("Viewer")
_ONE_AT_A_TIME = Lock()  # a browser asks for several of a block at once; drawing should leave the other cores to people


@viewer_topic.operation("GET", "/pages/{book}/{index}/thumbnail.png", KeyScope.STUDENT, media={PNG: BINARY})
def thumbnail(
    call: Call, book: str, index: int, *, collection: OfSource = Collection.BOOKS, version: Name | None = None
) -> Response:
    """A small picture of a page; index counts from 0. The first page serves as the cover. version: the one that is expected;
    with it, browsers may store the picture."""
    services = CollectionView.of(call, collection).services
    view = find_page(call.school, BookId(book), index, None, services)
    picture = small_page(view, services, call.context.draw)
    fresh = version == view.key.version
    response = Response(picture, content_type=PNG)
    response.headers["Cache-Control"] = f"private, max-age={ONE_YEAR}, immutable" if fresh else "private, no-cache"
    return response


def small_page(view: PageView, services: CollectionServices, draw: PageDrawer) -> bytes:
    """The small picture of a page. The cover is drawn alone, other pages with their neighbours. Raises TooLarge, BadBook."""
    key, index = view.key, view.page_index
    first = (index - 1) // BLOCK * BLOCK + 1 if index else 0
    block = range(first, min(first + BLOCK, view.pages) if index else 1)

    def render() -> list[bytes | ChapterverseError]:
        return draw_pages(key, [replace(view, page_index=each) for each in block], SMALL, services, draw)

    def bytes_of(pictures: list[bytes | ChapterverseError]) -> int:
        return sum(len(each) for each in pictures if isinstance(each, bytes))

    name = ("thumbnails", key, first)
    pictures = services.recent.find(name)
    if pictures is None:
        with _ONE_AT_A_TIME:
            pictures = services.recent.get(name, render, bytes_of)
    return _rendered(pictures[index - first])


def _rendered(picture: bytes | ChapterverseError) -> bytes:
    """The picture. Raises the error in its place."""
    if isinstance(picture, ChapterverseError):
        raise picture
    return picture


@viewer_topic.operation("GET", "/collections/{collection}/sources/{source}/file", KeyScope.STUDENT, media={PDF: BINARY})
def source_file(call: Call, collection: Collection, source: str) -> Response:
    """The PDF of a book. An e-book is given as the PDF made from it."""
    services = CollectionView.of(call, collection).services
    viewed = view_book(call.school, BookId(source), services)
    data = services.bucket.read(source_name(viewed.key))
    name = f"{viewed.book.title}.pdf"
    headers = {
        "Content-Disposition": f"attachment; filename=\"book.pdf\"; filename*=UTF-8''{quote(name, safe='')}",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(data, headers=headers, content_type=PDF)


WITH_PAGES = (".pdf", ".epub")  # a list of questions or a zip of web pages has none
Uses = Annotated[list[Collection], Field(min_length=1, max_length=len(Collection))]
library_topic = ApiTopic("Library")


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source in one collection. book: None before its file is read."""

    collection: Collection
    source: schemas.SourceResponse
    book: CatalogBook | None = None

    def is_same(self, other: "FoundSource") -> bool:
        """Whether both are of one file."""
        return bool(self.book and other.book and self.book.is_same(other.book))


class LibrarySource(schemas.SourceResponse):
    """A source of the library. collection: its home; uses: the state of its newest version in each collection that has it;
    offered: the uses that its file fits; cover: address of the picture of its first page, null before it is read or for web
    pages."""

    collection: Collection
    uses: dict[Collection, VersionState | None]
    offered: list[Collection]
    cover: str | None


@library_topic.operation("GET", "/library", KeyScope.STUDENT, field="sources")
def library(call: Call) -> list[LibrarySource]:
    """Every file of the school once, by title, with its uses. Those of the help desk alone are for teachers; its
    approved answers are no file."""
    groups: list[list[FoundSource]] = []
    teacher = as_wide(call.caller.role, KeyScope.TEACHER)
    for collection in (each for each in call.context.collections if teacher or each not in TEACHERS_ONLY):
        found = CollectionView.of(call, collection).sources()
        for one in (each for each in found if each.source.file.lower().endswith(ENDINGS[collection])):
            same = next((group for group in groups if any(map(one.is_same, group))), None)
            if same is None:
                groups.append([one])
            else:
                same.append(one)
    return sorted(map(_one_of, groups), key=lambda source: (source.title.casefold(), source.source))


@library_topic.operation("PUT", "/collections/{collection}/sources/{source}/uses", KeyScope.TEACHER)
def set_uses(call: Call, collection: Collection, source: str, *, uses: Uses) -> LibrarySource:
    """Choose the applications that a source serves, at least one. The file is not uploaded or read again; a use is ready when
    it is indexed, in the background. What is taken back is removed there. The source has to be ready in this collection."""
    intake, school = call.context.intake.of(collection), call.school
    with intake.services.catalog.claim(school, source):  # nobody removes or replaces it meanwhile
        book = intake.services.catalog.book(school, BookId(source))
        if book.active is None:
            raise NotFound("not_ready_to_read")
        named, had = set(uses), {collection, *uses_of(book, intake)}
        for each in sorted(named - had, key=list(Collection).index):
            use_in(each, book, book.active.key, intake)
    for each in sorted(had - named, key=list(Collection).index):
        remove_book(school, book.id, intake.of(each).services, intake.uploads)
    left = [FoundSource(each, CollectionView.of(call, each).show(source)) for each in Collection if each in named]
    return _one_of(left)


def _one_of(found: Sequence[FoundSource]) -> LibrarySource:
    """The source that these are, one in each collection; its state is that of the first that is not ready, else the home's."""
    in_order = sorted(found, key=lambda one: list(Collection).index(one.collection))
    home = next((one for one in in_order if one.source.version), in_order[0])
    own = home.source
    telling = next((one.source for one in in_order if one.source.state not in (*ENDED, None)), own)
    progress = {name: getattr(telling, name) for name in schemas.PROGRESS_FIELDS}
    fits = [each for each in Collection if own.file.lower().endswith(ENDINGS[each])] if own.department is None else []
    return LibrarySource(
        **own.model_dump() | progress,
        collection=home.collection,
        uses={one.collection: one.source.state for one in in_order},
        offered=fits,
        cover=_cover(home.collection, own),
    )


def _cover(collection: Collection, source: schemas.SourceResponse) -> str | None:
    if not source.version or not source.file.lower().endswith(WITH_PAGES):
        return None
    query = urlencode({"collection": collection.value, "version": source.version})
    return f"{PREFIX}/pages/{quote(source.source, safe='')}/0/thumbnail.png?{query}"
