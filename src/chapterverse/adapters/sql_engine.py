"""A database ready for the catalog: opened, set up for many writers, its tables brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DatabaseError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft
from sqlalchemy.pool import ConnectionPoolEntry

from chapterverse.adapters.sql_tables import NEWEST
from chapterverse.errors import CatalogUnavailable

if TYPE_CHECKING:
    from alembic.config import Config

BUSY_SECONDS = 30  # how long one writer waits for another on SQLite; a transaction of ours takes milliseconds
WAIT_SECONDS = 10  # how long a thread waits for one of PostgreSQL's connections
ON_POSTGRESQL: dict[str, Any] = {"connect_timeout": 3, "tcp_user_timeout": 10_000, "keepalives_idle": 30}
"""How soon a server that is gone is noticed; seconds, milliseconds, seconds (PostgreSQL's documentation of libpq)."""


class Database:
    """A database that is opened at its first use, and tried again at the next where it did not answer: who needs it can start
    before it does. The stores of a process share one, and with it its connections."""

    def __init__(self, url: str) -> None:
        self._url, self._opening, self._opened = url, Lock(), list[Engine]()

    @property
    def engine(self) -> Engine:
        """Ready to be used. Raises CatalogUnavailable."""
        with self._opening:
            if not self._opened:
                self._opened.append(open_database(self._url))
            return self._opened[0]

    def close(self) -> None:
        """Give its connections back; the next use takes new ones."""
        for engine in self._opened:
            engine.dispose()


def open_database(url: str) -> Engine:
    """An engine whose tables are at the newest version, however many processes open it at once. Raises CatalogUnavailable."""
    engine = _sqlite(url) if make_url(url).get_backend_name() == "sqlite" else open_postgresql(url)
    with database_errors_as_ours():
        if not _is_up_to_date(engine):
            _bring_up_to_date(engine)
    return engine


def _is_up_to_date(engine: Engine) -> bool:
    """Asked without Alembic, which a cold start does not want to load for nothing."""
    with engine.connect() as connection:
        begun = inspect(connection).has_table("alembic_version")
        return begun and connection.scalar(text("SELECT version_num FROM alembic_version")) == NEWEST


def _bring_up_to_date(engine: Engine) -> None:
    from alembic import command

    with writing(engine).begin() as connection:
        if connection.dialect.name == "postgresql":  # on SQLite a transaction that writes holds the lock from its start
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": advisory("migrations")})
        command.upgrade(migrations(connection), "head")


def writing(engine: Engine) -> Engine:
    """The same database, for transactions that write: on SQLite only one at a time, and the others wait for it."""
    return engine.execution_options(writes=True)


def reading(engine: Engine) -> Engine:
    """The same database, for transactions that only read: whatever they read is of one moment."""
    return engine.execution_options(isolation_level="REPEATABLE READ") if engine.dialect.name == "postgresql" else engine


def leave_no_trace(engine: Engine) -> None:
    """See to it that no file of the database has what was deleted: SQLite overwrites it in the database (_set_up), but copies
    of its pages stay in the log of writes until that is emptied. Raises CatalogUnavailable where somebody is still reading.

    PostgreSQL does so by and by (autovacuum); its logs and backups are the operator's."""
    if engine.dialect.name == "postgresql":
        return
    with database_errors_as_ours(), closing(engine.raw_connection()) as connection:
        [busy, *_] = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise CatalogUnavailable("catalog_still_read")


def migrations(connection: Connection) -> Config:
    """What Alembic has to know to work within the transaction that `connection` is in."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "chapterverse.adapters:migrations")
    return config


def one_at_a_time(connection: Connection, school: str) -> None:
    """Until its transaction ends, no other that asks for the same school goes on: what it counted stays so."""
    if connection.dialect.name == "postgresql":  # on SQLite only one transaction writes anyhow
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": advisory("school", school)})


def advisory(*what: str) -> int:
    """The 64-bit number under which PostgreSQL locks what these names stand for."""
    return int.from_bytes(sha256("\0".join(("chapterverse", *what)).encode()).digest()[:8], signed=True)


@contextmanager
def database_errors_as_ours() -> Iterator[None]:
    """A database that does not answer, is locked, full or read-only, or where somebody else was first with the same row.

    Anything else is a bug of ours and passes through."""
    try:
        yield
    except IntegrityError as error:
        raise CatalogUnavailable("book_changed_meanwhile") from error
    except (OperationalError, InterfaceError, NoConnectionLeft) as error:
        raise CatalogUnavailable("catalog_away") from error
    except DatabaseError as error:
        if "not a database" not in str(error) and "malformed" not in str(error):
            raise
        raise CatalogUnavailable("catalog_damaged") from error


def open_postgresql(url: str) -> Engine:
    """Connections to it, whatever tables it has. Each transaction of ours takes one and asks for no second: threads beyond the
    pool wait their turn."""
    return create_engine(url, pool_pre_ping=True, pool_timeout=WAIT_SECONDS, connect_args=ON_POSTGRESQL)


def _sqlite(url: str) -> Engine:
    if path := make_url(url).database:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """Readers beside one writer (WAL), references that are checked, what is deleted overwritten, and transactions that we begin
    ourselves.

    The driver would begin at the first write; what was read before could be old by then, and SQLite refuses at once to wait."""
    connection.isolation_level = None
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
