"""Files that students hand in at a learning platform, and their answers to the terms there."""

from functools import partial

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None
TIME = sa.DateTime(timezone=True)
column = partial(sa.Column, nullable=False)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "lti_hand_ins",
        column("id", sa.String(64)),
        column("school", sa.String(255)),
        column("platform", sa.String(64)),
        column("assignment", sa.String(64)),
        column("feedback", sa.String(64), nullable=True),
        column("state", sa.String(16)),
        column("at", TIME),
        column("details", sa.JSON),
        sa.PrimaryKeyConstraint("id", name="pk_lti_hand_ins"),
        sa.ForeignKeyConstraint(["platform"], ["lti_platforms.id"], ondelete="CASCADE", name="fk_lti_hand_ins_platform"),
    )
    op.create_index("ix_lti_hand_ins_school", "lti_hand_ins", ["school"])
    op.create_index("ix_lti_hand_ins_platform", "lti_hand_ins", ["platform"])
    op.create_index("ix_lti_hand_ins_feedback", "lti_hand_ins", ["feedback"])
    op.create_index("ix_lti_hand_ins_state", "lti_hand_ins", ["state", "at"])
    op.create_table(
        "lti_agreements",
        column("platform", sa.String(64)),
        column("subject", sa.String(255)),
        column("accepted", sa.Boolean),
        column("at", TIME),
        sa.PrimaryKeyConstraint("platform", "subject", name="pk_lti_agreements"),
        sa.ForeignKeyConstraint(["platform"], ["lti_platforms.id"], ondelete="CASCADE", name="fk_lti_agreements_platform"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("lti_agreements")
    op.drop_table("lti_hand_ins")
