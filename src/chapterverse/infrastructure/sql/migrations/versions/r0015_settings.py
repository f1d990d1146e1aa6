"""What schools set and have measured for themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0015"

down_revision = "0014"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "choices",
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.JSON(), nullable=True),
        sa.Column("changed_by", sa.String(320), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("school", "name", name="pk_choices"),
    )
    op.create_table(
        "measurements",
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("about", sa.String(255), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.String(320), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("school", "id", name="pk_measurements"),
    )
    op.create_index("ix_measurements_state", "measurements", ["state"])


def downgrade() -> None:
    """Forgets them."""
    op.drop_table("measurements")
    op.drop_table("choices")
