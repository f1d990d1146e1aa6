"""Requests and responses of lectures: S3's schemas and some more fields. `of` makes a response from the facts."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Self
from urllib.parse import quote
from uuid import UUID

from pydantic import Field

from chapterverse.assignments.service import written_code
from chapterverse.core.book import Collection
from chapterverse.core.requests import PREFIX, Record, Request, picture_address
from chapterverse.lectures.citing import LectureContext
from chapterverse.lectures.model import Id, LectureCitation, LectureDetails, LectureSession, SessionDocument, WindowResult
from chapterverse.lectures.service import is_running, state_of
from chapterverse.messages import in_words, message

MAX_SEGMENTS = 500  # of one request
MAX_CHARACTERS = 4000  # characters of a window; one of 150 words has about 900
Uuid = Annotated[UUID, Field(strict=False)]  # JSON has no UUIDs


class SessionRequest(LectureDetails, extra="forbid"):
    """A lecture. documents: attached ones, by id, or by UUID in citations; null: none, or as before."""

    documents: list[Id] | None = Field(default=None, max_length=100)

    @property
    def details(self) -> LectureDetails:
        """Without the documents."""
        return LectureDetails(**self.model_dump())


class Session(LectureDetails):
    """A lecture with its documents. name: never empty; expires_at: when it is deleted. code: by which others of the
    school follow it, null while it is not shared or for those who may not change it. is_running: whether somebody may still
    speak; may_change: whether the caller may change it."""

    id: UUID
    created_at: datetime
    expires_at: datetime
    code: str | None
    is_running: bool
    may_change: bool
    documents: list[SessionDocument]

    @classmethod
    def of(cls, session: LectureSession, context: LectureContext, *, may_change: bool) -> Self:
        """The session as a caller sees it, in the reader's language. Raises CatalogUnavailable."""
        books = [state_of(session.school, each, context) for each in session.books]
        return cls(
            **dict(session.decided) | {"name": session.decided.name or _name_for(session, books)},
            id=session.id,
            created_at=session.created,
            expires_at=session.created + timedelta(days=context.days),
            code=written_code(session.code) if session.code and may_change else None,
            is_running=is_running(session, context),
            may_change=may_change,
            documents=books,
        )


class RagRequest(Request):
    """A window made by the caller; window_index: for ordering (S3)."""

    session_id: Uuid
    transcript_text: str = Field(min_length=1, max_length=MAX_CHARACTERS)
    window_index: int = Field(ge=0, lt=10**9, strict=False)  # JSON does not distinguish 7 and 7.0


class LinkedCitation(LectureCitation):
    """A citation with its links. sentence: address of the sentence in its context; image: of the page's picture with the
    sentence highlighted, null without pages."""

    sentence: str
    image: str | None

    @classmethod
    def of(cls, citation: LectureCitation, **more: str) -> Self:
        """more: fields of a subclass."""
        image = None
        if citation.page_label:
            at = citation.document, citation.sentence_id, citation.page_number - 1
            image = picture_address(Collection.LECTURES, *at)
        sentence = f"{PREFIX}/evidence/{quote(citation.sentence_id, safe='')}"
        return cls.model_validate({**dict(citation), "sentence": sentence, "image": image, **more})


class CitationDetails(LinkedCitation):
    """A citation with its whole paragraph."""

    full_chunk_text: str


class QueryMetadata(Record):
    """Metadata as S3 defines it. keywords: words of the window that stand in the first cited paragraph; expanded_concepts:
    headings of the citations. failed: the stage that failed, or "dropped", null if none did."""

    keywords: tuple[str, ...]
    expanded_concepts: list[str]
    processing_time_ms: int
    failed: str | None


class WindowEvent(Record):
    """A searched window. start, end: in seconds; segments: its segments; citations belong to the last one: at most three, best
    first, none if nothing is near enough or a service was unavailable. text: what was said since the window before, empty
    unless the school keeps transcripts."""

    window_index: int
    start: float
    end: float
    segments: list[str]
    text: str
    citations: list[LinkedCitation]
    query_metadata: QueryMetadata

    @classmethod
    def of(cls, result: WindowResult) -> Self:
        window, cited = result.window, [LinkedCitation.of(citation) for citation in result.citations]
        return cls(
            window_index=window.index,
            start=window.start,
            end=window.end,
            segments=list(window.segments),
            text=window.text,
            citations=cited,
            query_metadata=QueryMetadata(
                keywords=result.keywords,
                expanded_concepts=list(dict.fromkeys(one.section_heading for one in cited if one.section_heading)),
                processing_time_ms=round(result.milliseconds),
                failed=result.failed,
            ),
        )


class Windows(Record):
    """Windows in the order searched. last: the value of `after` for the next request."""

    windows: list[WindowEvent]
    last: int
    ended: bool


def _name_for(session: LectureSession, books: Sequence[SessionDocument]) -> str:
    """A name for a lecture that has none, in the reader's language."""
    from babel.dates import format_date

    from chapterverse.web.language import readers_language

    language = readers_language()
    date = format_date(session.created, "long", locale=language)
    of_date, title = message("lecture_of_date", date=date), books[0].document_name if books else ""
    return in_words(message("lecture_of_book", title=title, date=date) if books else of_date, language)
