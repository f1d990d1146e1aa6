"""Pages of the site for sources: the teachers' list of books and one book, the viewer of a book page by page, and the reader
for textbooks and documents."""

import json
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlencode

from flask import Response, request
from markupsafe import Markup

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.book import BookId, Collection, Sentence, SentenceId
from chapterverse.core.errors import Forbidden, NotFound
from chapterverse.core.requests import PREFIX, READERS, picture_address, reader_address, viewer_address
from chapterverse.library import reading
from chapterverse.library.api import TEACHERS_ONLY
from chapterverse.library.api import source as source_details
from chapterverse.library.corrections import corrected
from chapterverse.library.scope import find_passage
from chapterverse.library.services import CollectionServices
from chapterverse.web.context import AppContext
from chapterverse.web.frame import Pages, page, see_other
from chapterverse.web.language import Language, spoken
from chapterverse.web.operations import answer_to

pages = Pages()


@pages.offer("GET", "/books", KeyScope.TEACHER)
def books(who: Person, context: AppContext) -> Response:
    """The list of books."""
    return page("books", "Books", who, direct_upload=context.files is not None)


@pages.offer("GET", "/books/<book>", KeyScope.TEACHER)
def book(who: Person, context: AppContext, book: str) -> Response:
    """One book."""
    collection = _wanted_collection(book)
    at, picture = partial(viewer_address, collection, book), partial(picture_address, collection, book)
    reader = f"{READERS[collection]}/{quote(book, safe='')}" if collection in READERS else ""
    found = answer_to(who, context, source_details, collection, book)
    shown: dict[str, Any] = {"collection": collection.value, "at": at, "picture": picture, "reader": reader}
    return page("book", "Book", who, book=found, direct_upload=context.files is not None, **shown)


@dataclass(frozen=True, slots=True)
class Opened:
    """A book at a page, as the viewer shows it. sentence: the highlighted one. texts: of the page, and of the next one if the
    sentence goes on there."""

    collection: Collection
    viewed: reading.ViewedBook
    texts: tuple[reading.PageText, ...]
    sentence: Sentence | None

    @property
    def page_index(self) -> int:
        """The first page."""
        return self.texts[0].page_index

    def address(self, page_index: int, sentence: str | None = None) -> str:
        """The address of a page of this book."""
        return viewer_address(self.collection, self.viewed.book.id, page_index, sentence)

    def picture(self, text: reading.PageText) -> str:
        """The address of a page's picture, with the sentence highlighted if it is on the page."""
        book, index = self.viewed.book.id, text.page_index
        if self.sentence and any(place.page_index == index for place in self.sentence.address.places):
            return f"{picture_address(self.collection, book, self.sentence.id, index)}&scale={SCALE}"
        query = urlencode({"collection": self.collection.value, "scale": SCALE})
        return f"{picture_address(self.collection, book, '', index).partition('?')[0]}?{query}"


SCALE = 2  # pixels a point: sharp on a laptop
MAX_WORDS = 200  # characters that are looked for in a book


@pages.offer("GET", "/sentences/<sentence>")
def sentence(who: Person, context: AppContext, sentence: str) -> Response:
    """Redirect to where the sentence can be read."""
    collections = [services for each, services in context.collections.items() if _may_see(who, each)]
    found = find_passage(who.school, SentenceId(sentence), *collections)
    collection, address = found.collection, found.sentence.address
    if address.places:
        return see_other(viewer_address(collection, address.book, address.places[0].page_index, found.sentence.id))
    if collection not in READERS:
        raise NotFound("no_pages_to_view")
    return see_other(f"{READERS[collection]}/{address.book}?{urlencode({'sentence': sentence})}")


@pages.offer("GET", "/books/<book>/<int:number>")
def view(who: Person, context: AppContext, book: str, number: int) -> Response:
    """A page of a book, for all who may see the book."""
    collection = _wanted_collection(book)
    if not _may_see(who, collection):
        raise Forbidden("teachers_only")
    services = context.collections[collection]
    viewed = reading.view_book(who.school, BookId(book), services)
    opened = _opened_at(viewed, collection, number - 1, request.args.get("sentence"), services)
    here, last, words = opened.page_index, opened.texts[-1].page_index, request.args.get("find", "")[:MAX_WORDS]
    at = f"{PREFIX}/collections/{collection}/sources/{viewed.book.id}"
    return page(
        "viewer",
        viewed.book.title,
        who,
        opened=opened,
        viewed=viewed,
        labels=json.dumps(viewed.labels, ensure_ascii=False),
        before=opened.address(here - 1) if here else None,
        after=opened.address(last + 1) if last + 1 < viewed.pages else None,
        chapter=viewed.chapter_at(last),
        file=f"{at}/file",
        source=at,
        words=words,
        hits=reading.find_in_book(words, viewed, services) if words.strip() else None,
        may_correct=as_wide(who.role, KeyScope.TEACHER),
        scale=SCALE,
    )


def _wanted_collection(book: str) -> Collection:
    """The collection in the query, by default that of the essays' books. Raises NotFound."""
    try:
        return Collection(request.args.get("collection", Collection.BOOKS.value))
    except ValueError:
        raise NotFound("no_such_book", book=book) from None


def _may_see(who: Person, collection: Collection) -> bool:
    return collection not in TEACHERS_ONLY or as_wide(who.role, KeyScope.TEACHER)


def _opened_at(
    viewed: reading.ViewedBook, collection: Collection, page_index: int, sentence: str | None, services: CollectionServices
) -> Opened:
    """The book at a page, with the next page if the sentence goes on there. Raises NotFound."""
    found = services.text_of(viewed.key).sentence(SentenceId(sentence)) if sentence else None
    found = found and corrected(found, viewed.book.corrections)
    both = {place.page_index for place in found.address.places} if found else set()
    pages = sorted({page_index, *both} & {page_index, page_index + 1}) if page_index in both else [page_index]
    return Opened(collection, viewed, tuple(reading.page_text(viewed, each, services) for each in pages), found)


def opened(who: Person, context: AppContext, source: str, collection: Collection) -> Response:
    """Redirect to the sentence in the query, else to the first chapter."""
    services = context.collections[collection]
    if id := request.args.get("sentence"):
        number, stretch, passage = reading.where_is(who.school, BookId(source), SentenceId(id), services)
        return see_other(reader_address(collection, source, number, stretch) + f"#{passage}")
    contents = reading.contents_of(who.school, BookId(source), services)
    if not contents.parts:
        raise NotFound("nothing_to_read")
    return see_other(reader_address(collection, source, contents.parts[0].number))


def part(who: Person, context: AppContext, source: str, number: int, collection: Collection) -> Response:
    """A part of a textbook or document, a stretch at a time."""
    services, name = context.collections[collection], partial(_page_name, spoken())
    stretch = request.args.get("stretch", 1, type=int)
    read = reading.read_part(reading.contents_of(who.school, BookId(source), services), number, stretch, name, services)
    book, parts = read.contents.book, read.contents.parts
    before, after = _neighbours(read)
    return page(
        "reader",
        read.part.title or book.title,
        who,
        max_characters=context.limits.question_characters,
        address=partial(reader_address, collection, source),
        read=read,
        html=Markup(read.html),  # noqa: S704  # sanitized, or ours
        modules=[(module, list(of_it)) for module, of_it in groupby(parts, key=lambda part: part.module)],
        collection=collection.value,
        chat=collection is Collection.TEXTBOOK,
        before=before,
        after=after,
    )


for _collection, _path in READERS.items():
    pages.offer("GET", f"{_path}/<source>")(partial(opened, collection=_collection))
    pages.offer("GET", f"{_path}/<source>/<int:number>")(partial(part, collection=_collection))


def _page_name(say: Language, label: str) -> str:
    return say("Page {label}", label=label) if label else say("View Page")


def _neighbours(
    read: reading.ReadingPage,
) -> tuple[tuple[reading.ReadingPart, int] | None, tuple[reading.ReadingPart, int] | None]:
    """What comes before and after what is read, as a part and a stretch of it; None at the ends."""
    parts = read.contents.parts
    here = parts.index(read.part)
    before = (read.part, read.stretch - 1) if read.stretch > 1 else (parts[here - 1], 1) if here else None
    after = (read.part, read.stretch + 1) if read.stretch < read.stretches else None
    return before, after or ((parts[here + 1], 1) if here + 1 < len(parts) else None)
