"""A lock between processes that the operating system lets go of when its holder dies, however it dies."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the file, made if need be, until the block ends. Raises TimeoutError where somebody else has it for `seconds`.

    It is an empty database: SQLite locks files on every platform, and a second holder in this process is refused, too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=seconds, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise TimeoutError(f"Somebody else holds {path.name}.") from error
        yield
