"""Schools' own sign-ins, and whose account there is whose."""

import sqlalchemy as sa
from alembic import op

revision = "0016"

down_revision = "0015"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "providers",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_providers"),
    )
    op.create_index("ix_providers_school", "providers", ["school"])
    op.create_table(
        "accounts",
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("issuer", sa.String(255), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("email", sa.String(320), nullable=False),
        sa.ForeignKeyConstraint(
            ["school", "email"], ["people.school", "people.email"], name="fk_accounts_person", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("school", "issuer", "subject", name="pk_accounts"),
    )


def downgrade() -> None:
    """Forgets them."""
    op.drop_table("accounts")
    op.drop_table("providers")
