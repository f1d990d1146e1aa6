"""Token buckets: how often a key, a person or an address may call."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; unlogged on PostgreSQL, so that taking a token waits for no disk. It is empty after a crash."""
    op.create_table(
        "rates",
        sa.Column("bucket", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("full_at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name="pk_rates"),
        prefixes=["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else [],
    )
    op.create_index("ix_rates_full_at", "rates", ["full_at"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("rates")
