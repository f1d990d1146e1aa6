"""A parsed book, as the package bookreader gives it; chunks of it, and the collections of a school."""

from dataclasses import dataclass
from enum import StrEnum

import bookreader.book
from bookreader.book import (
    LINED,
    Address,
    Book,
    BookId,
    Box,
    Chapter,
    Kind,
    Oddities,
    OddPage,
    Place,
    QualityReport,
    Sentence,
    SentenceId,
    paragraph_id,
    sentence_id,
)

__all__ = [
    "LINED", "Address", "Book", "BookId", "Box", "Chapter", "Chunk", "ChunkId", "Collection", "Kind", "Limits", "OddPage",
    "Oddities", "Place", "QualityReport", "Sentence", "SentenceId", "paragraph_id", "sentence_id",
]  # fmt: skip


ChunkId = SentenceId
"""Id of an indexed chunk; begins with the version's id. A sentence indexed alone is a chunk with the sentence's id."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A text with one vector, and the sentences that it consists of or is a part of, in reading order.

    headings: of the chapter, then of its sections, outermost first. question: of an FAQ entry or a resolved ticket. id: made
    from version, unit and number, so the same bytes and unit give the same ids."""

    id: ChunkId
    text: str
    sentences: tuple[SentenceId, ...]
    headings: tuple[str, ...] = ()
    question: str = ""


class Collection(StrEnum):
    """The sources of one application in a school."""

    BOOKS = "books"  # essays (S1)
    DOCUMENTS = "documents"  # questions on documents (S2)
    TEXTBOOK = "textbook"  # (S4)
    HELPDESK = "helpdesk"  # (S5)
    LECTURES = "lectures"  # cited in lectures (S3)


@dataclass(frozen=True, slots=True)
class Limits(bookreader.book.Limits):
    """Limits for a school and for one file. books: of a school; S1 plans for 20. sources: of each other collection."""

    books: int = 20
    sources: int = 500

    def of(self, collection: Collection) -> int:
        """Sources of a school in the collection."""
        return self.books if collection is Collection.BOOKS else self.sources
