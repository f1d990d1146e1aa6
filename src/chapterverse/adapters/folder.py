"""A folder as a bucket."""

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chapterverse.errors import BadRequest, NotFound

_UNFINISHED = ".unfinished"  # no object's name has a part that begins with a dot
_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class FolderBucket:
    """Bucket on a local file system: an object is a file below root, and no name leads out of it.

    An object appears whole under its name or not at all, also when the machine loses power: written aside, flushed, renamed.
    Raises BadRequest for a name that has an empty part, one that begins with ".", or a character no file may have."""

    root: Path

    def write(self, name: str, data: bytes) -> None:
        target = self._path(name)
        aside = self.root / _UNFINISHED
        aside.mkdir(parents=True, exist_ok=True)
        descriptor, finished = tempfile.mkstemp(dir=aside)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            _move(finished, target)
        finally:
            Path(finished).unlink(missing_ok=True)
        _flush_folders(target.parent, self.root)

    def read(self, name: str) -> bytes:
        try:
            return self._path(name).read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise NotFound(f"Nothing is stored under {name}. Add the book again to build it.") from error

    def delete(self, prefix: str) -> None:
        for name in self.names(prefix):
            path = self._path(name)
            path.unlink(missing_ok=True)
            _remove_empty_folders(path.parent, self.root)

    def names(self, prefix: str) -> list[str]:
        folder = self._path(prefix.rpartition("/")[0]) if "/" in prefix else self.root
        files = (Path(at) / file for at, _, inside in os.walk(folder) for file in inside)
        names = (file.relative_to(self.root).as_posix() for file in files)
        return sorted(name for name in names if name.startswith(prefix) and not name.startswith(_UNFINISHED))

    def _path(self, name: str) -> Path:
        parts = name.split("/")
        if any(not part or part.startswith(".") or "\\" in part or "\0" in part for part in parts):
            raise BadRequest("A name in the bucket is made of parts like a/b/c.txt, none empty and none beginning with a dot.")
        return self.root.joinpath(*parts)


def _move(finished: str, target: Path) -> None:
    """Under its name, at once. A deletion running at the same time may take the folder away as empty: it is made again."""
    for attempt in range(_ATTEMPTS):
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(finished, target)
            return
        except (FileNotFoundError, FileExistsError):  # mkdir says the second where the folder went while it looked
            if attempt == _ATTEMPTS - 1:
                raise


def _flush_folders(folder: Path, root: Path) -> None:
    """A new name is safe once every folder it may have needed is on the disk."""
    while folder.is_relative_to(root):
        with suppress(FileNotFoundError):  # deleted meanwhile, with what was in it
            descriptor = os.open(folder, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        folder = folder.parent


def _remove_empty_folders(folder: Path, root: Path) -> None:
    """Up to root, which stays; one that is not empty (any more) ends it."""
    with suppress(OSError):
        while folder != root:
            folder.rmdir()
            folder = folder.parent
