"""Lectures: a name, how citations are numbered, when it is deleted, the code by which it is followed, whether it has ended."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None
TABLE = "lecture_sessions"
COLUMNS = ("name", "numbering", "expires", "code", "ended")


def upgrade() -> None:
    """Add the columns. The lectures that are there have no name, and are deleted after the operator's days."""
    op.add_column(TABLE, sa.Column("name", sa.Text, nullable=False, server_default=""))
    op.add_column(TABLE, sa.Column("numbering", sa.String(16), nullable=False, server_default="window"))
    op.add_column(TABLE, sa.Column("expires", sa.DateTime(timezone=True), nullable=True))
    op.add_column(TABLE, sa.Column("code", sa.String(16), nullable=True))
    op.add_column(TABLE, sa.Column("ended", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_lecture_sessions_expires", TABLE, ["expires"])
    op.create_index("ix_lecture_sessions_code", TABLE, ["code"], unique=True)


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index("ix_lecture_sessions_code", TABLE)
    op.drop_index("ix_lecture_sessions_expires", TABLE)
    for column in COLUMNS:
        op.drop_column(TABLE, column)
