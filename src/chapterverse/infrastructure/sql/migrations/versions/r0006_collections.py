"""Books in collections, versions in units."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op

revision = "0006"

down_revision = "0005"

branch_labels = None

depends_on = None

OF_BOOKS, OF_VERSIONS = "uq_books_school", "uq_versions_book_id"


def upgrade() -> None:
    """What was there before is books, indexed in sentences."""
    with _versions_aside(), op.batch_alter_table("books") as books:
        books.add_column(sa.Column("collection", sa.String(32), nullable=False, server_default="books"))
        books.drop_constraint(OF_BOOKS, type_="unique")
        books.create_unique_constraint(OF_BOOKS, ["school", "collection", "book"])
    with op.batch_alter_table("versions") as versions:
        versions.add_column(sa.Column("unit", sa.String(64), nullable=False, server_default="sentence"))
        versions.drop_constraint(OF_VERSIONS, type_="unique")
        versions.create_unique_constraint(OF_VERSIONS, ["book_id", "version", "embedding_model", "unit"])


def downgrade() -> None:
    """Forgets every collection but the books."""
    op.execute("DELETE FROM versions WHERE unit <> 'sentence'")
    op.execute("DELETE FROM books WHERE collection <> 'books'")
    with op.batch_alter_table("versions") as versions:
        versions.drop_constraint(OF_VERSIONS, type_="unique")
        versions.drop_column("unit")
        versions.create_unique_constraint(OF_VERSIONS, ["book_id", "version", "embedding_model"])
    with _versions_aside(), op.batch_alter_table("books") as books:
        books.drop_constraint(OF_BOOKS, type_="unique")
        books.drop_column("collection")
        books.create_unique_constraint(OF_BOOKS, ["school", "book"])


@contextmanager
def _versions_aside() -> Iterator[None]:
    """SQLite alters a table by copying it and dropping the old one, with which it would delete the versions of every book."""
    if op.get_bind().dialect.name != "sqlite":
        yield
        return
    op.execute("CREATE TABLE versions_aside AS SELECT * FROM versions")
    op.execute("DELETE FROM versions")
    yield
    op.execute("INSERT INTO versions SELECT * FROM versions_aside")
    op.execute("DROP TABLE versions_aside")
