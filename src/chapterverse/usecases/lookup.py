"""What stands at an address: a sentence in its surroundings, a page with the sentence's boxes."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from chapterverse.errors import NotFound
from chapterverse.evidence.numbering import Passage
from chapterverse.model import BookId, Box, Collection, Sentence, SentenceId, VersionKey
from chapterverse.usecases.artefacts import source_name
from chapterverse.usecases.services import Drawing, PageDrawer, Services
from chapterverse.usecases.shelf import OpenBook, opened, passage


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the version that is searched, and what is lit on it."""

    key: VersionKey
    page_index: int
    lit: tuple[Box, ...] = ()


def find_passage(school: str, id: SentenceId, services: Services) -> Passage:
    """The sentence where it stands, as the teacher corrected it. Raises NotFound."""
    book = _book_of(school, id, services)
    return passage(services.text_of(book.key), id, book)


def find_anywhere(school: str, id: SentenceId, shelves: Iterable[Services]) -> tuple[Collection, Passage]:
    """The same on the first of the shelves that has it: a file on two of them has the same sentences there. Raises NotFound."""
    for services in shelves:
        with suppress(NotFound):
            return services.collection, find_passage(school, id, services)
    raise NotFound("no_such_sentence")


def find_page(school: str, book: BookId, page_index: int, sentence: SentenceId | None, services: Services) -> PageView:
    """The page, to be drawn; with the sentence's boxes on it, where one is named. Raises NotFound."""
    active = services.catalog.book(school, book).active
    if active is None or active.report is None:
        raise NotFound("book_has_no_page_yet")
    if not 0 <= page_index < active.report.pages:
        raise NotFound("no_page_of_index", index=page_index, pages=active.report.pages)
    if sentence is None:
        return PageView(active.key, page_index)
    found = services.text_of(active.key).sentence(sentence)
    return PageView(active.key, page_index, _boxes_on(page_index, found))


def draw_page(view: PageView, scale: float, services: Services, draw: PageDrawer) -> bytes:
    """PNG of the page, scale pixels a point. Raises NotFound, TooLarge, BadBook."""
    [drawn] = draw_pages(view.key, [view], scale, services, draw)
    if isinstance(drawn, bytes):
        return drawn
    raise drawn


def draw_pages(key: VersionKey, views: Iterable[PageView], scale: float, services: Services, draw: PageDrawer) -> list[Drawing]:
    """Pages of one version, in the order given. Raises NotFound."""
    return draw(services.bucket.read(source_name(key)), [(view.page_index, view.lit) for view in views], scale)


def _book_of(school: str, id: SentenceId, services: Services) -> OpenBook:
    """The school's book that has the sentence: ids begin with the version's."""
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
