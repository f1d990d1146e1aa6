"""A context for lectures on real storage, with an embedder that knows words and an index in memory."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from chapterverse.core.book import BookId, ChunkId, Collection, SentenceId
from chapterverse.lectures.citing import cite_windows
from chapterverse.lectures.context import LectureContext
from chapterverse.lectures.model import Attached, LectureCitation, LectureSession, Window, WindowResult
from chapterverse.lectures.service import begin_session
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.chunks import paragraphs, windows
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from tests.support.books import LIMITS
from tests.support.chunked import count_words
from tests.support.intake import NOON, SCHOOL, Town

CALCULUS = b"""The fundamental theorem links integration with differentiation.|Newton knew it.
A continuous function on a closed interval attains its maximum."""
NOTES = b"""Gradient descent follows the steepest slope downhill.|The step is the learning rate.
Backpropagation applies the chain rule layer by layer."""
CUT = paragraphs(count_words, 3, 60)


@dataclass
class Campus:
    """A town whose books can be cited beside lectures; what is asked of the queue waits for do_all."""

    town: Town
    context: LectureContext

    @classmethod
    def of(cls, town: Town, **ports: Any) -> "Campus":
        """ports: in the place of the town's."""
        books = replace(town.intake.services, **ports)
        collections = {Collection.BOOKS: books}
        for shelf, chunker in ((Collection.DOCUMENTS, windows(120, 10)), (Collection.LECTURES, CUT)):
            catalog = SqlCatalog(town.database, collection=shelf)
            collections[shelf] = replace(books, catalog=catalog, collection=shelf, chunker=chunker)
        others = {
            shelf: replace(town.intake, services=its) for shelf, its in collections.items() if shelf is not Collection.BOOKS
        }
        town.intake = replace(town.intake, services=books, others=others)
        return cls(
            town,
            LectureContext(
                collections[Collection.LECTURES], collections, SqlLectures(town.database), town.queue, 30, now=lambda: NOON
            ),
        )

    def add(self, text: bytes, name: str, shelf: Collection = Collection.LECTURES) -> Attached:
        """A book of that name on that shelf; of the same name, a new version."""
        add_book(text, f"{name}.pdf", SCHOOL, self.services(shelf), LIMITS, title=name.title())
        return Attached(BookId(name), shelf)

    def services(self, shelf: Collection) -> CollectionServices:
        return self.context.collections[shelf]

    def begin(self, *books: Attached) -> LectureSession:
        """A session with these, all of them cut; what the embedder was asked for that is forgotten."""
        session = begin_session(SCHOOL, books, self.context)
        self.town.do_all()
        self.town.embedder.calls.clear()
        return session

    def cite(self, session: LectureSession, *texts: str, **other: Any) -> list[WindowResult]:
        windows = [Window(number, float(number), number + 1.0, text) for number, text in enumerate(texts)]
        return cite_windows(session, windows, replace(self.context, **other))


def at(moment: datetime, context: LectureContext) -> LectureContext:
    """The same context at another time."""
    return replace(context, now=lambda: moment)


def snippets(result: WindowResult) -> list[str]:
    return [citation.snippet for citation in result.citations]


NOBODYS = UUID(int=999)


def campus_in(folder: Path, **ports: Any) -> Campus:
    """To be closed by its town."""
    return Campus.of(Town(folder), **ports)


def a_citation(window: int = 0, rank: int = 1, session: int = 1, **facts: Any) -> LectureCitation:
    given = {
        "id": UUID(int=1000 * session + 10 * window + rank),
        "session_id": UUID(int=session),
        "transcript_id": UUID(int=5),
        "window_index": window,
        "rank": rank,
        "document_id": UUID(int=6),
        "chunk_id": UUID(int=7),
        "page_number": 142,
        "section_heading": "The Fundamental Theorem",
        "snippet": "“The fundamental theorem of calculus…”",
        "relevance_score": 0.92,
        "created_at": NOON,
        "document": BookId("calculus"),
        "collection": Collection.BOOKS,
        "document_name": "Calculus",
        "version": "v1",
        "paragraph": ChunkId(SentenceId("v1-paragraph-24-254-00001")),
        "sentence_id": SentenceId("v1-001-p0001-s001"),
        "page_label": "xiv",
    }
    return LectureCitation(**given | facts)
