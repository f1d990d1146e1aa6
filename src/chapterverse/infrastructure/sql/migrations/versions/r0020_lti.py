"""Learning platforms, whom they have sent, and assignments."""

import sqlalchemy as sa
from alembic import op

revision = "0020"

down_revision = "0019"

branch_labels = None

depends_on = None

TABLES = ("lti_handed_in", "lti_assignments", "lti_guests", "lti_pending", "lti_platforms")


def upgrade() -> None:
    """Five tables."""
    _platforms()
    _assignments()


def _platforms() -> None:
    op.create_table(
        "lti_platforms",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("issuer", sa.String(255), nullable=False),
        sa.Column("client_id", sa.String(255), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lti_platforms"),
    )
    op.create_index("ix_lti_platforms_school", "lti_platforms", ["school"])
    op.create_index("ix_lti_platforms_issuer", "lti_platforms", ["issuer", "client_id"], unique=True)
    op.create_table(
        "lti_pending",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("platform", sa.String(64), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_lti_pending"),
        _of("lti_platforms", "platform", "lti_pending"),
    )
    op.create_index("ix_lti_pending_expires", "lti_pending", ["expires"])
    op.create_table(
        "lti_guests",
        sa.Column("platform", sa.String(64), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("role", sa.String(16), nullable=True),
        sa.PrimaryKeyConstraint("platform", "subject", name="pk_lti_guests"),
        _of("lti_platforms", "platform", "lti_guests"),
    )


def _assignments() -> None:
    op.create_table(
        "lti_assignments",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("platform", sa.String(64), nullable=False),
        sa.Column("link", sa.String(255), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("books", sa.JSON(), nullable=False),
        sa.Column("most", sa.Float(), nullable=False),
        sa.Column("services", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lti_assignments"),
        _of("lti_platforms", "platform", "lti_assignments"),
    )
    op.create_index("ix_lti_assignments_school", "lti_assignments", ["school"])
    op.create_index("ix_lti_assignments_platform", "lti_assignments", ["platform", "link"])
    op.create_table(
        "lti_handed_in",
        sa.Column("assignment", sa.String(64), nullable=False),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("feedback", sa.String(64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("score", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("assignment", "email", name="pk_lti_handed_in"),
        _of("lti_assignments", "assignment", "lti_handed_in"),
    )


def _of(other: str, column: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], ondelete="CASCADE", name=f"fk_{table}_{column}")


def downgrade() -> None:
    """Forgets them."""
    for table in TABLES:
        op.drop_table(table)
