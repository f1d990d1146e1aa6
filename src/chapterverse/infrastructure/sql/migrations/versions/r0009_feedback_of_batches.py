"""Which essay of which batch feedback is on."""

import sqlalchemy as sa
from alembic import op

revision = "0009"

down_revision = "0008"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two columns; there is one feedback an essay. No table is made anew: the old one would leave words in the file."""
    op.add_column("feedback", sa.Column("batch", sa.String(64), nullable=True))
    op.add_column("feedback", sa.Column("number", sa.Integer(), nullable=True))
    op.create_index("ix_feedback_batch", "feedback", ["batch", "school", "number"], unique=True)


def downgrade() -> None:
    """Forgets it."""
    op.drop_index("ix_feedback_batch", "feedback")
    op.drop_column("feedback", "number")
    op.drop_column("feedback", "batch")
