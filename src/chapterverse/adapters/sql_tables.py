"""The catalog's tables, for SQLite and PostgreSQL alike. A change here needs a migration; a test compares the two."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Date,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from chapterverse.adapters import sql_tables_of_lti  # noqa: F401  # tables of the catalog, too
from chapterverse.adapters.sql_message import MessageText
from chapterverse.adapters.sql_table import NEWEST, Table, UtcTime
from chapterverse.adapters.sql_tables_of_accounts import AccountRow, ProviderRow
from chapterverse.adapters.sql_tables_of_batches import BatchRow, EssayRow
from chapterverse.adapters.sql_tables_of_desk import ConversationRow, FaqRow
from chapterverse.adapters.sql_tables_of_settings import ChoiceRow, MeasurementRow
from chapterverse.messages import Message

__all__ = [
    "NEWEST",
    "AccountRow",
    "AnswerRow",
    "BatchRow",
    "BookRow",
    "ChoiceRow",
    "CitationRow",
    "ConversationRow",
    "EssayRow",
    "FaqRow",
    "FeedbackRow",
    "KeyRow",
    "LectureRow",
    "LectureWindowRow",
    "MeasurementRow",
    "PersonRow",
    "ProviderRow",
    "SpendingRow",
    "Table",
    "TicketRow",
    "UtcTime",
    "VersionRow",
]


class VersionRow(Table):
    """One file's bytes as one book, cut into one unit, embedded by one model. A higher id was begun later."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("book_id", "version", "embedding_model", "unit"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    book_id: Mapped[int] = mapped_column(ForeignKey("books.id", ondelete="CASCADE"))
    version: Mapped[str] = mapped_column(String(64))
    embedding_model: Mapped[str] = mapped_column(String(512))
    unit: Mapped[str] = mapped_column(String(64), server_default="sentence")
    parser_version: Mapped[str] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(String(64))
    message: Mapped[Message | None] = mapped_column(MessageText)
    sentences: Mapped[int | None]
    report: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    title: Mapped[str | None] = mapped_column(Text)  # as the uploader calls the book, if he does
    authors: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    batches: Mapped[int] = mapped_column(server_default="0")
    batches_done: Mapped[list[int]] = mapped_column(JSON, server_default="[]")  # their numbers
    began: Mapped[datetime] = mapped_column(UtcTime)
    changed: Mapped[datetime] = mapped_column(UtcTime)
    book: Mapped["BookRow"] = relationship(back_populates="versions")


class BookRow(Table):
    """One book in one collection of one school."""

    __tablename__ = "books"
    __table_args__ = (UniqueConstraint("school", "collection", "book"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    collection: Mapped[str] = mapped_column(String(32), server_default="books")
    book: Mapped[str] = mapped_column(String(255))
    title: Mapped[str] = mapped_column(Text)
    authors: Mapped[list[str]] = mapped_column(JSON)
    file_name: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(UtcTime)
    active_version_id: Mapped[int | None] = mapped_column(Integer)  # no foreign key: the two tables would need each other
    corrections: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    versions: Mapped[list[VersionRow]] = relationship(
        back_populates="book", order_by=VersionRow.id.desc(), cascade="all, delete-orphan", passive_deletes=True
    )


class KeyRow(Table):
    """A school's API key; of its secret only the digest."""

    __tablename__ = "api_keys"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    scope: Mapped[str] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    expires: Mapped[datetime | None] = mapped_column(UtcTime)
    revoked: Mapped[datetime | None] = mapped_column(UtcTime)


class PersonRow(Table):
    """Somebody who may sign in."""

    __tablename__ = "people"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), primary_key=True, index=True)
    name: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(16))
    created: Mapped[datetime] = mapped_column(UtcTime)


class TicketRow(Table):
    """What proves who somebody is; of its secret only the digest."""

    __tablename__ = "tickets"
    __table_args__ = (
        ForeignKeyConstraint(
            ["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name="fk_tickets_person"
        ),
    )

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
    school: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(320))
    expires: Mapped[datetime] = mapped_column(UtcTime, index=True)


class SpendingRow(Table):
    """What language models have cost a school in a day, UTC; micros: millionths of the currency that prices are in."""

    __tablename__ = "spending"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    micros: Mapped[int] = mapped_column(BigInteger, server_default="0")


class FeedbackRow(Table):
    """Feedback that was given. What students and teachers wrote is JSON in texts: no database looks into it."""

    __tablename__ = "feedback"
    __table_args__ = (Index(None, "batch", "school", "number", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    approved: Mapped[datetime | None] = mapped_column(UtcTime)
    answer: Mapped[str] = mapped_column(Text)
    marks: Mapped[str] = mapped_column(Text)
    choices: Mapped[str] = mapped_column(Text)
    batch: Mapped[str | None] = mapped_column(String(64))  # with the number of its essay; none: given in real time
    number: Mapped[int | None]
    owner: Mapped[str | None] = mapped_column(String(320), index=True)  # e-mail address of whoever handed it in
    version_of: Mapped[str | None] = mapped_column(String(64))  # an id; of what is there no more, perhaps
    thumbs: Mapped[str] = mapped_column(Text, default="[]", server_default="[]")


class LectureRow(Table):
    """A lecture that is listened to. books: each with its file's collection. stream: where its windowing stands, as JSON.
    begun_by: an e-mail address."""

    __tablename__ = "lecture_sessions"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    books: Mapped[list[list[str]]] = mapped_column(JSON)
    stream: Mapped[str] = mapped_column(Text, server_default="")
    begun_by: Mapped[str | None] = mapped_column(String(320))


class LectureWindowRow(Table):
    """A window of a lecture that was looked up: when it was said, how long that took, and what was away. None of its words."""

    __tablename__ = "lecture_windows"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("lecture_sessions.id", ondelete="CASCADE"))
    window_index: Mapped[int]
    told: Mapped[dict[str, Any]] = mapped_column(JSON)
    __table_args__ = (Index(None, "session_id", "window_index", unique=True), {"sqlite_autoincrement": True})


class CitationRow(Table):
    """A sentence of a book that appeared beside a window of a lecture (S3, "Entities"): of what was said, nothing."""

    __tablename__ = "citations"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("lecture_sessions.id", ondelete="CASCADE"))
    transcript_id: Mapped[str] = mapped_column(String(36))
    window_index: Mapped[int]
    rank: Mapped[int]
    document_id: Mapped[str] = mapped_column(String(36))
    chunk_id: Mapped[str] = mapped_column(String(36))
    page_number: Mapped[int]
    section_heading: Mapped[str | None] = mapped_column(Text)
    snippet: Mapped[str] = mapped_column(Text)
    relevance_score: Mapped[float] = mapped_column(Float)
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    collection: Mapped[str] = mapped_column(String(32))
    book: Mapped[str] = mapped_column(String(255))
    document_name: Mapped[str] = mapped_column(Text)
    version: Mapped[str] = mapped_column(String(64))
    chunk: Mapped[str] = mapped_column(String(255))  # our own ids
    sentence: Mapped[str] = mapped_column(String(255))
    page_label: Mapped[str] = mapped_column(Text)
    __table_args__ = (Index(None, "session_id", "window_index", "rank", unique=True),)


class AnswerRow(Table):
    """An answer that was given, in figures. scores, cited: JSON in texts. question: where somebody handed it in."""

    __tablename__ = "answers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    application: Mapped[str] = mapped_column(String(32))
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    scores: Mapped[str] = mapped_column(Text)
    band: Mapped[str] = mapped_column(String(32))
    relevance: Mapped[float | None] = mapped_column(Float)
    says_nothing: Mapped[bool] = mapped_column(Boolean)
    cited: Mapped[str] = mapped_column(Text)
    intent: Mapped[str | None] = mapped_column(String(32))
    thumb: Mapped[str | None] = mapped_column(String(8))
    question: Mapped[str | None] = mapped_column(Text)
    seconds: Mapped[float | None] = mapped_column(Float)
