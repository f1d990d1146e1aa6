"""Queries, scope and results of search."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import BookId, Sentence, SentenceId

Vectors = NDArray[np.float32]  # (n, d), unit norm
SAME = 0.001  # 1 - cosine of a vector with itself, after rounding; of a sentence that differs in a word it is more


class Granularity(StrEnum):
    """Unit of text with one vector."""

    SENTENCE = "sentence"
    WINDOW = "window"  # a fixed number of characters (S2)
    SECTION = "section"  # the text below a heading (S4)
    PASSAGE = "passage"  # paragraphs up to a number of tokens, or one FAQ entry or ticket (S5)
    PARAGRAPH = "paragraph"  # (S3)


class QueryKind(StrEnum):
    """Origin of a query: part of an essay (S1-12, S1-13), its claims and quotations, what a book might state on it. Or
    a question."""

    PARAGRAPH = "paragraph"
    KEY_SENTENCE = "key_sentence"
    CLAIM = "claim"
    STATEMENT = "statement"
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
    """A query that found a sentence. score: of the hit; rank: of the hit among the query's hits, from 1."""

    query: Query
    score: float
    rank: int


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
    those without one; with topics, only books on one of them."""

    school: str
    books: tuple[BookId, ...] = ()
    department: str | None = None
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence in its paragraph, with the neighbours there (None at an edge). authors: of the book; empty if read back from
    storage."""

    book_title: str
    sentence: Sentence
    previous: Sentence | None
    next: Sentence | None
    paragraph: str
    authors: tuple[str, ...] = field(default=(), compare=False)
