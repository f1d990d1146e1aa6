"""A book held by one process: a lock that the operating system or the database server lets go of when its holder dies."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import Engine, text

from chapterverse.adapters.file_lock import locked
from chapterverse.errors import BookBusy
from chapterverse.names import fingerprint


@contextmanager
def claimed(engine: Engine, *what: str) -> Iterator[None]:
    """Hold what these names stand for until the block ends. Raises BookBusy where it is held already, here or elsewhere."""
    held = _on_postgresql if engine.dialect.name == "postgresql" else _beside_sqlite
    with held(engine, fingerprint(*what)):
        yield


@contextmanager
def _beside_sqlite(engine: Engine, name: str) -> Iterator[None]:
    """A file a book, beside the database."""
    with ExitStack() as holding:
        try:
            holding.enter_context(locked(Path(f"{engine.url.database}-claims") / name, seconds=0))
        except TimeoutError as error:
            raise _busy() from error
        yield


@contextmanager
def _on_postgresql(engine: Engine, name: str) -> Iterator[None]:
    """A lock of the session: it ends with the connection, so one is kept for it."""
    key = {"key": int(name, 16)}
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), key):
            raise _busy()
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), key)


def _busy() -> BookBusy:
    return BookBusy("Somebody else is adding, removing or rebuilding this book. Wait until that is done, then try again.")
