"""Lectures, and the citations that appeared beside them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"

down_revision = "0011"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two tables; citations go with their lecture."""
    op.create_table(
        "lecture_sessions",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("books", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lecture_sessions"),
    )
    op.create_index("ix_lecture_sessions_school", "lecture_sessions", ["school"])
    op.create_index("ix_lecture_sessions_created", "lecture_sessions", ["created"])
    uuids = ("id", "session_id", "transcript_id", "document_id", "chunk_id")
    op.create_table(
        "citations",
        *(sa.Column(name, sa.String(36), nullable=False) for name in uuids),
        sa.Column("window_index", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("page_number", sa.Integer(), nullable=False),
        sa.Column("section_heading", sa.Text(), nullable=True),
        sa.Column("snippet", sa.Text(), nullable=False),
        sa.Column("relevance_score", sa.Float(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("collection", sa.String(32), nullable=False),
        sa.Column("book", sa.String(255), nullable=False),
        sa.Column("document_name", sa.Text(), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("chunk", sa.String(255), nullable=False),
        sa.Column("sentence", sa.String(255), nullable=False),
        sa.Column("page_label", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["lecture_sessions.id"], name="fk_citations_session_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_citations"),
    )
    op.create_index("ix_citations_session_id", "citations", ["session_id", "window_index", "rank"], unique=True)


def downgrade() -> None:
    """Forgets them."""
    op.drop_table("citations")
    op.drop_table("lecture_sessions")
