"""Conversations with the help desk, and questions that are answered once and for all."""

import sqlalchemy as sa
from alembic import op

revision = "0007"

down_revision = "0006"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("waiting", sa.DateTime(timezone=True), nullable=True),
        sa.Column("said", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
    )
    op.create_table(
        "faq",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("department", sa.String(255), nullable=True),
        sa.Column("conversation", sa.String(64), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("approved", sa.DateTime(timezone=True), nullable=True),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_faq"),
    )
    for table, column in (("conversations", "school"), ("conversations", "created"), ("faq", "school")):
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    """Forgets them."""
    op.drop_table("faq")
    op.drop_table("conversations")
