"""Who leads a conversation, who of the agents has it, and when it was closed; entries that are put aside."""

import sqlalchemy as sa
from alembic import op

revision = "0018"

down_revision = "0017"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Columns. Programs led what there is so far, and keep the ids themselves: it is in nobody's list."""
    op.add_column("conversations", sa.Column("led_by", sa.String(255), nullable=False, server_default=""))
    op.add_column("conversations", sa.Column("agent", sa.String(320), nullable=True))
    op.add_column("conversations", sa.Column("closed", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_conversations_led_by", "conversations", ["led_by"])
    op.add_column("faq", sa.Column("archived", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Forgets them."""
    op.drop_column("faq", "archived")
    op.drop_index("ix_conversations_led_by", "conversations")
    op.drop_column("conversations", "closed")
    op.drop_column("conversations", "agent")
    op.drop_column("conversations", "led_by")
