"""Indexing in batches, what an uploader calls a book, a teacher's corrections, API keys."""

import sqlalchemy as sa
from alembic import op

revision = "0002"

down_revision = "0001"

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Columns that rows of before have nothing in, and a table."""
    op.add_column("versions", sa.Column("title", sa.Text(), nullable=True))
    op.add_column("versions", sa.Column("authors", sa.JSON(), nullable=True))
    op.add_column("versions", sa.Column("batches", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("versions", sa.Column("batches_done", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("books", sa.Column("corrections", sa.JSON(), nullable=True))
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("scope", sa.String(16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
    )
    op.create_index("ix_api_keys_school", "api_keys", ["school"])


def downgrade() -> None:
    """Drops the keys, the corrections, and how far indexing has come."""
    op.drop_table("api_keys")
    with op.batch_alter_table("books") as books:
        books.drop_column("corrections")
    with op.batch_alter_table("versions") as versions:
        for name in ("title", "authors", "batches", "batches_done"):
            versions.drop_column(name)
