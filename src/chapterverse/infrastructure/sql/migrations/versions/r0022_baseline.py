"""All tables of version 0.1.0. A database of an older revision has to be opened once with 0.1.0."""

from functools import partial

import sqlalchemy as sa
from alembic import op

from chapterverse.infrastructure.sql.engine import NAMING

revision = "0022"
down_revision = None
branch_labels = None
depends_on = None
SCHEMA = sa.MetaData(naming_convention=NAMING)
TIME = sa.DateTime(timezone=True)
column = partial(sa.Column, nullable=False)

sa.Table(
    "books",
    SCHEMA,
    column("id", sa.Integer, primary_key=True),
    column("school", sa.String(255)),
    column("book", sa.String(255)),
    column("title", sa.Text),
    column("authors", sa.JSON),
    column("file_name", sa.Text),
    column("created", TIME),
    column("active_version_id", sa.Integer, nullable=True),
    column("corrections", sa.JSON, nullable=True),
    column("collection", sa.String(32), server_default="books"),
    sa.UniqueConstraint("school", "collection", "book"),
)

sa.Table(
    "versions",
    SCHEMA,
    column("id", sa.Integer, primary_key=True),
    column("book_id", sa.Integer, sa.ForeignKey("books.id", ondelete="CASCADE")),
    column("version", sa.String(64)),
    column("embedding_model", sa.String(512)),
    column("parser_version", sa.String(64)),
    column("state", sa.String(16)),
    column("reason", sa.String(64), nullable=True),
    column("message", sa.Text, nullable=True),
    column("sentences", sa.Integer, nullable=True),
    column("report", sa.JSON, nullable=True),
    column("began", TIME),
    column("changed", TIME),
    column("title", sa.Text, nullable=True),
    column("authors", sa.JSON, nullable=True),
    column("batches", sa.Integer, server_default="0"),
    column("batches_done", sa.JSON, server_default="[]"),
    column("unit", sa.String(64), server_default="sentence"),
    sa.UniqueConstraint("book_id", "version", "embedding_model", "unit"),
)

sa.Table(
    "api_keys",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("scope", sa.String(16)),
    column("note", sa.Text),
    column("digest", sa.String(64)),
    column("created", TIME),
    column("expires", TIME, nullable=True),
    column("revoked", TIME, nullable=True),
)

sa.Table(
    "spending",
    SCHEMA,
    column("school", sa.String(255), primary_key=True),
    column("day", sa.Date, primary_key=True),
    column("micros", sa.BigInteger, server_default="0"),
)

sa.Table(
    "batches",
    SCHEMA,
    column("id", sa.Integer, primary_key=True),
    column("school", sa.String(255)),
    column("batch", sa.String(64)),
    column("created", TIME),
    column("began", TIME, nullable=True),
    column("due", TIME, nullable=True),
    column("job", sa.Text, nullable=True),
    column("name", sa.Text, server_default=""),
    sa.UniqueConstraint("school", "batch"),
)

sa.Table(
    "batch_essays",
    SCHEMA,
    column("batch_id", sa.Integer, sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True),
    column("number", sa.Integer, primary_key=True),
    column("state", sa.String(16)),
    column("reason", sa.String(64), nullable=True),
    column("message", sa.Text, nullable=True),
    column("changed", TIME),
)

sa.Table(
    "feedback",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("created", TIME, index=True),
    column("approved", TIME, nullable=True),
    column("answer", sa.Text),
    column("marks", sa.Text),
    column("choices", sa.Text),
    column("batch", sa.String(64), nullable=True),
    column("number", sa.Integer, nullable=True),
    column("owner", sa.String(320), nullable=True, index=True),
    column("version_of", sa.String(64), nullable=True),
    column("thumbs", sa.Text, server_default="[]"),
    sa.Index("ix_feedback_batch", "batch", "school", "number", unique=True),
)

sa.Table(
    "conversations",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("created", TIME, index=True),
    column("waiting", TIME, nullable=True),
    column("said", sa.Text),
    column("led_by", sa.String(255), server_default="", index=True),
    column("agent", sa.String(320), nullable=True),
    column("closed", TIME, nullable=True),
)

sa.Table(
    "faq",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("type", sa.String(16)),
    column("department", sa.String(255), nullable=True),
    column("conversation", sa.String(64), nullable=True),
    column("created", TIME),
    column("approved", TIME, nullable=True),
    column("question", sa.Text),
    column("answer", sa.Text),
    column("source_id", sa.String(255), server_default=""),
    column("archived", TIME, nullable=True),
    sa.Index("ix_faq_source_id", "source_id", "school", "type", unique=True),
)

sa.Table(
    "answers",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("application", sa.String(32)),
    column("created", TIME, index=True),
    column("scores", sa.Text),
    column("band", sa.String(32)),
    column("relevance", sa.Float, nullable=True),
    column("says_nothing", sa.Boolean),
    column("cited", sa.Text),
    column("thumb", sa.String(8), nullable=True),
    column("question", sa.Text, nullable=True),
    column("intent", sa.String(32), nullable=True),
    column("seconds", sa.Float, nullable=True),
)

sa.Table(
    "people",
    SCHEMA,
    column("school", sa.String(255), primary_key=True),
    column("email", sa.String(320), primary_key=True, index=True),
    column("name", sa.Text),
    column("role", sa.String(16)),
    column("created", TIME),
)

sa.Table(
    "tickets",
    SCHEMA,
    column("digest", sa.String(64), primary_key=True),
    column("purpose", sa.String(16)),
    column("school", sa.String(255)),
    column("email", sa.String(320)),
    column("expires", TIME, index=True),
    sa.ForeignKeyConstraint(
        ["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name="fk_tickets_person"
    ),
)

sa.Table(
    "lecture_sessions",
    SCHEMA,
    column("id", sa.String(36), primary_key=True),
    column("school", sa.String(255), index=True),
    column("created", TIME, index=True),
    column("books", sa.JSON),
    column("stream", sa.Text, server_default=""),
    column("begun_by", sa.String(320), nullable=True),
)

sa.Table(
    "citations",
    SCHEMA,
    column("id", sa.String(36), primary_key=True),
    column("session_id", sa.String(36), sa.ForeignKey("lecture_sessions.id", ondelete="CASCADE")),
    column("transcript_id", sa.String(36)),
    column("document_id", sa.String(36)),
    column("chunk_id", sa.String(36)),
    column("window_index", sa.Integer),
    column("rank", sa.Integer),
    column("page_number", sa.Integer),
    column("section_heading", sa.Text, nullable=True),
    column("snippet", sa.Text),
    column("relevance_score", sa.Float),
    column("created_at", TIME),
    column("collection", sa.String(32)),
    column("book", sa.String(255)),
    column("document_name", sa.Text),
    column("version", sa.String(64)),
    column("chunk", sa.String(255)),
    column("sentence", sa.String(255)),
    column("page_label", sa.Text),
    sa.Index("ix_citations_session_id", "session_id", "window_index", "rank", unique=True),
)

sa.Table(
    "lecture_windows",
    SCHEMA,
    column("number", sa.Integer, primary_key=True),
    column("session_id", sa.String(36), sa.ForeignKey("lecture_sessions.id", ondelete="CASCADE")),
    column("window_index", sa.Integer),
    column("told", sa.JSON),
    sa.Index("ix_lecture_windows_session_id", "session_id", "window_index", unique=True),
    sqlite_autoincrement=True,  # without it SQLite reuses the number of a replaced row
)

sa.Table(
    "choices",
    SCHEMA,
    column("school", sa.String(255), primary_key=True),
    column("name", sa.String(64), primary_key=True),
    column("value", sa.JSON, nullable=True),
    column("changed_by", sa.String(320)),
    column("changed", TIME),
)

sa.Table(
    "measurements",
    SCHEMA,
    column("school", sa.String(255), primary_key=True),
    column("id", sa.String(64), primary_key=True),
    column("kind", sa.String(16)),
    column("about", sa.String(255)),
    column("n", sa.Integer),
    column("seed", sa.Integer),
    column("asked_by", sa.String(320)),
    column("created", TIME),
    column("state", sa.String(16), index=True),
    column("done", sa.Integer),
    column("total", sa.Integer),
    column("message", sa.Text, nullable=True),
    column("result", sa.Text),
)

sa.Table(
    "providers",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("title", sa.Text),
    column("issuer", sa.Text),
    column("client", sa.Text),
    column("told", sa.JSON),
)

sa.Table(
    "accounts",
    SCHEMA,
    column("school", sa.String(255), primary_key=True),
    column("issuer", sa.String(255), primary_key=True),
    column("subject", sa.String(255), primary_key=True),
    column("email", sa.String(320)),
    sa.ForeignKeyConstraint(
        ["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name="fk_accounts_person"
    ),
)

sa.Table(
    "lti_platforms",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("issuer", sa.String(255)),
    column("client_id", sa.String(255)),
    column("told", sa.JSON),
    column("created", TIME),
    sa.Index("ix_lti_platforms_issuer", "issuer", "client_id", unique=True),
)

sa.Table(
    "lti_pending",
    SCHEMA,
    column("digest", sa.String(64), primary_key=True),
    column("platform", sa.String(64), sa.ForeignKey("lti_platforms.id", ondelete="CASCADE")),
    column("told", sa.JSON),
    column("expires", TIME, index=True),
)

sa.Table(
    "lti_guests",
    SCHEMA,
    column("platform", sa.String(64), sa.ForeignKey("lti_platforms.id", ondelete="CASCADE"), primary_key=True),
    column("subject", sa.String(255), primary_key=True),
    column("school", sa.String(255)),
    column("email", sa.String(320)),
    column("role", sa.String(16), nullable=True),
)

sa.Table(
    "lti_assignments",
    SCHEMA,
    column("id", sa.String(64), primary_key=True),
    column("school", sa.String(255), index=True),
    column("platform", sa.String(64), sa.ForeignKey("lti_platforms.id", ondelete="CASCADE")),
    column("link", sa.String(255)),
    column("title", sa.Text),
    column("instructions", sa.Text),
    column("books", sa.JSON),
    column("most", sa.Float),
    column("services", sa.JSON),
    column("created", TIME),
    sa.Index("ix_lti_assignments_platform", "platform", "link"),
)

sa.Table(
    "lti_handed_in",
    SCHEMA,
    column("assignment", sa.String(64), sa.ForeignKey("lti_assignments.id", ondelete="CASCADE"), primary_key=True),
    column("email", sa.String(320), primary_key=True),
    column("school", sa.String(255)),
    column("feedback", sa.String(64), nullable=True),
    column("at", TIME),
    column("score", sa.JSON, nullable=True),
)


def upgrade() -> None:
    """Create all tables."""
    SCHEMA.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """Drop all tables."""
    SCHEMA.drop_all(op.get_bind())
