"""Feedback that was given, and what teachers say of it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"

down_revision = "0004"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """A table."""
    op.create_table(
        "feedback",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("approved", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("choices", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feedback"),
    )
    for column in ("school", "created"):
        op.create_index(f"ix_feedback_{column}", "feedback", [column])


def downgrade() -> None:
    """Forgets it."""
    op.drop_table("feedback")
