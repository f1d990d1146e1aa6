"""What the stores in the catalog's database have in common: its connections, and transactions that read or write."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, delete
from sqlalchemy.orm import InstrumentedAttribute, Session

from chapterverse.adapters.sql_engine import Database, database_errors_as_ours, leave_no_trace, reading, writing
from chapterverse.errors import NotFound

Row = TypeVar("Row")


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

    def _forget(self, id: InstrumentedAttribute[Any], *which: ColumnElement[bool]) -> int:
        """Delete the rows, of the table that the column is of; how many there were. No file of the database has their words
        then, nor of what was deleted before, while somebody was reading."""
        with self._writing() as session:
            gone = session.scalars(delete(id.class_).where(*which).returning(id)).all()
        leave_no_trace(self._database.engine)
        return len(gone)


def found(session: Session, wanted: Select[Row], missing: NotFound, *, alone: bool = False) -> Row:
    """The row; alone: nobody else writes it until the transaction ends. Raises `missing` where there is none."""
    row = session.scalar(wanted.with_for_update() if alone else wanted)
    if row is None:
        raise missing
    return row


def storable(id: str) -> str:
    """The id, or one that nothing has: no database takes a NUL or half a character."""
    return id if id.isprintable() else ""
