"""The catalogue's database, SQLite or PostgreSQL: connections, revisions, transactions, locks and column types."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.schema import CreateColumn
from sqlalchemy.types import TypeDecorator

from chapterverse.core.errors import BookBusy, CatalogOutdated, CatalogUnavailable, NotFound, RetryableError
from chapterverse.core.names import fingerprint
from chapterverse.core.requests import adapter
from chapterverse.infrastructure.storage.folder import LOOK_SECONDS, locked
from chapterverse.messages import Message, from_stored, stored

PACKAGE = Path(__file__).parents[1]
NEWEST = "0003"  # of the tables that the code declares; tests/fixtures/tables.json tells what each revision added

NAMING = {  # the same names of constraints on every database
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite drops the zone, which is added again."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


class CatalogTable(DeclarativeBase):
    """Base of the tables."""

    metadata = sa.MetaData(naming_convention=NAMING)


BUSY_SECONDS = 30  # that a writer waits for another one on any SQLite file; our transactions take milliseconds
CONNECTIONS = {"pool_size": 2, "max_overflow": 2}  # to PostgreSQL, of a process; transactions take milliseconds
WAIT_SECONDS = 10  # that a thread waits for a connection to PostgreSQL

ON_POSTGRESQL: dict[str, Any] = {"connect_timeout": 3, "tcp_user_timeout": 10_000, "keepalives_idle": 30}
"""Time limits for noticing a dead server, in seconds, milliseconds, seconds (PostgreSQL, libpq)."""


class Database:
    """A database that is opened at its first use, and tried again if that fails, so a process can start before it. The stores
    of a process share one and its connections. patience: seconds for which its first use waits until it is reached."""

    def __init__(self, url: str, patience: float = 0) -> None:
        self._url, self._opening, self._opened = url, Lock(), list[sa.Engine]()
        self._until = monotonic() + patience

    @property
    def engine(self) -> sa.Engine:
        """The engine, with tables at the newest revision. Raises CatalogUnavailable, CatalogOutdated."""
        with self._opening:
            while not self._opened:
                try:
                    self._opened.append(open_database(self._url))
                except CatalogUnavailable:
                    if monotonic() > self._until:
                        raise
                    sleep(1)
            return self._opened[0]

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        for engine in self._opened:
            engine.dispose()


def open_database(url: str) -> sa.Engine:
    """Engine of a database whose tables are at the newest revision, or a newer one, because a release and the one before it
    run at once; many processes may open it at once.

    Raises CatalogUnavailable, and CatalogOutdated if its tables cannot become those that this version declares."""
    try:
        engine = _sqlite(url) if sa.make_url(url).get_backend_name() == "sqlite" else open_postgresql(url)
    except (ArgumentError, ValueError):
        raise CatalogUnavailable("catalog_address_invalid") from None  # their texts quote the password
    with database_errors_as_ours():
        with engine.connect() as connection:
            revision = _noted(connection)
        if revision < NEWEST:  # a newer one is a newer program's, which only added to it
            _upgrade(engine)
    return engine


def _noted(connection: sa.Connection) -> str:
    """Revision of the tables, empty for a new database; in the table that Alembic, which made them once, kept it in."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return ""
    return connection.scalar(sa.text("SELECT version_num FROM alembic_version")) or ""


def all_tables() -> list[sa.Table]:
    """Every table of the catalogue, each after those that it refers to. They are declared in the components' store.py and in
    quotas.py. The first call takes long: what runs imports no more of these than it needs."""
    for path in (PACKAGE / "infrastructure" / "quotas.py", *PACKAGE.rglob("store.py")):
        import_module(".".join(["chapterverse", *path.relative_to(PACKAGE).with_suffix("").parts]))
    return CatalogTable.metadata.sorted_tables


def _upgrade(engine: sa.Engine) -> None:
    """Add what the tables lack of this version's. A release only adds to them, because the one before it works on them at once
    and after a way back (docs/adr/0061-releases-add-to-tables.md)."""
    with writing(engine).begin() as connection:
        if connection.dialect.name == "postgresql":  # on SQLite a transaction that writes holds the lock from its start
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": advisory("migrations")})
        if (found := _noted(connection)) >= NEWEST:  # another process came first
            return
        if not _expand(connection):
            raise CatalogOutdated("catalog_outdated", revision=found)
        connection.execute(sa.text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(sa.text("DELETE FROM alembic_version"))
        connection.execute(sa.text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": NEWEST})


def _expand(connection: sa.Connection) -> bool:
    """Add the tables, columns and indexes that the database lacks; it may have more, a newer release's. Returns whether it has
    all now: False if it lacks a column that its rows would need a value for."""
    there = sa.inspect(connection)
    names = set(there.get_table_names())
    for table in all_tables():
        if table.name not in names:
            table.create(connection)
            continue
        known = {column["name"] for column in there.get_columns(table.name)}
        lacking = [column for column in table.columns if column.name not in known]
        if any(not column.nullable and column.server_default is None for column in lacking):  # an older program adds no row
            return False
        for column in lacking:
            definition = CreateColumn(column).compile(connection.engine)
            connection.execute(sa.text(f"ALTER TABLE {table.name} ADD COLUMN {definition}"))
        for index in table.indexes:
            index.create(connection, checkfirst=True)
    return True


def writing(engine: sa.Engine) -> sa.Engine:
    """The engine for transactions that write: on SQLite one at a time, while others wait."""
    return engine.execution_options(writes=True)


def reading(engine: sa.Engine) -> sa.Engine:
    """The engine for transactions that only read, from one consistent snapshot."""
    return engine.execution_options(isolation_level="REPEATABLE READ") if engine.dialect.name == "postgresql" else engine


def leave_no_trace(engine: sa.Engine) -> None:
    """Erase deleted data from SQLite's write-ahead log; in the database SQLite overwrites it (_set_up). Raises
    CatalogUnavailable if another process is reading.

    PostgreSQL erases it over time (autovacuum); its logs and backups are the operator's."""
    if engine.dialect.name == "postgresql":
        return
    with database_errors_as_ours(), closing(engine.raw_connection()) as connection:
        [busy, *_] = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise CatalogUnavailable("catalog_still_read")


def one_at_a_time(connection: sa.Connection, school: str) -> None:
    """Lock a school until the transaction ends, so that what it counted stays true."""
    if connection.dialect.name == "postgresql":  # on SQLite only one transaction writes at a time
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": advisory("school", school)})


def advisory(*what: str) -> int:
    """64-bit number of PostgreSQL's advisory lock for these names."""
    return int.from_bytes(sha256("\0".join(("chapterverse", *what)).encode()).digest()[:8], signed=True)


@contextmanager
def database_errors_as_ours() -> Iterator[None]:
    """Turn errors of a server that is away or refuses us, of a file that is locked, full, read-only or damaged, and of a row
    that another process wrote first, into CatalogUnavailable. Other errors are bugs of ours and pass."""
    try:
        yield
    except IntegrityError as error:
        raise CatalogUnavailable("book_changed_meanwhile") from error
    except (OperationalError, InterfaceError, NoConnectionLeft) as error:
        is_file = isinstance(getattr(error, "orig", None), sqlite3.Error)
        raise CatalogUnavailable("catalog_file_unusable" if is_file else "catalog_away") from error
    except DatabaseError as error:
        if "not a database" not in str(error) and "malformed" not in str(error):
            raise
        raise CatalogUnavailable("catalog_damaged") from error


def open_postgresql(url: str) -> sa.Engine:
    """An engine without looking at tables. A transaction takes one connection only, so threads beyond the pool's size wait."""
    return sa.create_engine(url, **CONNECTIONS, pool_pre_ping=True, pool_timeout=WAIT_SECONDS, connect_args=ON_POSTGRESQL)


def _sqlite(url: str) -> sa.Engine:
    if path := sa.make_url(url).database:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """Set up a connection: readers and one writer at a time (WAL), foreign keys, overwriting of deleted data, and transactions
    that we begin.

    The driver would begin a transaction at its first write; data read before could be outdated, and SQLite would not wait."""
    connection.isolation_level = None
    use_wal(connection)
    for setting in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute(f"PRAGMA {setting}")


def use_wal(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. SQLite refuses at once, without waiting, while another process switches the same new file,
    so this tries again for BUSY_SECONDS."""
    until = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if monotonic() > until:
                raise
            sleep(0.01)
        else:
            return


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def claimed(
    engine: sa.Engine, *what: str, busy: RetryableError | None = None, seconds: float = 0.0
) -> AbstractContextManager[None]:
    """Lock these names until the block ends; a dead process loses its locks. Raises `busy`, by default BookBusy, if they stay
    locked for so many seconds, CatalogUnavailable."""
    refusal = busy or BookBusy("book_busy")
    if engine.dialect.name == "postgresql":
        return _session_lock(engine, what, refusal, seconds)
    return locked(Path(f"{engine.url.database}-claims") / fingerprint(*what), seconds, refusal)


@contextmanager
def _session_lock(engine: sa.Engine, what: tuple[str, ...], busy: RetryableError, seconds: float) -> Iterator[None]:
    """An advisory lock, which ends with its connection.

    The connection is not from the pool, or holders of locks could use up the pool and wait for ever. If the server goes away,
    the lock is gone too."""
    key, until = {"key": advisory("claim", *what)}, monotonic() + seconds
    separate = sa.create_engine(engine.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT", connect_args=ON_POSTGRESQL)
    with database_errors_as_ours():
        connection = separate.connect()
    with closing(connection):
        with database_errors_as_ours():
            while not connection.scalar(sa.text("SELECT pg_try_advisory_lock(:key)"), key):
                if monotonic() >= until:
                    raise busy
                sleep(LOOK_SECONDS)
        try:
            yield
        finally:
            with suppress(DBAPIError):  # closing alone would release it a moment later
                connection.execute(sa.text("SELECT pg_advisory_unlock(:key)"), key)


Row = TypeVar("Row")
Fact = TypeVar("Fact")
TableRow = TypeVar("TableRow", bound=CatalogTable)


class SqlStore:
    """Base of a store in the catalogue's database, which is opened at the first call.

    database: shared with other stores, or the address of one of its own. A transaction must not begin another one."""

    def __init__(self, database: Database | str) -> None:
        self._database = Database(database) if isinstance(database, str) else database

    def close(self) -> None:
        """Close the database's connections; stores that share it open new ones."""
        self._database.close()

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with database_errors_as_ours(), Session(reading(self._database.engine)) as session:
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """A session for writing, whose rows can be locked (found)."""
        with (
            database_errors_as_ours(),
            Session(writing(self._database.engine), info={"writes": True}) as session,
            session.begin(),
        ):
            yield session

    def _row(self, wanted: sa.Select[Row], missing: NotFound) -> Row:
        """The first row. Raises `missing` if there is none."""
        with self._reading() as session:
            return found(session, wanted, missing)

    def _rows(self, wanted: sa.Select[Row]) -> list[Row]:
        with self._reading() as session:
            return list(session.scalars(wanted))

    def _facts(self, kind: type[Fact], wanted: sa.Select[TableRow]) -> list[Fact]:
        """The dataclasses of all rows."""
        return [fact_of(kind, row) for row in self._rows(wanted)]

    def _put(self, row: Any) -> None:
        """Insert the row, or replace the row with the same primary key."""
        with self._writing() as session:
            session.merge(row)

    def _forget(self, id: InstrumentedAttribute[Any], *which: sa.ColumnElement[bool], missing: NotFound | None = None) -> int:
        """Delete rows of the id's table, also from the database's files; returns their number. Raises `missing` if there are
        none."""
        with self._writing() as session:
            gone = session.scalars(sa.delete(id.class_).where(*which).returning(id)).all()
        leave_no_trace(self._database.engine)
        if missing and not gone:
            raise missing
        return len(gone)


def found(session: Session, wanted: sa.Select[Row], missing: NotFound, *, alone: bool = False) -> Row:
    """The row; alone: locked until the transaction ends. Raises `missing` if there is none."""
    row = session.scalar(wanted.with_for_update() if alone else wanted)
    if row is None:
        raise missing
    return row


def of_one(column: InstrumentedAttribute[str], school: str | None) -> tuple[sa.ColumnElement[bool], ...]:
    """The condition that a row is of the school; None: no condition."""
    return () if school is None else (column == school,)


DETAILS = "details"  # attribute of a JSON column that has all fields without a column of their own


def row_of(table: type[TableRow], fact: Any, **more: Any) -> TableRow:
    """The row of a dataclass: fields go to the columns of their names, all others to DETAILS. more: columns instead of these,
    or further ones."""
    as_json = adapter(type(fact)).dump_python(fact, mode="json")
    columns = {name: column.type for name, column in sa.inspect(table).columns.items()}
    values = {
        name: as_json[name] if isinstance(type_, sa.JSON) else getattr(fact, name)
        for name, type_ in columns.items()
        if name in as_json
    }
    if DETAILS in columns:
        values[DETAILS] = {name: value for name, value in as_json.items() if name not in columns}
    return table(**{**values, **more})


def fact_of(kind: type[Fact], row: CatalogTable, **more: Any) -> Fact:
    """The dataclass that row_of stored; columns without a field are left out. more: fields instead of columns."""
    columns = {name: getattr(row, name) for name in sa.inspect(type(row)).columns.keys()}  # noqa: SIM118  # of SQLAlchemy, no dict
    fact: Fact = adapter(kind).validate_python({**columns, **columns.get(DETAILS, {}), **more})
    return fact


def storable(id: str) -> str:
    """The id; empty if it has a NUL or a surrogate, which databases refuse."""
    return id if id.isprintable() else ""


def utc_now() -> datetime:
    return datetime.now(UTC)


class MessageText(TypeDecorator[Message]):
    """A Message as JSON of id and values."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Message | None, dialect: sa.Dialect) -> Any:  # noqa: ARG002
        return None if value is None else stored(value)

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> Message | None:  # noqa: ARG002
        return None if value is None else from_stored(value)
