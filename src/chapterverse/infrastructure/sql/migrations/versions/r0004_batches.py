"""Batches of essays and how far each essay has come."""

import sqlalchemy as sa
from alembic import op

revision = "0004"

down_revision = "0003"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "batches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("batch", sa.String(64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due", sa.DateTime(timezone=True), nullable=True),
        sa.Column("job", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_batches"),
        sa.UniqueConstraint("school", "batch", name="uq_batches_school"),
    )
    op.create_table(
        "batch_essays",
        sa.Column("batch_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(64), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("batch_id", "number", name="pk_batch_essays"),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name="fk_batch_essays_batch_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Forgets them."""
    op.drop_table("batch_essays")
    op.drop_table("batches")
