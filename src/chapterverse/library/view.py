"""What the viewer shows of a book: outline, printed page numbers, the text of a page in its place, and search in the text.

All of it comes from the parsed book. A sentence has one box a line and no place for each word, so its words are divided among
its lines by estimated width: a line may begin a word too early or too late, a sentence is always whole."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter

from chapterverse.core.book import LINED, BookId, Box, Kind, Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.library.artefacts import BookText
from chapterverse.library.corrections import corrected, corrected_book, corrected_label
from chapterverse.library.model import CatalogBook, Corrections, VersionKey
from chapterverse.library.reading import part_of
from chapterverse.library.services import CollectionServices

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
        """Number of its pages."""
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


@dataclass(frozen=True, slots=True)
class PageText:
    """A page from index 0, its label, and its text by paragraphs in reading order."""

    page_index: int
    label: str
    paragraphs: tuple[tuple[PagePart, ...], ...]


@dataclass(frozen=True, slots=True)
class InBook:
    """A sentence that search found, with the page of its first word."""

    sentence: SentenceId
    text: str
    page_index: int
    label: str


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
    return ViewedBook(corrected_book(source), key, labels, tuple(_outline(text, index, source.corrections)), index)


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
        raise NotFound("no_page_of_index", index=page_index, pages=viewed.pages)
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
        parts[next((n for n, edge in enumerate(edges) if middle <= edge), len(edges) - 1)].append(word)
    return [" ".join(part) for part in parts]


def _width(word: str) -> float:
    """The width of a word and the blank after it, in arbitrary units: narrow, wide, capital and other letters."""
    return 0.28 + sum(
        0.3 if letter in _NARROW else 0.8 if letter in _WIDE else 0.68 if letter.isupper() else 0.5 for letter in word
    )


def find_in_book(words: str, viewed: ViewedBook, services: CollectionServices) -> tuple[int, list[InBook]]:
    """How many sentences have the words one after the other, else all of them anywhere; and the first MAX_HITS of these.

    Case, accents of quotation marks and the number of blanks make no difference."""
    if not (wanted := folded(words)):
        return 0, []
    found = [entry for entry in viewed.index.entries if wanted in entry.folded]
    each = wanted.split()
    found = found or [entry for entry in viewed.index.entries if all(word in entry.folded for word in each)]
    text = services.text_of(viewed.key)
    hits = [
        InBook(entry.id, text.sentence(entry.id).text, entry.page_index, viewed.labels[entry.page_index])
        for entry in found[:MAX_HITS]
    ]
    return len(found), hits


def folded(text: str) -> str:
    """The text as it is compared: without case, with plain quotation marks and hyphens, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_ALIKE).casefold().split())


def boxes_by_page(
    sentences: Sequence[SentenceId], viewed: ViewedBook, services: CollectionServices
) -> list[tuple[int, list[Box]]]:
    """The boxes of each sentence by page, for highlights in the file. Raises NotFound for a sentence of another version."""
    text = services.text_of(viewed.key)
    return [(place.page_index, list(place.boxes)) for id in sentences for place in text.sentence(id).address.places]


def kind_of_text(part: PagePart) -> str:
    """The name of the part's kind for style sheets; "" for prose."""
    return "" if part.sentence.kind is Kind.SENTENCE else part.sentence.kind.value
