"""How long an answer took."""

import sqlalchemy as sa
from alembic import op

revision = "0021"

down_revision = "0020"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Of answers that were given before, nobody knows it."""
    op.add_column("answers", sa.Column("seconds", sa.Float(), nullable=True))


def downgrade() -> None:
    """Forgets it."""
    op.drop_column("answers", "seconds")
