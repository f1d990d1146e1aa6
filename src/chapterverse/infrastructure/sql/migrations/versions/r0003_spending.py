"""What language models have cost, by school and day."""

import sqlalchemy as sa
from alembic import op

revision = "0003"

down_revision = "0002"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """A table."""
    op.create_table(
        "spending",
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("micros", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("school", "day", name="pk_spending"),
    )


def downgrade() -> None:
    """Forgets it."""
    op.drop_table("spending")
