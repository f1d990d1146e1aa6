"""A book, or an essay, held by one process: a lock that the operating system or the database server lets go of when its holder
dies."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from chapterverse.adapters.file_lock import locked_without_trace
from chapterverse.adapters.sql_engine import ON_POSTGRESQL, advisory, database_errors_as_ours
from chapterverse.errors import BookBusy, RetryableError
from chapterverse.names import fingerprint


@contextmanager
def claimed(engine: Engine, *what: str, busy: RetryableError | None = None) -> Iterator[None]:
    """Hold what these names stand for until the block ends. Raises `busy`, else BookBusy, where it is held already, here or
    elsewhere, CatalogUnavailable."""
    held = _on_postgresql if engine.dialect.name == "postgresql" else _beside_sqlite
    with held(engine, what, busy or BookBusy("book_busy")):
        yield


@contextmanager
def _beside_sqlite(engine: Engine, what: tuple[str, ...], busy: RetryableError) -> Iterator[None]:
    """A file for each, beside the database."""
    with ExitStack() as holding:
        try:
            holding.enter_context(locked_without_trace(Path(f"{engine.url.database}-claims") / fingerprint(*what)))
        except TimeoutError as error:
            raise busy from error
        yield


@contextmanager
def _on_postgresql(engine: Engine, what: tuple[str, ...], busy: RetryableError) -> Iterator[None]:
    """A lock of the session: it ends with the connection, so one is kept for it.

    Not one of the pool's: holders of all of those would wait for ever for one to work with. Where the server goes away
    meanwhile, the lock does, too, and nothing is left to let go of."""
    key = {"key": advisory("claim", *what)}
    with closing(_connection_of_its_own(engine)) as connection:
        with database_errors_as_ours():
            if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), key):
                raise busy
        try:
            yield
        finally:
            with suppress(DBAPIError):  # closing alone would let go of it a moment later
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), key)


def _connection_of_its_own(engine: Engine) -> Connection:
    with database_errors_as_ours():
        alone = create_engine(engine.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=ON_POSTGRESQL)
        return alone.connect()
