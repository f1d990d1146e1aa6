"""By which id an entry is cited and replaced."""

import sqlalchemy as sa
from alembic import op

revision = "0010"

down_revision = "0009"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Those that are there go by their own id."""
    op.add_column("faq", sa.Column("source_id", sa.String(255), nullable=False, server_default=""))
    op.execute("UPDATE faq SET source_id = id")
    op.create_index("ix_faq_source_id", "faq", ["source_id", "school", "type"], unique=True)


def downgrade() -> None:
    """Forgets it."""
    op.drop_index("ix_faq_source_id", "faq")
    op.drop_column("faq", "source_id")
