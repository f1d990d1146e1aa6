"""A lock between processes that the operating system lets go of when its holder dies, however it dies.

A secret of this machine, made once and kept in a file that only its user reads."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from os import O_CREAT, O_EXCL, O_WRONLY
from os import open as os_open
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


BYTES = 32


def kept_secret(path: Path) -> bytes:
    """The bytes kept there; of several that ask at once for the first time, all get the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(os_open(fresh, O_CREAT | O_EXCL | O_WRONLY, 0o600), "wb") as file:
            file.write(secrets.token_bytes(BYTES))
        path.hardlink_to(fresh)  # whole, and only if there is none
    except FileExistsError:
        pass
    finally:
        fresh.unlink(missing_ok=True)
    return path.read_bytes()
