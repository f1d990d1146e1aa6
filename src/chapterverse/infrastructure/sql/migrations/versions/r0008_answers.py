"""Answers that were given, in figures."""

import sqlalchemy as sa
from alembic import op

revision = "0008"

down_revision = "0007"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """A table."""
    op.create_table(
        "answers",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("application", sa.String(32), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("scores", sa.Text(), nullable=False),
        sa.Column("band", sa.String(32), nullable=False),
        sa.Column("relevance", sa.Float(), nullable=True),
        sa.Column("says_nothing", sa.Boolean(), nullable=False),
        sa.Column("cited", sa.Text(), nullable=False),
        sa.Column("thumb", sa.String(8), nullable=True),
        sa.Column("question", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_answers"),
    )
    for column in ("school", "created"):
        op.create_index(f"ix_answers_{column}", "answers", [column])


def downgrade() -> None:
    """Forgets them."""
    op.drop_table("answers")
