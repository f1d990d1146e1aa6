"""A parsed book: sentences with their addresses, and the report on it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import PurePath
from typing import NewType

from bookreader.messages import Message

BookId = NewType("BookId", str)
SentenceId = NewType("SentenceId", str)


def paragraph_id(version: str, chapter: int, number: int, letter: str = "p") -> str:
    """Id of a paragraph, "{version}-002-p0011". chapter: from 1, 0 before the first; letter: of the kind of text."""
    return f"{version}-{chapter:03d}-{letter}{number:04d}"


def sentence_id(paragraph: str, number: int) -> SentenceId:
    """Id of a sentence, "{paragraph}-s003". number: from 0 within the paragraph."""
    return SentenceId(f"{paragraph}-s{number:03d}")


class Kind(StrEnum):
    """Kind of a text in a book. Essays and lectures use only SENTENCE, a sentence of prose."""

    SENTENCE = "sentence"
    FOOTNOTE = "footnote"
    SIDENOTE = "sidenote"
    CAPTION = "caption"
    CODE = "code"  # program listings, console sessions
    FORMULA = "formula"  # displayed, not within a sentence
    TABLE = "table"
    REFERENCE = "reference"  # entries of a bibliography
    CONTENTS = "contents"  # printed lists of chapters, figures and tables
    INDEX = "index"


LINED = frozenset({Kind.CODE, Kind.TABLE, Kind.CONTENTS, Kind.INDEX})
"""Kinds whose sentences are lines or rows, and are read one below the other."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in PDF points, origin top left, as the page is displayed."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Place:
    """The part of a sentence on one page: page_index from 0, the label printed on it ("xiv", "35"), one box per line."""

    page_index: int
    page_label: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter as the book names it: number "II", title "Of the Liberty of Thought and Discussion"; either may be missing.

    index: from 0; -1 before the first chapter. For a page in a folder, module: subject of its subfolder, and file: its path."""

    index: int
    number: str | None
    title: str | None
    module: str | None = None
    file: str | None = None

    @property
    def name(self) -> str | None:
        """The title, or the number without a title."""
        return self.title or self.number


@dataclass(frozen=True, slots=True)
class Address:
    """Where a sentence stands; equal addresses mean equal words, because versions never change.

    paragraph counts from 0 within the chapter, sentence from 0 within the paragraph; span: [start, end) in characters of
    the paragraph's text. section_path: headings below the chapter, outermost first. places: one per page; none for a
    website, which has a url. paragraph_number: the number printed beside the paragraph ("14"), as in laws and reports."""

    book: BookId
    version: str
    chapter: Chapter
    section_path: tuple[str, ...]
    paragraph_id: str
    paragraph: int
    sentence: int
    span: tuple[int, int]
    places: tuple[Place, ...]
    url: str | None = None
    paragraph_number: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its neighbours in the paragraph: prev_id and next_id are None at its edges.

    id: made from version, chapter, paragraph and sentence, so the same bytes give the same ids. quotable: whether the text is
    what is printed; False if it holds a formula or signs that text cannot give: then the picture of its lines is shown.
    confidence: of the text recognition, 0 to 1; None if the file itself has the text."""

    id: SentenceId
    text: str
    kind: Kind
    address: Address
    prev_id: SentenceId | None
    next_id: SentenceId | None
    quotable: bool = True
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Oddities:
    """Numbers of sentences that look odd. lower_case, number: beginning so; unreadable: with letters that the file does not map
    to text; garbled: hardly made of words; unquotable: shown as pictures."""

    lower_case: int = 0
    number: int = 0
    unreadable: int = 0
    garbled: int = 0
    unquotable: int = 0


@dataclass(frozen=True, slots=True)
class OddPage:
    """A page with odd sentences. page_index from 0; page_label: as cited; sentence: the oddest; text: of the worst, all."""

    page_index: int
    page_label: str
    sentence: SentenceId
    oddities: Oddities
    text: str = ""


@dataclass(frozen=True, slots=True)
class QualityReport:
    """Report on a parsed book for its teacher. outside_share: share of characters outside paragraphs (running heads, folios,
    contents, index …). pages_without_text, recognized_pages: page indices from 0, the latter of pages read by text recognition.
    warnings: whole sentences.

    oddities: of all sentences; odd_pages: those with most of them, worst first. kind_shares: shares of the words, by kind.
    printed_numbers: pages with a printed number though the file has page labels; label_conflicts: those where the two differ.
    outline_entries: of the file's outline; outline_conflicts: those not printed where it says."""

    pages: int
    words: int
    sentences: int
    chapters: int
    chapter_source: str  # outline, contents, headings, none
    label_source: str  # labels, folios, index
    outside_share: float
    pages_without_text: tuple[int, ...]
    warnings: tuple[Message, ...]
    oddities: Oddities = Oddities()
    odd_pages: tuple[OddPage, ...] = ()
    kind_shares: Mapping[Kind, float] = field(default_factory=dict)
    printed_numbers: int = 0
    label_conflicts: int = 0
    outline_entries: int = 0
    outline_conflicts: int = 0
    recognized_pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """A parsed book: sentences of all kinds in reading order. version: made from the file's bytes. title: perhaps empty."""

    id: BookId
    version: str
    title: str
    authors: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    sentences: tuple[Sentence, ...]
    report: QualityReport


LONGEST_NAME, LONGEST_URL = 500, 2000  # characters


def with_short_names(book: Book) -> Book:
    """The book, of which names are cut off and addresses left out that are far too long: each sentence repeats those of its
    place, so a heading of a megabyte would become gigabytes."""

    @cache
    def chapter(of: Chapter) -> Chapter:
        return Chapter(of.index, *(name and _short(name) for name in (of.number, of.title, of.module, of.file)))

    def address(of: Address) -> Address:
        url = of.url if of.url and len(of.url) <= LONGEST_URL else None
        return replace(of, chapter=chapter(of.chapter), section_path=tuple(map(_short, of.section_path)), url=url)

    return replace(
        book,
        title=_short(book.title),
        authors=tuple(map(_short, book.authors[:LONGEST_NAME])),
        chapters=tuple(map(chapter, book.chapters)),
        sentences=tuple(replace(sentence, address=address(sentence.address)) for sentence in book.sentences),
    )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one file. seconds: by the clock, against what hangs; a busy machine takes many times cpu_seconds.

    recognition_seconds: wall clock, for text recognition of one file, beside `seconds`; 0: this process leaves files that need
    it to another one. niceness: of the process that parses, as it begins."""

    bytes: int = 200 * 2**20
    pages: int = 3000
    words: int = 600_000
    seconds: float = 3600.0  # by the clock, for one parse
    megabytes: int = 2048  # MiB of address space, for one parse
    cpu_seconds: float = 300.0  # of the processor, for one parse
    recognition_seconds: float = 24 * 3600.0
    niceness: int = 0


DEFAULT_LIMITS = Limits()


def title_of_file(file_name: str) -> str:
    """Title for a book without one, from its file name: "on-liberty.pdf" → "On Liberty". A name with blanks keeps its hyphens,
    and one with capitals its capitals."""
    stem = PurePath(file_name).stem
    words = [word for word in re.split(r"[\s_]+" if " " in stem else r"[-_]+", stem) if word]
    return " ".join(word[:1].upper() + word[1:] if stem.islower() else word for word in words) or stem
