"""Facts of a lecture: transcript segments, windows, attached books, citations (S3)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from chapterverse.core.book import BookId, ChunkId, Collection, SentenceId


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a transcript, [start, end) in seconds. A repeated id corrects the text."""

    id: str
    start: float
    end: float
    text: str


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


@dataclass(frozen=True, slots=True)
class Attached:
    """A book attached to a session, always in its newest version. collection: where its file was added."""

    book: BookId
    collection: Collection = Collection.LECTURES


class Numbering(StrEnum):
    """How citations are numbered where they are read: from 1 in each window, or on through the lecture."""

    WINDOW = "window"
    LECTURE = "lecture"


@dataclass(frozen=True, slots=True)
class LectureDetails:
    """What a speaker decides about a lecture. name: empty if nobody has given one; days: until it is deleted, None for the
    operator's.

    A new field stands here, in DetailsRequest and Session (schemas.py), and in the page's form; the store keeps it as it is."""

    name: str = ""
    numbering: Numbering = Numbering.WINDOW
    days: int | None = None


@dataclass(frozen=True, slots=True)
class LectureSession:
    """A lecture with its books, in the order attached, each once. created: UTC. begun_by: e-mail address of the person who
    began it in a browser, None for a program. decided: by the speaker. expires: when it is deleted, None for the operator's
    days after it was created. code: by which others of the school follow it, None while it is not shared. ended: whether the
    speech has ended. received: when its newest window was stored, None without one."""

    id: UUID
    school: str
    created: datetime
    books: tuple[Attached, ...] = ()
    begun_by: str | None = None
    decided: LectureDetails = LectureDetails()
    expires: datetime | None = None
    code: str | None = None
    ended: bool = False
    received: datetime | None = None


@dataclass(frozen=True, slots=True)
class LectureCitation:
    """A citation as S3 defines it, with the sentence that it shows.

    rank: 1 to 3 within its window. document: of the book, chunk: of the paragraph, as UUIDs derived from our ids; transcript:
    of the window's words, which are not stored. page_number: from 1, as a viewer opens the PDF; in a folder of pages, the
    page's position. page_label: printed label, empty without one. relevance_score: in [0, 1]. created: UTC. snippet: words of
    the book around the sentence."""

    id: UUID
    session: UUID
    transcript: UUID
    window_index: int
    rank: int
    document: UUID
    chunk: UUID
    page_number: int
    section_heading: str | None
    snippet: str
    relevance_score: float
    created: datetime
    attached: Attached
    document_name: str
    version: str
    chunk_id: ChunkId
    sentence_id: SentenceId
    page_label: str = ""


@dataclass(frozen=True, slots=True)
class StageTimes:
    """Milliseconds of each stage. Windows searched together all have the time of the whole search."""

    embed: float = 0.0
    search: float = 0.0
    rerank: float = 0.0


@dataclass(frozen=True, slots=True)
class WindowResult:
    """Result for a window. citations: best first, at most three; none if nothing is close enough or a service was unavailable.
    keywords: words of the window that stand in the first cited paragraph. total: milliseconds from window to result; failed:
    the stage that failed, None for none."""

    window: Window
    citations: tuple[LectureCitation, ...] = ()
    keywords: tuple[str, ...] = ()
    stages: StageTimes = StageTimes()
    total: float = 0.0
    failed: str | None = None
