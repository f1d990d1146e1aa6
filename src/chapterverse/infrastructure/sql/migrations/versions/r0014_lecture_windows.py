"""Windows of lectures, and where the windowing of each stands."""

import sqlalchemy as sa
from alembic import op

revision = "0014"

down_revision = "0013"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """A table and a column."""
    op.create_table(
        "lecture_windows",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("session_id", sa.String(36), nullable=False),
        sa.Column("window_index", sa.Integer(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["lecture_sessions.id"], name="fk_lecture_windows_session_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_lecture_windows"),
        sqlite_autoincrement=True,  # or SQLite gives the last number again when its row is replaced
    )
    op.create_index("ix_lecture_windows_session_id", "lecture_windows", ["session_id", "window_index"], unique=True)
    op.add_column("lecture_sessions", sa.Column("stream", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Forgets them."""
    op.drop_column("lecture_sessions", "stream")
    op.drop_table("lecture_windows")
