"""Who may sign in, and what proves it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"

down_revision = "0010"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "people",
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("school", "email", name="pk_people"),
    )
    op.create_index("ix_people_email", "people", ["email"])
    op.create_table(
        "tickets",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("purpose", sa.String(16), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_tickets"),
        sa.ForeignKeyConstraint(
            ["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name="fk_tickets_person"
        ),
    )
    op.create_index("ix_tickets_expires", "tickets", ["expires"])


def downgrade() -> None:
    """Forgets them."""
    op.drop_table("tickets")
    op.drop_table("people")
