"""Reading a source chapter by chapter; each passage has the id that citations name.

A page of a folder is typeset from its uploaded file (html/html.py). If that fails, and for PDFs, the parsed paragraphs are
shown below their headings, with links to the pages of the PDF."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from markupsafe import escape

from bookreader.errors import BadFile
from bookreader.html.files import file_named
from bookreader.html.html import HtmlHeading, PageLinks, Typeset, heading_tag, typeset
from bookreader.html.site import PICTURES, Folder, Unreadable, leads_away, site_in, source_html, stands_in_itself
from chapterverse.core.book import BookId, Chapter, Kind, SentenceId, paragraph_id
from chapterverse.core.errors import NotFound
from chapterverse.library.artefacts import BookText, source_name
from chapterverse.library.corrections import corrected, corrected_book, corrected_chapter
from chapterverse.library.model import BookVersion, CatalogBook
from chapterverse.library.scope import ReadingParagraph, in_stretches
from chapterverse.library.services import CollectionServices

MAX_PICTURE_BYTES = 10 * 2**20
OTHERWISE = Typeset("", (), -1)  # a page that is shown by its parsed paragraphs instead

HEADING = "at-{anchor}"
"""The id of a heading; our pages have no other ids like it."""


@dataclass(frozen=True, slots=True)
class ReadingUrls:
    """URLs for a reader. part: of a chapter by its number; picture: of the folder's picture by its name; page: of a PDF page by
    its index from 0; page_name: a page's name from its label."""

    part: Callable[[int], str]
    picture: Callable[[str], str]
    page: Callable[[int], str]
    page_name: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class ReadingPart:
    """A chapter in the contents. number: from 1; 0 for text before the first chapter. title: may be empty. file: of a folder's
    page; None for a chapter of a PDF."""

    number: int
    title: str
    module: str
    file: str | None = None


@dataclass(frozen=True, slots=True)
class SourceContents:
    """The chapters of the active version."""

    book: CatalogBook
    active: BookVersion
    parts: tuple[ReadingPart, ...]


@dataclass(frozen=True, slots=True)
class ReadingPage:
    """One chapter, or one stretch of a long chapter, counted from 1. html: sanitized. headings: their anchors are ids in
    html."""

    contents: SourceContents
    part: ReadingPart
    html: str
    headings: tuple[HtmlHeading, ...]
    stretch: int
    stretches: int


@dataclass(frozen=True, slots=True)
class ReadingPosition:
    """Where a sentence is read: chapter, stretch, and the id of its passage."""

    part: int
    stretch: int
    passage: str


def contents_of(school: str, book: BookId, services: CollectionServices) -> SourceContents:
    """The chapters with corrected titles. Raises NotFound, also if no version is active."""
    source = services.catalog.book(school, book)
    if source.active is None:
        raise NotFound("not_ready_to_read")
    text = services.text_of(source.active.key)
    before = [Chapter(-1, None, None)] if any(True for _ in text.chapter(-1)) else []
    parts = [part_of(corrected_chapter(each, source.corrections)) for each in (*before, *text.head.chapters)]
    return SourceContents(corrected_book(source), source.active, tuple(parts))


def part_of(chapter: Chapter) -> ReadingPart:
    """The chapter as the contents list it."""
    name = f"{chapter.number}. {chapter.title}" if chapter.number and chapter.title else chapter.name
    return ReadingPart(chapter.index + 1, name or "", chapter.module or "", chapter.file)


def read_part(
    contents: SourceContents, number: int, stretch: int, addresses: ReadingUrls, services: CollectionServices
) -> ReadingPage:
    """A chapter, or one stretch of it. Raises NotFound, BucketUnavailable."""
    part = next((each for each in contents.parts if each.number == number), None)
    if part is None:
        raise NotFound("no_such_chapter")
    if page := typeset_page(contents, part, addresses, services):
        return ReadingPage(contents, part, page.html, page.headings, 1, 1)
    all_stretches = stretches_of(contents, part, services)
    if not 1 <= stretch <= len(all_stretches):
        raise NotFound("no_such_part_of_chapter", parts=len(all_stretches))
    html, headings = set_paragraphs(all_stretches[stretch - 1], addresses.page, addresses.page_name)
    return ReadingPage(contents, part, html, headings, stretch, len(all_stretches))


def where_is(school: str, book: BookId, id: SentenceId, services: CollectionServices) -> ReadingPosition:
    """Where a sentence is read. Raises NotFound if it is not in the active version."""
    contents = contents_of(school, book, services)
    address = services.text_of(contents.active.key).sentence(id).address
    part = next(each for each in contents.parts if each.number == address.chapter.index + 1)
    if part.file is not None:
        return ReadingPosition(part.number, 1, address.paragraph_id)
    all_stretches = stretches_of(contents, part, services)
    at = next(n for n, each in enumerate(all_stretches, start=1) if any(one.id == address.paragraph_id for one in each))
    return ReadingPosition(part.number, at, address.paragraph_id)


def picture_of(school: str, book: BookId, name: str, services: CollectionServices) -> tuple[str, bytes]:
    """Media type and bytes of a picture of the folder. name: path from the folder's top. Raises NotFound, BucketUnavailable."""
    active = services.catalog.book(school, book).active
    type_ = PICTURES.get(PurePosixPath(name).suffix.lower())
    data = file_named(services.bucket.read(source_name(active.key)), name, MAX_PICTURE_BYTES) if active and type_ else None
    if data is None or type_ is None:
        raise NotFound("no_such_picture")
    return type_, data


def stretches_of(contents: SourceContents, part: ReadingPart, services: CollectionServices) -> list[list[ReadingParagraph]]:
    """The chapter's parsed paragraphs with corrections, in stretches."""
    sentences = services.text_of(contents.active.key).chapter(part.number - 1)
    return in_stretches(corrected(each, contents.book.corrections) for each in sentences)


def typeset_page(
    contents: SourceContents, part: ReadingPart, addresses: ReadingUrls, services: CollectionServices
) -> Typeset | None:
    """The page typeset from its file; None for a PDF or if the file no longer gives the parsed passages. Cached: versions do
    not change."""
    if part.file is None:
        return None
    made = partial(_as_parsed, contents, part, part.file, addresses, services)
    page = services.recent.get(("typeset", contents.active.key, part.number), made)
    return None if page is OTHERWISE else page


def _as_parsed(
    contents: SourceContents, part: ReadingPart, file: str, addresses: ReadingUrls, services: CollectionServices
) -> Typeset:
    """The typeset page; OTHERWISE if its passages are not those parsed, by whose numbers citations find them."""
    page, text = _typeset(contents, part, file, addresses, services), services.text_of(contents.active.key)
    parsed = {sentence.address.paragraph for sentence in text.chapter(part.number - 1)}
    return page if page.passages == len(parsed) else OTHERWISE


def _typeset(
    contents: SourceContents, part: ReadingPart, file: str, addresses: ReadingUrls, services: CollectionServices
) -> Typeset:
    """The typeset page; without any passage if it cannot be read."""
    text, version = services.text_of(contents.active.key), contents.active.key.version
    try:
        data = services.bucket.read(source_name(contents.active.key))
        site, names = site_in(data)
        html = source_html(data, site.root + file, site)
    except (Unreadable, BadFile):
        return Typeset("", (), 0)
    numbers = {each.file: each.number for each in contents.parts if each.file}
    folder = Folder(numbers, urls_of(text, contents.parts), set(names), site.root)
    url = next((url for url, number in folder.urls.items() if number == part.number), "")

    def link(href: str) -> str | None:
        if (found := folder.page_at(href, file, url)) is None:
            return leads_away(href)
        number, anchor = found
        below = f"#{HEADING.format(anchor=anchor)}" if anchor else ""
        return below if number is None else addresses.part(number) + below

    def picture(src: str) -> str | None:
        name = folder.picture_at(src, file)
        return addresses.picture(name) if name else src if stands_in_itself(src) else None

    passage = partial(paragraph_id, version, part.number)
    return typeset(html, PageLinks(link, picture, passage, lambda anchor: HEADING.format(anchor=anchor)))


def urls_of(text: BookText, parts: Iterable[ReadingPart]) -> dict[str, int]:
    """Numbers of chapters by the URLs of their pages on the site."""
    first = ((next(text.chapter(each.number - 1), None), each.number) for each in parts if each.file)
    return {(one.address.url or "").partition("#")[0].rstrip("/"): number for one, number in first if one}


def set_paragraphs(
    paragraphs: Sequence[ReadingParagraph], page: Callable[[int], str], page_name: Callable[[str], str]
) -> tuple[str, tuple[HtmlHeading, ...]]:
    """The paragraphs as HTML, and their headings. page: URL of a page's picture; page_name: a page's name from its label."""
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
    """The headings that begin at this paragraph."""
    same = next((n for n, pair in enumerate(zip(above, paragraph.headings, strict=False)) if pair[0] != pair[1]), None)
    first = min(len(above), len(paragraph.headings)) if same is None else same
    for depth in range(first, len(paragraph.headings)):
        yield HtmlHeading(min(depth + 2, 6), paragraph.headings[depth], f"at-{paragraph.id}-{depth}")
