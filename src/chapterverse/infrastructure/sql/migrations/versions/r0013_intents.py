"""What kind of question an answer was to."""

import sqlalchemy as sa
from alembic import op

revision = "0013"

down_revision = "0012"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Of answers that were given before, nobody knows it."""
    op.add_column("answers", sa.Column("intent", sa.String(32), nullable=True))


def downgrade() -> None:
    """Forgets it."""
    op.drop_column("answers", "intent")
