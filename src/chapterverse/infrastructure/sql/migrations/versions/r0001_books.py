"""Books and their versions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"

down_revision = None

branch_labels = None

depends_on = None


def upgrade() -> None:
    """Two tables; the one that is searched is named by the book."""
    op.create_table(
        "books",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("school", sa.String(255), nullable=False),
        sa.Column("book", sa.String(255), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("authors", sa.JSON(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("active_version_id", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_books"),
        sa.UniqueConstraint("school", "book", name="uq_books_school"),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("embedding_model", sa.String(512), nullable=False),
        sa.Column("parser_version", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(64), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("sentences", sa.Integer(), nullable=True),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.ForeignKeyConstraint(["book_id"], ["books.id"], name="fk_versions_book_id", ondelete="CASCADE"),
        sa.UniqueConstraint("book_id", "version", "embedding_model", name="uq_versions_book_id"),
    )


def downgrade() -> None:
    """Drops everything the catalog knows."""
    op.drop_table("versions")
    op.drop_table("books")
