"""What is shown of a source: chapter by chapter in the reader, page by page in the viewer.

Each passage that is read has the id that citations name. A page of a folder is typeset from its uploaded file (html/html.py).
If that fails, and for PDFs, the parsed paragraphs are shown, with links to the pages of the PDF.

The viewer has the outline, printed page numbers, and the text of a page in its place. A sentence has one box a line, so its
words are divided among its lines by estimated width: a line may begin a word too early or too late."""

import json
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby
from operator import attrgetter
from pathlib import PurePosixPath
from urllib.parse import quote, urlencode

from markupsafe import escape

from bookreader.errors import BadFile
from bookreader.html.files import file_named
from bookreader.html.html import OWN_PICTURE, HtmlHeading, PageLinks, Typeset, heading_tag, typeset
from bookreader.html.site import PICTURES, Folder, Unreadable, leads_away, site_in, source_html
from chapterverse.core.book import LINED, BookId, Box, Chapter, Kind, Place, Sentence, SentenceId, paragraph_id
from chapterverse.core.errors import NotFound
from chapterverse.core.requests import PREFIX, reader_address, viewer_address
from chapterverse.library.artefacts import BookText, joined, source_name
from chapterverse.library.chunks import alike
from chapterverse.library.corrections import corrected, corrected_chapter, corrected_label
from chapterverse.library.model import BookVersion, CatalogBook, Corrections, VersionKey
from chapterverse.library.services import CollectionServices

MAX_PICTURE_BYTES = 10 * 2**20
MAX_PARAGRAPHS = 80  # in a stretch: about fifteen pages, forty kilobytes of compressed HTML
OTHERWISE = Typeset("", (), -1)  # a page that is shown by its parsed paragraphs instead

HEADING = "at-{anchor}"
"""The id of a heading; our pages have no other ids like it."""


@dataclass(frozen=True, slots=True)
class ReadingPart:
    """A chapter in the contents. number: its place in addresses, from 1; 0 for text before the first chapter. title: empty if
    it has none; module: the title of the folder that holds it, empty if none. file: of a folder's page; null for a chapter of a
    PDF."""

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
class ReadingParagraph:
    """A paragraph as it is read. place: of its first page; None without pages."""

    id: str
    text: str
    kind: Kind
    headings: tuple[str, ...]
    place: Place | None


def contents_of(school: str, book: BookId, services: CollectionServices) -> SourceContents:
    """The chapters with corrected titles. Raises NotFound, also if no version is active."""
    source = services.catalog.book(school, book)
    if source.active is None:
        raise NotFound("not_ready_to_read")
    text = services.text_of(source.active.key)
    before = [Chapter(-1, None, None)] if any(True for _ in text.chapter(-1)) else []
    parts = [part_of(corrected_chapter(each, source.corrections)) for each in (*before, *text.head.chapters)]
    return SourceContents(source, source.active, tuple(parts))


def part_of(chapter: Chapter) -> ReadingPart:
    """The chapter as the contents list it."""
    name = f"{chapter.number}. {chapter.title}" if chapter.number and chapter.title else chapter.name
    return ReadingPart(chapter.index + 1, name or "", chapter.module or "", chapter.file)


def read_part(
    contents: SourceContents, number: int, stretch: int, page_name: Callable[[str], str], services: CollectionServices
) -> ReadingPage:
    """A chapter, or one stretch of it. page_name: a page's name of its label. Raises NotFound, BucketUnavailable."""
    part = next((each for each in contents.parts if each.number == number), None)
    if part is None:
        raise NotFound("no_such_chapter")
    if page := typeset_page(contents, part, services):
        return ReadingPage(contents, part, page.html, page.headings, 1, 1)
    all_stretches = stretches_of(contents, part, services)
    if not 1 <= stretch <= len(all_stretches):
        raise NotFound("no_such_part_of_chapter", parts=len(all_stretches))
    page_at = partial(viewer_address, services.collection, contents.book.id)
    html, headings = set_paragraphs(all_stretches[stretch - 1], page_at, page_name)
    return ReadingPage(contents, part, html, headings, stretch, len(all_stretches))


def where_is(school: str, book: BookId, id: SentenceId, services: CollectionServices) -> tuple[int, int, str]:
    """Where a sentence is read: chapter, stretch, and id of its passage. Raises NotFound if it is not in the active version."""
    contents = contents_of(school, book, services)
    address = services.text_of(contents.active.key).sentence(id).address
    part = next(each for each in contents.parts if each.number == address.chapter.index + 1)
    if part.file is not None:
        return part.number, 1, address.paragraph_id
    all_stretches = stretches_of(contents, part, services)
    at = next(n for n, each in enumerate(all_stretches, start=1) if any(one.id == address.paragraph_id for one in each))
    return part.number, at, address.paragraph_id


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


def in_stretches(sentences: Iterable[Sentence]) -> list[list[ReadingParagraph]]:
    """The paragraphs in reading order, in stretches of at most MAX_PARAGRAPHS; at least one stretch, which may be empty."""
    groups = groupby(sentences, key=lambda sentence: sentence.address.paragraph_id)
    paragraphs = [_paragraph_of(list(of_one)) for _, of_one in groups]
    return [paragraphs[at : at + MAX_PARAGRAPHS] for at in range(0, len(paragraphs), MAX_PARAGRAPHS)] or [[]]


def _paragraph_of(sentences: list[Sentence]) -> ReadingParagraph:
    address = sentences[0].address
    place = address.places[0] if address.places else None
    return ReadingParagraph(address.paragraph_id, joined(sentences), sentences[0].kind, address.section_path, place)


def typeset_page(contents: SourceContents, part: ReadingPart, services: CollectionServices) -> Typeset | None:
    """The page typeset from its file; None for a PDF, or if its passages are not those parsed, by whose numbers citations find
    them. Cached: versions do not change."""
    key = contents.active.key

    def made() -> Typeset:
        page = _typeset(contents, part, services)
        parsed = {sentence.address.paragraph for sentence in services.text_of(key).chapter(part.number - 1)}
        return page if page.passages == len(parsed) else OTHERWISE

    page = services.recent.get(("typeset", key, part.number), made) if part.file else OTHERWISE
    return None if page is OTHERWISE else page


def _typeset(contents: SourceContents, part: ReadingPart, services: CollectionServices) -> Typeset:
    """The typeset page; without any passage if it cannot be read."""
    key, file, source = contents.active.key, part.file or "", contents.book.id
    try:
        data = services.bucket.read(source_name(key))
        site, names = site_in(data)
        html = source_html(data, site.root + file)
    except (Unreadable, BadFile):
        return Typeset("", (), 0)
    numbers = {each.file: each.number for each in contents.parts if each.file}
    text = services.text_of(key)
    first = ((next(text.chapter(each.number - 1), None), each.number) for each in contents.parts if each.file)
    urls = {(one.address.url or "").partition("#")[0].rstrip("/"): number for one, number in first if one}  # of chapters' pages
    folder = Folder(numbers, urls, set(names), site.root)
    url = next((url for url, number in folder.urls.items() if number == part.number), "")

    def link(href: str) -> str | None:
        if (found := folder.page_at(href, file, url)) is None:
            return leads_away(href)
        number, anchor = found
        below = f"#{HEADING.format(anchor=anchor)}" if anchor else ""
        return below if number is None else reader_address(services.collection, source, number) + below

    def picture(src: str) -> str | None:
        if not (name := folder.picture_at(src, file)):
            return src if OWN_PICTURE.match(src) else None
        return f"{PREFIX}/pictures/{quote(source, safe='')}?{urlencode({'name': name, 'collection': services.collection})}"

    passage = partial(paragraph_id, key.version, part.number)
    return typeset(html, PageLinks(link, picture, passage, lambda anchor: HEADING.format(anchor=anchor)))


def set_paragraphs(
    paragraphs: Sequence[ReadingParagraph], page: Callable[[int], str], page_name: Callable[[str], str]
) -> tuple[str, tuple[HtmlHeading, ...]]:
    """The paragraphs as HTML, and their headings. page: URL of a page's picture; page_name: of its label."""
    headings: list[HtmlHeading] = []
    parts: list[str] = []
    above: tuple[str, ...] = ()
    index = None
    for each in paragraphs:
        if each.kind is Kind.SENTENCE:
            new = [
                HtmlHeading(min(depth + 2, 6), each.headings[depth], f"at-{each.id}-{depth}")
                for depth in range(alike(above, each.headings), len(each.headings))
            ]
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


MAX_HITS = 100
WORD = re.compile(r"\S+")
_NARROW = frozenset("fijlrt.,;:'’‘!|()[]-I1")
_WIDE = frozenset("mwMW—@%")
_ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\xad": None})


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence as the index knows it: folded text, chapter, first section, and the page of its first word."""

    id: SentenceId
    folded: str
    chapter: int
    section: str | None
    page_index: int


@dataclass(frozen=True, slots=True)
class BookIndex:
    """The sentences of a version in reading order, and the labels of its pages by index. nbytes: approximate size."""

    entries: tuple[Entry, ...]
    labels: dict[int, str]
    nbytes: int

    @classmethod
    def of(cls, text: BookText) -> "BookIndex":
        """The index of a stored book; sentences without a page are left out."""
        entries: list[Entry] = []
        labels: dict[int, str] = {}
        for line in text.lines[1:]:
            sentence = json.loads(line)  # pydantic takes ten times as long
            address, places = sentence["address"], sentence["address"]["places"]
            labels.update((place["page_index"], place["page_label"]) for place in places)
            if places:
                section = next(iter(address["section_path"]), None)
                words, at = folded(sentence["text"]), (address["chapter"]["index"], section, places[0]["page_index"])
                entries.append(Entry(SentenceId(sentence["id"]), words, *at))
        return cls(tuple(entries), labels, 2 * text.nbytes)


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A chapter, or level 2: a section in it; and the page that it begins on."""

    title: str
    level: int
    chapter: int
    page_index: int


@dataclass(frozen=True, slots=True)
class ViewedBook:
    """A book with pages. labels: the printed number of each page, "" where none is known; outline: in order."""

    book: CatalogBook
    key: VersionKey
    labels: tuple[str, ...]
    outline: tuple[ContentsEntry, ...]
    index: BookIndex

    @property
    def pages(self) -> int:
        return len(self.labels)

    def chapter_at(self, page_index: int) -> ContentsEntry | None:
        """The last chapter that begins on this page or before it; None before the first."""
        chapters = [each for each in self.outline if each.level == 1 and each.page_index <= page_index]
        return max(chapters, key=attrgetter("page_index"), default=None)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A sentence's words in one line of print."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class PagePart:
    """What of a sentence stands on a page, line by line."""

    sentence: Sentence
    lines: tuple[TextLine, ...]

    @property
    def style(self) -> str:
        """The name of its kind for style sheets; "" for prose."""
        return "" if self.sentence.kind is Kind.SENTENCE else self.sentence.kind.value


@dataclass(frozen=True, slots=True)
class PageText:
    """A page from index 0, its label, and its text by paragraphs in reading order."""

    page_index: int
    label: str
    paragraphs: tuple[tuple[PagePart, ...], ...]


def view_book(school: str, book: BookId, services: CollectionServices) -> ViewedBook:
    """The book as the viewer shows it, with the teacher's corrections. Raises NotFound, also if it has no pages."""
    source = services.catalog.book(school, book)
    if source.active is None or source.active.report is None:
        raise NotFound("book_has_no_page_yet")
    if not source.active.report.pages:
        raise NotFound("no_pages_to_view")
    key, text = source.active.key, services.text_of(source.active.key)
    index = services.recent.get(("viewer", key), lambda: BookIndex.of(text))
    known = ((page, index.labels.get(page, "")) for page in range(source.active.report.pages))
    labels = tuple(corrected_label(page, label, source.corrections) for page, label in known)
    return ViewedBook(source, key, labels, tuple(_outline(text, index, source.corrections)), index)


def _outline(text: BookText, index: BookIndex, corrections: Corrections) -> Iterator[ContentsEntry]:
    """Chapters, and below each its sections, where they begin."""
    names = {chapter.index: part_of(chapter).title for chapter in text.head.chapters}
    before: tuple[int, str | None] | None = None
    seen: set[tuple[int, str | None]] = set()
    for entry in index.entries:
        here = (entry.chapter, entry.section)
        if here == before:
            continue
        if (entry.chapter, None) not in seen and (name := corrections.chapters.get(entry.chapter) or names.get(entry.chapter)):
            yield ContentsEntry(name, 1, entry.chapter, entry.page_index)
        seen.add((entry.chapter, None))
        if entry.section and here not in seen:
            yield ContentsEntry(entry.section, 2, entry.chapter, entry.page_index)
        seen.add(here)
        before = here


def page_text(viewed: ViewedBook, page_index: int, services: CollectionServices) -> PageText:
    """The text of a page. Raises NotFound for a page that the book does not have."""
    if not 0 <= page_index < viewed.pages:
        raise NotFound("no_such_page", page=page_index + 1, pages=viewed.pages)
    paragraphs: dict[str, list[PagePart]] = {}
    for sentence in services.text_of(viewed.key).on_page(page_index):
        place = next(place for place in sentence.address.places if place.page_index == page_index)
        lines = tuple(line for index, line in lines_of(sentence) if index == page_index)
        if place.boxes:
            part = PagePart(corrected(sentence, viewed.book.corrections), lines)
            paragraphs.setdefault(sentence.address.paragraph_id, []).append(part)
    return PageText(page_index, viewed.labels[page_index], tuple(map(tuple, paragraphs.values())))


def lines_of(sentence: Sentence) -> list[tuple[int, TextLine]]:
    """The sentence's words in its lines, each with the index of its page."""
    boxes = [(place.page_index, box) for place in sentence.address.places for box in place.boxes]
    between = "\n" if sentence.kind in LINED else " "
    texts = _divided(sentence.text, [box.x1 - box.x0 for _, box in boxes])
    return [(page, TextLine(f"{text}{between}" if text else "", box)) for (page, box), text in zip(boxes, texts, strict=True)]


def _divided(text: str, widths: Sequence[float]) -> list[str]:
    """The text in as many parts as there are widths, broken between words; a part may be empty."""
    words = WORD.findall(text)
    if len(widths) < 2 or not words:
        return [text, *([""] * (len(widths) - 1))][: len(widths)]
    ends = list(accumulate(_width(word) for word in words))
    scale, edges = sum(widths) / ends[-1], list(accumulate(widths))
    parts: list[list[str]] = [[] for _ in widths]
    for word, end in zip(words, ends, strict=True):
        middle = scale * (end - _width(word) / 2)
        parts[min(bisect_left(edges, middle), len(edges) - 1)].append(word)
    return [" ".join(part) for part in parts]


def _width(word: str) -> float:
    """The width of a word and the blank after it, in arbitrary units: narrow, wide, capital and other letters."""
    widths = (0.3 if letter in _NARROW else 0.8 if letter in _WIDE else 0.68 if letter.isupper() else 0.5 for letter in word)
    return 0.28 + sum(widths)


def find_in_book(words: str, viewed: ViewedBook, services: CollectionServices) -> tuple[int, list[tuple[Entry, str]]]:
    """How many sentences have the words one after the other, else all of them anywhere; and the first MAX_HITS, with texts.

    Case, accents of quotation marks and the number of blanks make no difference."""
    if not (wanted := folded(words)):
        return 0, []
    found = [entry for entry in viewed.index.entries if wanted in entry.folded]
    each = wanted.split()
    found = found or [entry for entry in viewed.index.entries if all(word in entry.folded for word in each)]
    text = services.text_of(viewed.key)
    return len(found), [(entry, text.sentence(entry.id).text) for entry in found[:MAX_HITS]]


def folded(text: str) -> str:
    """The text as it is compared: without case, with plain quotation marks and hyphens, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_ALIKE).casefold().split())
