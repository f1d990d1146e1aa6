"""A context for lectures on real storage, with an embedder that knows words and an index in memory."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from chapterverse.core.book import BookId, ChunkId, Collection, SentenceId
from chapterverse.lectures.citing import LectureContext, cite_windows
from chapterverse.lectures.model import LectureCitation, LectureSession, Window, WindowResult
from chapterverse.lectures.service import begin_session
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.chunks import paragraphs
from chapterverse.library.intake import add_book
from chapterverse.library.store import SqlCatalog
from tests.support.books import LIMITS
from tests.support.chunked import count_words
from tests.support.intake import NOON, SCHOOL, Town

CALCULUS = b"""The fundamental theorem links integration with differentiation.|Newton knew it.
A continuous function on a closed interval attains its maximum."""
NOTES = b"""Gradient descent follows the steepest slope downhill.|The step is the learning rate.
Backpropagation applies the chain rule layer by layer."""
THEOREM = "so the fundamental theorem links integration with differentiation"  # said of the one
DESCENT = "gradient descent takes the steepest slope"  # and of the other


@dataclass
class Campus:
    """A town whose books can be cited beside lectures."""

    town: Town
    context: LectureContext

    @classmethod
    def of(cls, town: Town, **ports: Any) -> "Campus":
        """ports: in the place of the town's."""
        own = {"catalog": SqlCatalog(town.database, collection=Collection.LECTURES), "collection": Collection.LECTURES}
        services = replace(town.intake.services, chunker=paragraphs(count_words, 3, 60), **own | ports)
        return cls(town, LectureContext(services, SqlLectures(town.database), 30, now=lambda: NOON))

    def add(self, text: bytes, name: str) -> BookId:
        """A book of that name; of the same name, a new version."""
        return add_book(text, f"{name}.pdf", SCHOOL, self.context.services, LIMITS, title=name.title()).book.id

    def begin(self, *books: BookId) -> LectureSession:
        """A session with these; what the embedder was asked for them is forgotten."""
        session = begin_session(SCHOOL, books, self.context)
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
        "document_name": "Calculus",
        "version": "v1",
        "paragraph": ChunkId(SentenceId("v1-paragraph-24-254-00001")),
        "sentence_id": SentenceId("v1-001-p0001-s001"),
        "page_label": "xiv",
    }
    return LectureCitation(**given | facts)
