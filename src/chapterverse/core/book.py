"""A book as it is parsed: its sentences and where they stand.

Several sentences of a book indexed as one.

The books of a school and how far each has come."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from chapterverse.messages import Message

BookId = NewType("BookId", str)

SentenceId = NewType("SentenceId", str)


class Kind(StrEnum):
    """What a piece of the book's text is. Only SENTENCE is embedded and cited; the rest is kept, and kept apart."""

    SENTENCE = "sentence"
    FOOTNOTE = "footnote"
    SIDENOTE = "sidenote"
    CAPTION = "caption"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in PDF points, origin top left, as the page is displayed."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Place:
    """The part of a sentence on one page: page_index from 0, the label printed on it ("xiv", "35"), one box a line."""

    page_index: int
    page_label: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter as the book names it: number "II", title "Of the Liberty of Thought and Discussion"; either may be missing.

    index counts the book's chapters from 0; text before the first one has index -1. Of a page in a folder: module, what the
    folder it is in is about, and file, its path in the folder."""

    index: int
    number: str | None
    title: str | None
    module: str | None = None
    file: str | None = None

    @property
    def name(self) -> str | None:
        """The title, or the number where there is no title."""
        return self.title or self.number


@dataclass(frozen=True, slots=True)
class Address:
    """Where a sentence stands; equal addresses mean equal words, because a version is never rewritten.

    paragraph counts from 0 within the chapter, sentence from 0 within the paragraph; span: [start, end) in characters of
    the paragraph's text. section_path: headings below the chapter, outermost first. places: one per page touched; none, and a
    url, for what is read on a site and has no pages."""

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


@dataclass(frozen=True, slots=True)
class Sentence:
    """What evidence points at. prev_id and next_id are None at the edges of the paragraph, never a sentence of another one.

    id is made from version, chapter, paragraph and sentence: the same bytes give the same ids."""

    id: SentenceId
    text: str
    kind: Kind
    address: Address
    prev_id: SentenceId | None
    next_id: SentenceId | None


@dataclass(frozen=True, slots=True)
class QualityReport:
    """What a teacher should know of a parsed book. outside_share: share of the text's characters that stands in no paragraph
    (running heads, folios, contents, index …). pages_without_text: page indices from 0. warnings: whole sentences."""

    pages: int
    words: int
    sentences: int
    chapters: int
    chapter_source: str  # outline, contents, headings, none
    label_source: str  # labels, folios, index
    outside_share: float
    pages_without_text: tuple[int, ...]
    warnings: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A parsed book: its sentences (of every kind) in reading order. version is made from the file's bytes.
    title: empty where the file does not say it."""

    id: BookId
    version: str
    title: str
    authors: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    sentences: tuple[Sentence, ...]
    report: QualityReport


@dataclass(frozen=True, slots=True)
class Limits:
    """What one school may store and one file may cost; the defaults are in ingestion/limits.py."""

    books: int
    bytes: int
    pages: int
    words: int
    seconds: float  # wall clock, for one parse
    megabytes: int  # MiB of address space, for one parse


ChunkId = SentenceId

"""Id of what is indexed: begins with the version's, too. A sentence that is indexed alone is a chunk under its own id."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one vector stands for: its text, and the sentences that the text is, or is a part of, in reading order.

    headings: what it stands below, outermost first: the chapter, then its sections. question: what it answers,
    where it is an FAQ entry or a resolved ticket. id is made from version, unit and number:
    the same bytes cut in the same way give the same ids."""

    id: ChunkId
    text: str
    sentences: tuple[SentenceId, ...]
    headings: tuple[str, ...] = ()
    question: str = ""


class Collection(StrEnum):
    """What a school's sources are put in: a shelf of its own for each application that looks things up in it."""

    BOOKS = "books"  # essays (S1)
    DOCUMENTS = "documents"  # questions on documents (S2)
    TEXTBOOK = "textbook"  # (S4)
    HELPDESK = "helpdesk"  # (S5)
    LECTURES = "lectures"  # cited while a professor speaks (S3)
