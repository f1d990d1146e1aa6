"""Who began a lecture."""

import sqlalchemy as sa
from alembic import op

revision = "0022"

down_revision = "0021"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Of lectures that were begun before, nobody knows it: teachers alone change those."""
    op.add_column("lecture_sessions", sa.Column("begun_by", sa.String(320), nullable=True))


def downgrade() -> None:
    """Forgets it."""
    op.drop_column("lecture_sessions", "begun_by")
