"""What a teacher calls a batch of essays."""

import sqlalchemy as sa
from alembic import op

revision = "0019"

down_revision = "0018"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """A column."""
    op.add_column("batches", sa.Column("name", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Forgets them."""
    op.drop_column("batches", "name")
