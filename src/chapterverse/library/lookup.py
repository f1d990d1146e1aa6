"""What stands at an address: a sentence in its passage, a picture of a page, a chapter's paragraphs as HTML."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from bookreader.drawing import PageDrawer
from bookreader.errors import ReaderError
from chapterverse.core.book import BookId, Box, Collection, Kind, Place, Sentence, SentenceId
from chapterverse.core.errors import ChapterverseError, NotFound, of_reader
from chapterverse.core.hits import Passage
from chapterverse.library.artefacts import joined, source_name
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook, opened, passage
from chapterverse.library.services import CollectionServices


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the active version, and the boxes highlighted on it."""

    key: VersionKey
    page_index: int
    highlighted: tuple[Box, ...] = ()


def find_passage(school: str, id: SentenceId, services: CollectionServices) -> Passage:
    """The sentence in its passage, with the teacher's corrections. Raises NotFound."""
    book = _book_of(school, id, services)
    return passage(services.text_of(book.key), id, book)


def find_anywhere(school: str, id: SentenceId, collections: Iterable[CollectionServices]) -> tuple[Collection, Passage]:
    """The sentence's passage and the first collection that has it; a file in two collections has the same sentences. Raises
    NotFound."""
    for services in collections:
        with suppress(NotFound):
            return services.collection, find_passage(school, id, services)
    raise NotFound("no_such_sentence")


def find_page(
    school: str, book: BookId, page_index: int, sentence: SentenceId | None, services: CollectionServices
) -> PageView:
    """The page to draw, with the sentence's boxes if one is given. Raises NotFound."""
    active = services.catalog.book(school, book).active
    if active is None or active.report is None:
        raise NotFound("book_has_no_page_yet")
    if not 0 <= page_index < active.report.pages:
        raise NotFound("no_page_of_index", index=page_index, pages=active.report.pages)
    if sentence is None:
        return PageView(active.key, page_index)
    found = services.text_of(active.key).sentence(sentence)
    return PageView(active.key, page_index, _boxes_on(page_index, found))


def draw_page(view: PageView, scale: float, services: CollectionServices, draw: PageDrawer) -> bytes:
    """PNG of the page, scale pixels a point. Raises NotFound, TooLarge, BadBook."""
    [picture] = draw_pages(view.key, [view], scale, services, draw)
    if isinstance(picture, bytes):
        return picture
    raise picture


def draw_pages(
    key: VersionKey, views: Iterable[PageView], scale: float, services: CollectionServices, draw: PageDrawer
) -> list[bytes | ChapterverseError]:
    """Pages of one version, in the order given. Raises NotFound."""
    drawings = draw(services.bucket.read(source_name(key)), [(view.page_index, view.highlighted) for view in views], scale)
    return [of_reader(each) if isinstance(each, ReaderError) else each for each in drawings]


def _book_of(school: str, id: SentenceId, services: CollectionServices) -> OpenBook:
    """The school's book with the sentence: its id begins with the version."""
    version = id.partition("-")[0]
    for book in services.catalog.books(school):
        if book.active and book.active.key.version == version:
            return opened(book, book.active)
    raise NotFound("no_such_sentence")


def _boxes_on(page_index: int, sentence: Sentence) -> tuple[Box, ...]:
    boxes = tuple(box for place in sentence.address.places if place.page_index == page_index for box in place.boxes)
    if not boxes:
        pages = ", ".join(str(place.page_index) for place in sentence.address.places)
        raise NotFound("sentence_not_on_page", pages=pages)
    return boxes


MAX_PARAGRAPHS = 400  # in a stretch: about eighty pages, half a megabyte of HTML


@dataclass(frozen=True, slots=True)
class ReadingParagraph:
    """A paragraph as it is read. place: of its first page; None without pages."""

    id: str
    text: str
    kind: Kind
    headings: tuple[str, ...]
    place: Place | None


def in_stretches(sentences: Iterable[Sentence]) -> list[list[ReadingParagraph]]:
    """The paragraphs in reading order, in stretches of at most MAX_PARAGRAPHS; at least one stretch, which may be empty."""
    groups = groupby(sentences, key=lambda sentence: sentence.address.paragraph_id)
    paragraphs = [_paragraph_of(list(of_one)) for _, of_one in groups]
    return [paragraphs[at : at + MAX_PARAGRAPHS] for at in range(0, len(paragraphs), MAX_PARAGRAPHS)] or [[]]


def _paragraph_of(sentences: list[Sentence]) -> ReadingParagraph:
    address = sentences[0].address
    place = address.places[0] if address.places else None
    return ReadingParagraph(address.paragraph_id, joined(sentences), sentences[0].kind, address.section_path, place)
