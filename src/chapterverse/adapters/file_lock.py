"""A lock between processes that the operating system lets go of when its holder dies, however it dies."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
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


@contextmanager
def locked_without_trace(path: Path) -> Iterator[None]:
    """As locked, without waiting, for things of which there are many: the file goes when its holder lets go of it.

    Who opened it just before that holds a file that nobody else will find: so it is looked at again, and made anew."""
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        opened = _inode(path)
        with locked(path, seconds=0):
            if _inode(path) != opened:
                continue
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
            return


def _inode(path: Path) -> int | None:
    with suppress(FileNotFoundError):
        return path.stat().st_ino
    return None
