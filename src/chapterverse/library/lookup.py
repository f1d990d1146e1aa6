"""What stands at an address: a sentence in its surroundings, a page with the sentence's boxes.

Parsed paragraphs as mark-up: below their headings, and beside them where each page of the PDF begins."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from markupsafe import escape

from chapterverse.core.book import BookId, Box, Collection, Kind, Place, Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Passage
from chapterverse.library.artefacts import joined, source_name
from chapterverse.library.html.html import HtmlHeading
from chapterverse.library.html.typeset import heading_tag
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook, opened, passage
from chapterverse.library.services import CollectionServices, Drawing, PageDrawer


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the version that is searched, and what is lit on it."""

    key: VersionKey
    page_index: int
    lit: tuple[Box, ...] = ()


def find_passage(school: str, id: SentenceId, services: CollectionServices) -> Passage:
    """The sentence where it stands, as the teacher corrected it. Raises NotFound."""
    book = _book_of(school, id, services)
    return passage(services.text_of(book.key), id, book)


def find_anywhere(school: str, id: SentenceId, shelves: Iterable[CollectionServices]) -> tuple[Collection, Passage]:
    """The same on the first of the shelves that has it: a file on two of them has the same sentences there. Raises NotFound."""
    for services in shelves:
        with suppress(NotFound):
            return services.collection, find_passage(school, id, services)
    raise NotFound("no_such_sentence")


def find_page(
    school: str, book: BookId, page_index: int, sentence: SentenceId | None, services: CollectionServices
) -> PageView:
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


def draw_page(view: PageView, scale: float, services: CollectionServices, draw: PageDrawer) -> bytes:
    """PNG of the page, scale pixels a point. Raises NotFound, TooLarge, BadBook."""
    [drawn] = draw_pages(view.key, [view], scale, services, draw)
    if isinstance(drawn, bytes):
        return drawn
    raise drawn


def draw_pages(
    key: VersionKey, views: Iterable[PageView], scale: float, services: CollectionServices, draw: PageDrawer
) -> list[Drawing]:
    """Pages of one version, in the order given. Raises NotFound."""
    return draw(services.bucket.read(source_name(key)), [(view.page_index, view.lit) for view in views], scale)


def _book_of(school: str, id: SentenceId, services: CollectionServices) -> OpenBook:
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


MOST = 400  # paragraphs that are shown at once: some eighty pages, half a megabyte of mark-up


@dataclass(frozen=True, slots=True)
class ReadingParagraph:
    """A paragraph. place: of its first page, None for what has no pages."""

    id: str
    text: str
    kind: Kind
    headings: tuple[str, ...]
    place: Place | None


def in_stretches(sentences: Iterable[Sentence]) -> list[list[ReadingParagraph]]:
    """Their paragraphs in reading order, at most MOST in each; one stretch, though it be empty, at least."""
    groups = groupby(sentences, key=lambda sentence: sentence.address.paragraph_id)
    paragraphs = [_shown(list(of_one)) for _, of_one in groups]
    return [paragraphs[at : at + MOST] for at in range(0, len(paragraphs), MOST)] or [[]]


def set_paragraphs(
    paragraphs: Sequence[ReadingParagraph], page: Callable[[int], str], page_name: Callable[[str], str]
) -> tuple[str, tuple[HtmlHeading, ...]]:
    """The mark-up, and the headings in it. page: the address of a page's picture, page_name: what it is called."""
    headings: list[HtmlHeading] = []
    parts: list[str] = []
    above: tuple[str, ...] = ()
    index = None
    for each in paragraphs:
        if each.kind is Kind.SENTENCE:
            new = list(_new_headings(above, each))
            above = each.headings
            headings += new
            parts += map(heading_tag, new)
        if each.place and each.place.page_index != index:
            index = each.place.page_index
            name = page_name(each.place.page_label)
            parts.append(f'<a class="folio" href="{escape(page(index))}">{escape(name)}</a>')
        kind = "passage" if each.kind is Kind.SENTENCE else f"passage {each.kind.value}"
        parts.append(f'<p class="{kind}" id="{escape(each.id)}">{escape(each.text)}</p>')
    return "\n".join(parts), tuple(headings)


def _new_headings(above: tuple[str, ...], paragraph: ReadingParagraph) -> Iterator[HtmlHeading]:
    """Those that begin here."""
    same = next((n for n, pair in enumerate(zip(above, paragraph.headings, strict=False)) if pair[0] != pair[1]), None)
    first = min(len(above), len(paragraph.headings)) if same is None else same
    for depth in range(first, len(paragraph.headings)):
        yield HtmlHeading(min(depth + 2, 6), paragraph.headings[depth], f"at-{paragraph.id}-{depth}")


def _shown(sentences: list[Sentence]) -> ReadingParagraph:
    address = sentences[0].address
    place = address.places[0] if address.places else None
    return ReadingParagraph(address.paragraph_id, joined(sentences), sentences[0].kind, address.section_path, place)
