"""What is looked for, and what is found.

Sentences found become evidence: numbered, and with what stands around them in the book."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import BookId, Sentence, SentenceId

Vectors = NDArray[np.float32]  # (n, d), unit norm


class Granularity(StrEnum):
    """The unit that one vector stands for."""

    SENTENCE = "sentence"
    WINDOW = "window"  # so many characters (S2)
    SECTION = "section"  # what stands below a heading (S4)
    PASSAGE = "passage"  # paragraphs up to so many tokens, or one FAQ entry or ticket (S5)
    PARAGRAPH = "paragraph"  # (S3)


class QueryKind(StrEnum):
    """Where in the essay a query comes from (S1-12, S1-13), or that it is a question that somebody asks."""

    PARAGRAPH = "paragraph"
    KEY_SENTENCE = "key_sentence"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to look for. paragraph: index of the essay's paragraph it comes from, from 0."""

    text: str
    kind: QueryKind
    paragraph: int


@dataclass(frozen=True, slots=True)
class Partition:
    """What is indexed of one school, in one unit, by one embedding model: no query reaches across (DESIGN 2, "State").

    unit: a granularity, followed by the figures it was cut with: "sentence", "window-500-50"."""

    school: str
    unit: str
    model: str


@dataclass(frozen=True, slots=True)
class Record:
    """What the index keeps of a sentence beside its vector: the metadata of S1-10. A missing neighbour is None.

    Of a chunk: the chunk's id, where its first sentence stands, no neighbours. page: empty where there are no pages."""

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
    these bounds (docs/search.md). vector: (d,) float32, unit norm."""

    record: Record
    score: float
    vector: NDArray[np.float32] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class WordHit:
    """One chunk of a version that has words of a query. share: of the most that words can count, in [0, 1]."""

    id: SentenceId
    version: str
    share: float


@dataclass(frozen=True, slots=True)
class FoundBy:
    """One query that found a sentence: with which score (that of its Hit), and as its how-manieth hit, from 1."""

    query: Query
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence that bears on the essay and every query that found it, the best of them first.

    score orders (the best of its queries', weighted by kind of query); each query's own is in found_by. vector: (d,), unit
    norm."""

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
    """What a caller may look in: the active books of one school, or only those named in `books`; of a department, its own and
    everybody's; with topics, only books about one of them."""

    school: str
    books: tuple[BookId, ...] = ()
    department: str | None = None
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence where it stands: previous and next within its paragraph (None at an edge), and the whole paragraph."""

    book_title: str
    sentence: Sentence
    previous: Sentence | None
    next: Sentence | None
    paragraph: str
