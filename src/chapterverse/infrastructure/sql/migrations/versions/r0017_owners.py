"""Who handed an essay in, what it is a new version of, and what they think of its feedback."""

import sqlalchemy as sa
from alembic import op

revision = "0017"

down_revision = "0016"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Of feedback that was given before, nobody knows whose it is."""
    op.add_column("feedback", sa.Column("owner", sa.String(320), nullable=True))
    op.add_column("feedback", sa.Column("version_of", sa.String(64), nullable=True))
    op.add_column("feedback", sa.Column("thumbs", sa.Text(), nullable=False, server_default="[]"))
    op.create_index("ix_feedback_owner", "feedback", ["owner"])


def downgrade() -> None:
    """Forgets it."""
    op.drop_index("ix_feedback_owner", "feedback")
    for name in ("owner", "version_of", "thumbs"):
        op.drop_column("feedback", name)
