"""HTTP routes of the viewer: small pictures of pages, and a book's file with highlights."""

from dataclasses import dataclass
from threading import Lock
from urllib.parse import quote

from flask import Response
from pydantic import BaseModel, ConfigDict, Field

from bookreader.drawing import PageDrawer
from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.errors import BadRequest, ChapterverseError, reader_errors_as_ours
from chapterverse.library.api import ONE_YEAR, PNG, CollectionView
from chapterverse.library.artefacts import source_name
from chapterverse.library.lookup import PageView, draw_pages, find_page
from chapterverse.library.model import VersionKey
from chapterverse.library.schemas import Name
from chapterverse.library.services import CollectionServices
from chapterverse.library.viewer.text import boxes_by_page, view_book
from chapterverse.web.operations import ApiTopic, Call

PDF = "application/pdf"
BINARY = {"type": "string", "format": "binary"}
SMALL = 0.3  # pixels a point: A4 is 178 pixels wide
BLOCK = 12  # pages drawn at once: a reader scrolls through them
MAX_HIGHLIGHTS = 200
topic = ApiTopic("Viewer")
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


@topic.operation(
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


@topic.operation(
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
