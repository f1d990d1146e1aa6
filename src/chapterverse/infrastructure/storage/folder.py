"""A folder as a bucket, and as the place of uploads through our own HTTP service; and rules for names of objects in every
store.

Locks between processes, released by the operating system when their holder dies; a secret in a file; a zip file that is sent
while it is written."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from io import BytesIO, RawIOBase
from mmap import ACCESS_READ, mmap
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from time import monotonic, sleep
from typing import IO, Any

from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.core.hits import Mapped
from chapterverse.core.tasks import StoredFile


@contextmanager
def locked(path: Path, seconds: float = 0.0, busy: Exception | None = None) -> Iterator[None]:
    """Hold a lock file, against other processes and threads, until the block ends; it is then removed, so that many names leave
    no files. Raises `busy`, by default TimeoutError, if somebody else holds it for `seconds`.

    Whoever opened the file just before its removal would lock a removed file, so the two are compared."""
    until = monotonic() + seconds
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with path.open("ab") as file:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError as error:
                if monotonic() >= until:
                    raise (busy or TimeoutError(f"Another process holds {path.name}.")) from error
                sleep(LOOK_SECONDS)
                continue
            if not _is_at(path, file):
                continue
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
            return


def _is_at(path: Path, file: IO[bytes]) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    return False


LOOK_SECONDS = 0.05  # between two tries to get a lock
BYTES = 32


def load_secret(path: Path) -> bytes:
    """The secret stored in a file, created at the first call; simultaneous first calls get the same bytes."""
    with suppress(FileNotFoundError):
        return path.read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    # readable by its owner alone
    with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.") as fresh, suppress(FileExistsError):
        fresh.write(secrets.token_bytes(BYTES))
        fresh.flush()
        path.hardlink_to(fresh.name)  # atomic, and fails if the file exists
    return path.read_bytes()


class ZipParts(RawIOBase):
    """A file that gives away what is written to it."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: Any, /) -> int:
        self._written.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        """All since the last call."""
        taken = b"".join(self._written)
        self._written.clear()
        return taken


def parts_of(name: str) -> list[str]:
    """Parts of a name between slashes. Raises BadRequest for a part that is empty, begins with ".", or has a character no file
    may have."""
    parts = name.split("/")
    if any(not part or part.startswith(".") or "\\" in part or "\0" in part for part in parts):
        raise BadRequest("object_name_invalid")
    return parts


_UNFINISHED = ".unfinished"  # no object's name has a part that begins with a dot
_ATTEMPTS = 10
_PIECE = 2**20  # bytes


@dataclass(frozen=True, slots=True)
class FolderBucket:
    """Bucket on a local file system: an object is a file below root, and no name leads out of it.

    Writes are atomic, also if the machine loses power: to another file, flushed, renamed.
    Raises BadRequest for a name that has an empty part, one that begins with ".", or a character no file may have."""

    root: Path

    def write(self, name: str, data: bytes) -> None:
        self.write_from(name, BytesIO(data))

    def write_from(self, name: str, source: IO[bytes]) -> None:
        """`write` of what a file or a request gives, without holding it in memory."""
        target = self._path(name)
        with _file_aside(self.root / _UNFINISHED) as file:
            copyfileobj(source, file, _PIECE)
            file.flush()
            os.fsync(file.fileno())
            _move(file.name, target)
        _flush_folders(target.parent, self.root)

    def read(self, name: str) -> bytes:
        return bytes(self.open(name))

    def open(self, name: str) -> Mapped:
        try:
            with self._path(name).open("rb") as file:  # which may be closed and removed while it is mapped
                size = os.fstat(file.fileno()).st_size
                return mmap(file.fileno(), size, access=ACCESS_READ) if size else b""
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise NotFound("nothing_stored", name=name) from error

    def delete(self, prefix: str) -> None:
        for name in self.names(prefix):
            path = self._path(name)
            path.unlink(missing_ok=True)
            remove_empty_folders(path.parent, self.root)

    def names(self, prefix: str) -> list[str]:
        folder = self._path(prefix.rpartition("/")[0]) if "/" in prefix else self.root
        files = (Path(at) / file for at, _, inside in os.walk(folder) for file in inside)
        names = (file.relative_to(self.root).as_posix() for file in files)
        return sorted(name for name in names if name.startswith(prefix) and not name.startswith(_UNFINISHED))

    def _path(self, name: str) -> Path:
        return self.root.joinpath(*parts_of(name))


@contextmanager
def _file_aside(folder: Path) -> Iterator[IO[bytes]]:
    """A new file with a lock that ends with this process. Files without a lock are remains of killed writers: removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        with suppress(FileNotFoundError, BlockingIOError), path.open("rb") as abandoned:
            flock(abandoned, LOCK_EX | LOCK_NB)
            path.unlink(missing_ok=True)
    file = _new_file(folder)
    try:
        with file:
            yield file
    finally:
        Path(file.name).unlink(missing_ok=True)


def _new_file(folder: Path) -> IO[bytes]:
    while True:
        file = NamedTemporaryFile(dir=folder, delete=False)  # noqa: SIM115  # the caller closes it
        flock(file, LOCK_EX)
        if _is_at(Path(file.name), file):  # not removed as abandoned before it was locked
            return file
        file.close()


def _move(finished: str, target: Path) -> None:
    """Give the file its name. A deletion at the same time may remove the empty folder, which is then made again."""
    for attempt in range(_ATTEMPTS):
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(finished, target)
            return
        except (FileNotFoundError, FileExistsError):  # the second comes from mkdir if the folder is removed meanwhile
            if attempt == _ATTEMPTS - 1:
                raise


def _flush_folders(folder: Path, root: Path) -> None:
    """Flush all folders of a new name."""
    while folder.is_relative_to(root):
        with suppress(FileNotFoundError):  # deleted meanwhile
            descriptor = os.open(folder, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        folder = folder.parent


def remove_empty_folders(folder: Path, root: Path) -> None:
    """Remove empty folders upwards, without root."""
    with suppress(OSError):
        while folder != root:
            folder.rmdir()
            folder = folder.parent


@dataclass(frozen=True, slots=True)
class FolderUploads:
    """Uploads in a folder; files may also be copied there as {school}/{name}.pdf. Raises BadRequest for names as FolderBucket
    does."""

    root: Path

    def find(self, name: str) -> StoredFile:
        try:
            generation = _generation(self._path(name).stat())
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFound("no_such_file", name=name) from error
        return StoredFile(name, generation)

    def read(self, file: StoredFile, max_bytes: int) -> bytes:
        with suppress(FileNotFoundError, NotADirectoryError), self._path(file.name).open("rb") as stored:
            state = os.fstat(stored.fileno())
            if _generation(state) == file.generation:  # else there is another content by now
                if state.st_size > max_bytes:
                    raise TooLarge("file_too_large", name=file.name, max_bytes=max_bytes)
                return stored.read()
        raise NotFound("file_gone_meanwhile", name=file.name)

    def files(self, prefix: str) -> list[StoredFile]:
        return [self.find(name) for name in FolderBucket(self.root).names(prefix) if not name.startswith(".")]

    def upload_url(self, name: str, seconds: int, max_bytes: int) -> tuple[str, Mapping[str, str]]:  # noqa: ARG002
        raise BadRequest("files_come_as_forms")

    def write(self, name: str, data: bytes | IO[bytes]) -> StoredFile:
        """Store or replace a file atomically. data: its bytes, or what gives them."""
        FolderBucket(self.root).write_from(name, BytesIO(data) if isinstance(data, bytes) else data)
        return self.find(name)

    def delete(self, name: str) -> None:
        """Remove a file, if there is one; invalid names are ignored."""
        with suppress(BadRequest):
            path = self._path(name)
            path.unlink(missing_ok=True)
            remove_empty_folders(path.parent, self.root)

    def _path(self, name: str) -> Path:
        return self.root.joinpath(*parts_of(name))


def _generation(state: os.stat_result) -> str:
    """Generation of a file: its inode and time of writing, because files are only ever replaced."""
    return f"{state.st_ino:x}-{state.st_mtime_ns:x}-{state.st_size:x}"
