"""What the stores in the catalog's database have in common: its connections, and transactions that read or write."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from chapterverse.adapters.sql_engine import Database, database_errors_as_ours, reading, writing


class SqlStore:
    """A store in any database that SQLAlchemy speaks; the first call opens it and brings its tables up to date.

    database: one that other stores share, or the address of one of its own. No transaction of a store may begin another."""

    def __init__(self, database: Database | str) -> None:
        self._database = Database(database) if isinstance(database, str) else database

    def close(self) -> None:
        """Give the database's connections back; another store that shares them takes new ones."""
        self._database.close()

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with database_errors_as_ours(), Session(reading(self._database.engine)) as session:
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """Rows that are read in it can be held (sql_rows.book_row)."""
        with (
            database_errors_as_ours(),
            Session(writing(self._database.engine), info={"writes": True}) as session,
            session.begin(),
        ):
            yield session


def storable(id: str) -> str:
    """The id, or one that nothing has: no database takes a NUL or half a character."""
    return id if id.isprintable() else ""
