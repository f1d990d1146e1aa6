"""Alembic runs this file; the caller hands over its connection, in a transaction that also holds the lock."""

from alembic import context

from chapterverse.infrastructure.sql.engine import CatalogTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=CatalogTable.metadata,
    render_as_batch=True,  # SQLite cannot alter most of a table: it is copied
)

context.run_migrations()
