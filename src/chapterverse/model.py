"""The facts everything else points at: books, addresses, sentences, hits. Standard library and numpy's array type only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

import numpy as np
from numpy.typing import NDArray

BookId = NewType("BookId", str)
SentenceId = NewType("SentenceId", str)
Vectors = NDArray[np.float32]  # (n, d), unit norm


class Kind(StrEnum):
    """What a piece of the book's text is. Only SENTENCE is embedded and cited; the rest is kept, and kept apart."""

    SENTENCE = "sentence"
    FOOTNOTE = "footnote"
    SIDENOTE = "sidenote"
    CAPTION = "caption"


class Granularity(StrEnum):
    """The unit that one vector stands for."""

    SENTENCE = "sentence"


class QueryKind(StrEnum):
    """Where in the essay a query comes from (S1, "Query formulation")."""

    PARAGRAPH = "paragraph"
    KEY_SENTENCE = "key_sentence"


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

    index counts the book's chapters from 0; text before the first one has index -1."""

    index: int
    number: str | None
    title: str | None

    @property
    def name(self) -> str | None:
        """The title, or the number where there is no title."""
        return self.title or self.number


@dataclass(frozen=True, slots=True)
class Address:
    """Where a sentence stands; equal addresses mean equal words, because a version is never rewritten.

    paragraph counts from 0 within the chapter, sentence from 0 within the paragraph; span: [start, end) in characters of
    the paragraph's text. section_path: headings below the chapter, outermost first. places: one per page touched."""

    book: BookId
    version: str
    chapter: Chapter
    section_path: tuple[str, ...]
    paragraph_id: str
    paragraph: int
    sentence: int
    span: tuple[int, int]
    places: tuple[Place, ...]


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
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A parsed book: its sentences (of every kind) in reading order. version is made from the file's bytes."""

    id: BookId
    version: str
    title: str
    authors: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    sentences: tuple[Sentence, ...]
    report: QualityReport


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to look for. paragraph: index of the essay's paragraph it comes from, from 0."""

    text: str
    kind: QueryKind
    paragraph: int


@dataclass(frozen=True, slots=True)
class Partition:
    """The sentences of one school, at one granularity, by one embedding model: no query reaches across (DESIGN 2, "State")."""

    school: str
    granularity: Granularity
    model: str


@dataclass(frozen=True, slots=True)
class Record:
    """What the index keeps of a sentence beside its vector: S1's metadata. A missing neighbour is None."""

    id: SentenceId
    book: BookId
    version: str
    chapter: str | None
    page: str
    paragraph_id: str
    prev_sentence_id: SentenceId | None
    next_sentence_id: SentenceId | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One sentence found by one query. score: its cosine in [-1, 1]; after re-scoring, a corrected cosine, which may leave
    these bounds (docs/retrieval.md). vector: (d,) float32, unit norm."""

    record: Record
    score: float
    vector: NDArray[np.float32] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class FoundBy:
    """One query that found a sentence: with which score (that of its Hit), and as its how-manieth hit, from 1."""

    query: Query
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence that bears on the essay and every query that found it, the best of them first.

    score orders (a fused score, its range depends on the fusion); each query's own is in found_by. vector: (d,), unit norm."""

    record: Record
    score: float
    found_by: tuple[FoundBy, ...]
    vector: NDArray[np.float32] = field(repr=False, compare=False)

    @property
    def paragraphs(self) -> frozenset[int]:
        """The essay's paragraphs, from 0, that it bears on."""
        return frozenset(found.query.paragraph for found in self.found_by)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a caller may look in: the active books of one school, or only those named in `books`."""

    school: str
    books: tuple[BookId, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What one school may store and one file may cost; the defaults and their sources are in settings."""

    books: int
    bytes: int
    pages: int
    words: int
    seconds: float  # wall clock, for one parse
    megabytes: int  # MiB of address space, for one parse


class VersionState(StrEnum):
    """How far one version of a book has come. Only a READY one can be the active one."""

    UPLOADED = "uploaded"
    PARSING = "parsing"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class VersionKey:
    """One file's bytes as one book, embedded by one model: built, switched to and removed as a whole."""

    school: str
    book: BookId
    version: str
    model: str

    @property
    def partition(self) -> Partition:
        """Where the vectors of its sentences are."""
        return Partition(self.school, Granularity.SENTENCE, self.model)


@dataclass(frozen=True, slots=True)
class BookVersion:
    """What the catalog knows of one version. reason and message say why it failed; sentences counts the indexed ones.

    sentences and report are None until the file is parsed; times are UTC. batches: into how many its sentences were parted for
    indexing, batches_done: how many of them have their vectors; both 0 where the sentences are indexed at once."""

    key: VersionKey
    state: VersionState
    reason: str | None
    message: str | None
    sentences: int | None
    report: QualityReport | None
    parser_version: str
    began: datetime
    changed: datetime
    batches: int = 0
    batches_done: int = 0


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a teacher says of a book where the parser was wrong: applied when read, kept whatever version is searched.

    chapters: titles by Chapter.index; page_labels: printed labels by page index. What is not named stays as it was parsed."""

    title: str | None = None
    authors: tuple[str, ...] | None = None
    chapters: Mapping[int, str] = field(default_factory=dict)
    page_labels: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShelvedBook:
    """A book as a school has it. active: the version that is searched; versions: every one not yet removed, newest first."""

    school: str
    id: BookId
    title: str
    authors: tuple[str, ...]
    file_name: str
    created: datetime
    active: BookVersion | None
    versions: tuple[BookVersion, ...]
    corrections: Corrections = field(default_factory=Corrections)

    @property
    def newest(self) -> BookVersion | None:
        """The version last begun; while it is being built, or where it failed, it is not the active one."""
        return self.versions[0] if self.versions else None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in the store that teachers upload to: "{school}/{name}.pdf". generation tells one content of a name from the next;
    title and authors are what the uploader says of it, if anything."""

    name: str
    generation: str
    title: str | None = None
    authors: tuple[str, ...] = ()


class TaskKind(StrEnum):
    """What a task asks for; one use case each (usecases/tasks.py)."""

    RECEIVE = "receive"  # a file that was uploaded
    INDEX = "index"  # one batch of a version's sentences
    REMOVE = "remove"  # a version that is not searched any more


@dataclass(frozen=True, slots=True)
class Task:
    """Work for later, done at least once. name: letters, digits, "-", "_"; two tasks of one name are one task. body: JSON."""

    name: str
    kind: TaskKind
    body: Mapping[str, str | int]


class KeyScope(StrEnum):
    """What an API key may do; each may do what those before it may."""

    STUDENT = "student"
    TEACHER = "teacher"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A school's key to the HTTP interface; of its secret only a digest is kept. expires, revoked: UTC, None for never."""

    id: str
    school: str
    scope: KeyScope
    note: str
    created: datetime
    expires: datetime | None = None
    revoked: datetime | None = None
