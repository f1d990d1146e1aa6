"""Queries, scope and results of search; and numpy arrays one after another in one object, in numpy's own format, read where
they are: in memory or in a mapped file."""

import io
from dataclasses import dataclass, field
from enum import StrEnum
from mmap import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import BookId, Collection, Sentence, SentenceId

Mapped = bytes | mmap
"""The bytes of an object. A mapped file is read when it is used, and the operating system may forget what it read."""

MAX_HEADER = 4096  # bytes before an array's values; ours take at most 300
OPEN = 2**20  # bytes that a cache counts for an open mapping, so that 512 MiB of them stay below 1,024 open files


def bytes_of_arrays(*arrays: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    for array in arrays:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)
    return file.getvalue()


def arrays_in(data: Mapped) -> list[NDArray[Any]]:
    """The arrays of an object, without a copy; they cannot be written. Raises ValueError if it is damaged."""
    found: list[NDArray[Any]] = []
    at = 0
    while at < len(data):
        head = io.BytesIO(data[at : at + MAX_HEADER])
        if np.lib.format.read_magic(head) != (1, 0):
            raise ValueError("another version of numpy's format")
        shape, _, kind = np.lib.format.read_array_header_1_0(head)
        if kind.hasobject:
            raise ValueError("not plain values")
        values, at = int(np.prod(shape)), at + head.tell()
        array = np.frombuffer(data, kind, values, at) if values else np.zeros(0, kind)
        found.append(array.reshape(shape))
        at += array.nbytes
    return found


def resident(data: Mapped) -> int:
    """Bytes that a cache counts for an open object: the memory that it takes for good."""
    return OPEN if isinstance(data, mmap) else len(data)


Vectors = NDArray[np.float32]  # (n, d), unit norm


def unit(vectors: NDArray[np.floating]) -> Vectors:
    """Vectors scaled to unit norm, float32; a zero vector stays zero."""
    exact = vectors.astype(np.float32)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    scaled: Vectors = exact / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


SAME = 0.001  # 1 - cosine of a vector with itself, after rounding; of a sentence that differs in a word it is more


class Granularity(StrEnum):
    """Unit of text with one vector."""

    SENTENCE = "sentence"
    WINDOW = "window"  # a fixed number of characters (S2)
    SECTION = "section"  # the text below a heading (S4)
    PASSAGE = "passage"  # paragraphs up to a number of tokens, or one FAQ entry or ticket (S5)
    PARAGRAPH = "paragraph"  # (S3)


class QueryKind(StrEnum):
    """Origin of a query: part of an essay (S1-12, S1-13), its claims and quotations; or a question."""

    PARAGRAPH = "paragraph"
    KEY_SENTENCE = "key_sentence"
    CLAIM = "claim"
    QUESTION = "question"
    QUOTATION = "quotation"


@dataclass(frozen=True, slots=True)
class Query:
    """A text to search for. paragraph: index of its paragraph in the essay, from 0."""

    text: str
    kind: QueryKind
    paragraph: int


@dataclass(frozen=True, slots=True)
class Partition:
    """Vectors of one school, in one unit, by one embedding model; a query searches one partition.

    unit: a granularity, followed by its numbers: "sentence", "window-500-50"."""

    school: str
    unit: str
    model: str


@dataclass(frozen=True, slots=True)
class Record:
    """Metadata of a sentence in the index (S1-10). A missing neighbour is None. page: empty without pages.

    For a chunk: the chunk's id, the place of its first sentence, no neighbours."""

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
    """A sentence found by a query. score: cosine in [-1, 1]; after re-scoring a corrected cosine, which may be outside of it
    (docs/search.md). vector: (d,) float32, unit norm."""

    record: Record
    score: float
    vector: NDArray[np.float32] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class WordHit:
    """A chunk with words of a query. share: of the maximum score by words, in [0, 1]."""

    id: SentenceId
    version: str
    share: float


@dataclass(frozen=True, slots=True)
class FoundBy:
    """A query that found a sentence, and the score of the hit."""

    query: Query
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence and all queries that found it, best first.

    score: for the order, the best of its queries' scores, weighted by kind of query. vector: (d,), unit norm."""

    record: Record
    score: float
    found_by: tuple[FoundBy, ...]
    vector: NDArray[np.float32] = field(repr=False, compare=False)

    @property
    def paragraphs(self) -> frozenset[int]:
        """Indices of the essay's paragraphs whose queries found it, from 0."""
        return frozenset(found.query.paragraph for found in self.found_by)


@dataclass(frozen=True, slots=True)
class Scope:
    """Books that a search covers: the active books of a school, or only those in `books`; with a department, its own books and
    those without one; with topics, only books on one of them. is_empty: there is no book, so nothing is found."""

    school: str
    books: tuple[BookId, ...] = ()
    department: str | None = None
    topics: tuple[str, ...] = ()
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence in its paragraph, with the neighbours there (None at an edge). authors: of the book; empty if read back from
    storage. collection: in which it was found."""

    book_title: str
    sentence: Sentence
    previous: Sentence | None
    next: Sentence | None
    paragraph: str
    authors: tuple[str, ...] = field(default=(), compare=False)
    collection: Collection = field(default=Collection.BOOKS, compare=False)
