"""Requests and answers of lectures: S3's schemas, and the fields that S3 does not name. `of` makes an answer from the facts."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Literal, Self
from urllib.parse import quote
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.lectures.model import LectureCitation, LectureSession, Segment, StageTimes, WindowResult
from chapterverse.lectures.service import AttachedBook
from chapterverse.library.schemas import Progress
from chapterverse.messages.fields import Words
from chapterverse.web.operations import PREFIX, page_links
from chapterverse.web.schemas import Request

SLOW = 2000.0  # milliseconds from which a page may say that citations are still being searched (S3-27)

MOST_SEGMENTS = 500  # of one request

MOST_WORDS = 4000  # characters of a window; one of 150 words has about 900

Id = Annotated[str, Field(min_length=1, max_length=255)]

Seconds = Annotated[float, Field(ge=0, le=10**6, allow_inf_nan=False)]

Shelf = Literal["books", "documents", "textbook", "lectures"]

Uuid = Annotated[UUID, Field(strict=False)]  # JSON has none of its own


class Attachment(Request):
    """A document that the school has. document: its id, or the UUID that citations give it. collection: where it was handed in;
    where that is left out, the first that has it."""

    document: Id
    collection: Shelf | None = None


class SessionRequest(Request):
    """A lecture. documents: to be beside it from the beginning."""

    documents: list[Attachment] = Field(default=[], max_length=100)


class DocumentsRequest(Request):
    """Documents to be beside a lecture, too."""

    documents: list[Attachment] = Field(min_length=1, max_length=100)


class SessionDocument(BaseModel):
    """A document beside a lecture. document_id: as citations call it; document: its id in its collection. state: waiting while
    it is being read or cut into paragraphs, ready, failed, or gone. reason, message: why it failed."""

    document_id: UUID
    document_name: str
    document: str
    collection: Shelf
    state: Literal["waiting", "ready", "failed", "gone"]
    progress: Progress
    reason: str | None
    message: Words | None

    @classmethod
    def of(cls, book: AttachedBook) -> Self:
        return cls.model_validate(
            {
                "document_id": book.document,
                "document_name": book.title,
                "document": book.attached.book,
                "collection": book.attached.shelf.value,
                "state": book.state.value,
                "progress": {"done": book.done, "total": book.total},
                "reason": book.reason,
                "message": book.message,
            }
        )


class Session(BaseModel):
    """A lecture and what is beside it. segments: where what is said is handed in; events: where what is found appears;
    windows: the same to be asked for."""

    id: UUID
    created_at: datetime
    documents: list[SessionDocument]
    segments: str
    events: str
    windows: str

    @classmethod
    def of(cls, session: LectureSession, books: Sequence[AttachedBook]) -> Self:
        at, documents = f"{PREFIX}/sessions/{session.id}", [SessionDocument.of(book) for book in books]
        links = {name: f"{at}/{name}" for name in ("segments", "events", "windows")}
        return cls(id=session.id, created_at=session.created, documents=documents, **links)


class Sessions(BaseModel):
    """Newest first."""

    sessions: list[Session]


class Spoken(Request):
    """What a transcriber heard between two moments, in seconds since the lecture began. The same id again corrects the text."""

    id: Id
    start: Seconds
    end: Seconds
    text: str = Field(max_length=4000)


class SegmentsRequest(Request):
    """In any order."""

    segments: list[Spoken] = Field(min_length=1, max_length=MOST_SEGMENTS)


class Transcript(BaseModel):
    """What a file says, by time; without what captions show and nobody says."""

    segments: list[Segment]


class FilledWindows(BaseModel):
    """windows: indices of those that these segments filled; what is found for them appears as events."""

    windows: list[int]


class RagRequest(Request):
    """A window whose words whoever asks has put together; window_index: for ordering (S3)."""

    session_id: Uuid
    transcript_text: str = Field(min_length=1, max_length=MOST_WORDS)
    window_index: int = Field(ge=0, lt=10**9, strict=False)  # JSON knows no difference between 7 and 7.0


class CitationLinks(BaseModel):
    """Where a citation leads. citation_id: under which it is found again; document, collection: the document's id and where it
    was handed in; page_label: as printed on the page; sentence: address of the sentence shown, in its surroundings; image: the
    page as a picture with the sentence lit, null for what has no pages."""

    citation_id: UUID
    document: str
    collection: Shelf
    page_label: str
    sentence_id: str
    sentence: str
    image: str | None


class RagCitation(CitationLinks):
    """S3's citation. page_number: from 1; relevance_score: in [0, 1]."""

    rank: int
    document_id: UUID
    document_name: str
    page_number: int
    section_heading: str | None
    snippet: str
    relevance_score: float

    @classmethod
    def of(cls, citation: LectureCitation, **more: object) -> Self:
        """more: fields of a subclass that are no facts of the citation."""
        attached = citation.attached
        names = {"citation_id": citation.id, "session_id": citation.session, "transcript_id": citation.transcript}
        ids = {"document_id": citation.document, "chunk_id": citation.chunk, "document": attached.book}
        links = {"sentence": f"{PREFIX}/evidence/{quote(citation.sentence_id, safe='')}", "image": _image(citation)}
        facts = {each.name: getattr(citation, each.name) for each in fields(LectureCitation)}
        own = {"collection": attached.shelf.value, "created_at": citation.created}
        return cls.model_validate({**facts, **names, **ids, **own, **links, **more})


class QueryMetadata(BaseModel):
    """S3's. failed: the stage that was away, null where none was."""

    keywords: list[str]
    expanded_concepts: list[str]
    processing_time_ms: int
    stages_ms: StageTimes
    failed: str | None


class RagAnswer(BaseModel):
    """At most three citations, best first; none where nothing is near enough, or where something was away."""

    window_index: int
    citations: list[RagCitation]
    query_metadata: QueryMetadata

    @classmethod
    def of(cls, result: WindowResult) -> Self:
        metadata = QueryMetadata(
            keywords=list(result.query.keywords),
            expanded_concepts=list(result.query.concepts),
            processing_time_ms=round(result.total),
            stages_ms=result.stages,
            failed=result.failed,
        )
        return cls(window_index=result.window.index, citations=cited(result), query_metadata=metadata)


class WindowEvent(BaseModel):
    """A window that was looked up. start, end: in seconds; segments: whose words it has, the last is where its citations
    belong. slow: whether it took longer than two seconds (S3-27). failed: as in QueryMetadata, or "dropped"."""

    window_index: int
    start: float
    end: float
    segments: list[str]
    citations: list[RagCitation]
    processing_time_ms: int
    slow: bool
    failed: str | None

    @classmethod
    def of(cls, result: WindowResult) -> Self:
        window = result.window
        return cls(
            window_index=window.index,
            start=window.start,
            end=window.end,
            segments=list(window.segments),
            citations=cited(result),
            processing_time_ms=round(result.total),
            slow=result.total > SLOW,
            failed=result.failed,
        )


class Windows(BaseModel):
    """In the order they were looked up. last: what to give as `after` next time."""

    windows: list[WindowEvent]
    last: int
    ended: bool


class WindowsQuery(BaseModel):
    """after: only what came later than that."""

    model_config = ConfigDict(frozen=True)

    after: int = Field(default=0, ge=0, lt=2**62)


class SessionCitation(RagCitation):
    """S3's citation in a list."""

    id: UUID
    window_index: int
    created_at: datetime


class CitationDetails(SessionCitation):
    """S3's details of a citation."""

    session_id: UUID
    transcript_id: UUID
    chunk_id: UUID
    full_chunk_text: str


class SessionCitations(BaseModel):
    """By window, then rank."""

    citations: list[SessionCitation]


def cited(result: WindowResult) -> list[RagCitation]:
    """The citations of a window, best first."""
    return [RagCitation.of(citation) for citation in result.citations]


def _image(citation: LectureCitation) -> str | None:
    """Address of the page's picture with the sentence highlighted; None for a page without a printed label."""
    if not citation.page_label:
        return None
    page = {"page_index": citation.page_number - 1, "page_label": citation.page_label}
    (link,) = page_links(citation.attached.shelf, citation.attached.book, citation.sentence_id, [page])
    return str(link["image"])
