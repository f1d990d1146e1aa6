"""Facts of a lecture: transcript segments, windows, attached books, citations (S3)."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from chapterverse.core.book import BookId, ChunkId, SentenceId
from chapterverse.core.requests import Record, Words
from chapterverse.library.model import IndexingProgress

Id = Annotated[str, Field(min_length=1, max_length=255)]
Seconds = Annotated[float, Field(ge=0, le=10**6, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Segment:
    """Speech between two times, in seconds since the start of the lecture. A repeated id corrects the text."""

    id: Id
    start: Seconds
    end: Seconds
    text: Annotated[str, Field(max_length=4000)]


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are searched together; index from 0, [start, end) in seconds.

    overlap: characters at the beginning of text that repeat the previous window. segments: ids of its segments."""

    index: int
    start: float
    end: float
    text: str
    overlap: int = 0
    segments: tuple[str, ...] = ()


class LectureDetails(Record, frozen=True):
    """What a speaker decides about a lecture. name: empty for the first document and the date. shared: whether others of the
    school follow it, by a code; null: as it is. class_id: of a class, whose students see it on their page while it is shared.

    A new field stands here, and in the page's form by the same name; all else passes it on as it is."""

    name: str = Field("", max_length=200)
    class_id: str | None = Field(None, max_length=100)
    shared: bool | None = None


@dataclass(frozen=True, slots=True)
class LectureSession:
    """A lecture with its books, in the order attached, each once and always in its newest version. created: UTC. begun_by:
    e-mail address of the person who began it in a browser, None for a program. decided: by the speaker. code: by which others
    of the school follow it, None while it is not shared. ended: whether the speech has ended. received: when its newest window
    was stored, None without one."""

    id: UUID
    school: str
    created: datetime
    books: tuple[BookId, ...] = ()
    begun_by: str | None = None
    decided: LectureDetails = field(default_factory=LectureDetails)
    code: str | None = None
    ended: bool = False
    received: datetime | None = None


class SessionDocument(Record):
    """A document attached to a lecture. document_id: its UUID in citations; document: its id. state: waiting while it is parsed
    or indexed, ready, failed, or gone. progress: batches of paragraphs with vectors. message: why it failed."""

    document_id: UUID
    document_name: str
    document: BookId
    state: Literal["waiting", "ready", "failed", "gone"]
    progress: IndexingProgress = IndexingProgress()
    message: Words | None = None


class LectureCitation(Record, frozen=True):
    """A citation as S3 defines it, with the sentence that it shows.

    rank: 1 to 3 within its window. document_id: of the book, chunk_id: of the paragraph, as UUIDs derived from our ids;
    transcript_id: of the window's words, which are not stored. page_number: from 1, as a viewer opens the PDF; in a folder of
    pages, the page's position. page_label: printed label, empty without one. relevance_score: in [0, 1]. created_at: UTC.
    snippet: words of the book around the sentence. document, version, paragraph, sentence_id: our ids."""

    id: UUID
    session_id: UUID
    transcript_id: UUID
    window_index: int
    rank: int
    document_id: UUID
    chunk_id: UUID
    document_name: str
    page_number: int
    section_heading: str | None
    snippet: str
    relevance_score: float
    created_at: datetime
    document: BookId
    version: str
    paragraph: ChunkId
    sentence_id: SentenceId
    page_label: str = ""


@dataclass(frozen=True, slots=True)
class WindowResult:
    """Result for a window. citations: best first, at most three; none if nothing is close enough or a service was unavailable.
    keywords: words of the window that stand in the first cited paragraph. milliseconds: from window to result; failed: the
    stage that failed, None for none."""

    window: Window
    citations: tuple[LectureCitation, ...] = ()
    keywords: tuple[str, ...] = ()
    milliseconds: float = 0.0
    failed: str | None = None
