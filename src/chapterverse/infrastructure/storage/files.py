"""Locks between processes, released by the operating system when their holder dies; a secret in a file; a zip file that is sent
while it is written."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import ENOSPC
from os import O_CREAT, O_EXCL, O_WRONLY, strerror
from os import open as os_open
from pathlib import Path


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold a lock file until the block ends; creates it. Raises TimeoutError if another process holds it for `seconds`, OSError
    if the disk is full.

    The file is an empty SQLite database, which can be locked on every platform, also against other threads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=seconds, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise OSError(ENOSPC, strerror(ENOSPC), str(path)) from error
            raise TimeoutError(f"Another process holds {path.name}.") from error
        yield


@contextmanager
def locked_without_trace(path: Path) -> Iterator[None]:
    """Lock the file without waiting, and remove it afterwards, so that many names leave no files.

    A process that opened the file just before its removal would lock a removed file, so the inode is compared."""
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


def load_secret(path: Path) -> bytes:
    """The secret stored in a file, created at the first call; simultaneous first calls get the same bytes."""
    with suppress(FileNotFoundError):
        return path.read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(os_open(fresh, O_CREAT | O_EXCL | O_WRONLY, 0o600), "wb") as file:
            file.write(secrets.token_bytes(BYTES))
        path.hardlink_to(fresh)  # atomic, and fails if the file exists
    except FileExistsError:
        pass
    finally:
        fresh.unlink(missing_ok=True)
    return path.read_bytes()


class ZipParts:
    """A file that gives away what is written to it."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: nothing waits anywhere else."""

    def close(self) -> None:
        """Do nothing."""

    def take(self) -> bytes:
        """All since the last call."""
        taken = b"".join(self._written)
        self._written.clear()
        return taken
