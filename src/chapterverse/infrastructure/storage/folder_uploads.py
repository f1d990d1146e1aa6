"""Uploads in a folder, through addresses of our own HTTP service."""

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from pathlib import Path
from urllib.parse import quote

from chapterverse.core.errors import BadRequest, NotFound, TooLarge, Unauthenticated
from chapterverse.core.tasks import StoredFile
from chapterverse.infrastructure.storage.folder import (
    AUTHORS,
    BETWEEN_AUTHORS,
    TITLE,
    FolderBucket,
    parts_of,
    remove_empty_folders,
    stored_file,
)

_ABOUT = ".about"  # folder of the files' metadata; no upload can have this name


@dataclass(frozen=True, slots=True)
class FolderUploads:
    """Uploads in a folder; files may also be copied there as {school}/{name}.pdf.

    url: of our HTTP service ("http://127.0.0.1:8000"); secret: at least 16 bytes, to sign addresses with. Raises BadRequest for
    names as FolderBucket does."""

    root: Path
    url: str
    secret: bytes = field(repr=False)

    def find(self, name: str) -> StoredFile:
        try:
            generation = _generation(self._path(name).stat())
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFound("no_such_file", name=name) from error
        return stored_file(name, generation, self._about(name))

    def read(self, file: StoredFile, max_bytes: int) -> bytes:
        try:
            with self._path(file.name).open("rb") as stored:
                state = os.fstat(stored.fileno())
                if _generation(state) == file.generation:
                    _refuse_beyond(max_bytes, state.st_size, file.name)
                    return stored.read()
        except (FileNotFoundError, NotADirectoryError):
            pass  # there is another content by now
        raise NotFound("file_gone_meanwhile", name=file.name)

    def files(self, prefix: str) -> list[StoredFile]:
        names = FolderBucket(self.root).names(prefix)
        return [self.find(name) for name in names if not name.startswith(".")]

    def upload_url(self, name: str, seconds: int) -> str:
        parts_of(name)
        expires = int(time.time()) + seconds
        return f"{self.url}/uploads/{quote(name)}?expires={expires}&signature={self._signature(name, expires)}"

    def verify(self, name: str, expires: int, signature: str) -> None:
        """Check that upload_url made the address and that it has not expired. Raises Unauthenticated."""
        if not compare_digest(self._signature(name, expires).encode(), signature.encode()):
            raise Unauthenticated("upload_address_unknown")
        if time.time() > expires:
            raise Unauthenticated("upload_address_expired")

    def write(self, name: str, data: bytes, title: str | None = None, authors: tuple[str, ...] = ()) -> StoredFile:
        """Store or replace a file atomically."""
        about = {TITLE: title or "", AUTHORS: BETWEEN_AUTHORS.join(authors)}
        parts_of(name)
        FolderBucket(self.root / _ABOUT).write(name, json.dumps(about).encode())
        FolderBucket(self.root).write(name, data)
        return self.find(name)

    def delete(self, name: str) -> None:
        """Remove a file, if there is one; invalid names are ignored."""
        with suppress(BadRequest):
            for folder in (self.root, self.root / _ABOUT):
                path = folder.joinpath(*parts_of(name))
                path.unlink(missing_ok=True)
                remove_empty_folders(path.parent, self.root)

    def _path(self, name: str) -> Path:
        return self.root.joinpath(*parts_of(name))

    def _about(self, name: str) -> dict[str, str]:
        try:
            about: dict[str, str] = json.loads(FolderBucket(self.root / _ABOUT).read(name))
        except NotFound:
            return {}
        return about

    def _signature(self, name: str, expires: int) -> str:
        return hmac(self.secret, f"PUT\n{name}\n{expires}".encode(), sha256).hexdigest()


def _generation(state: os.stat_result) -> str:
    """Generation of a file: its inode and time of writing, because files are only ever replaced."""
    return f"{state.st_ino:x}-{state.st_mtime_ns:x}-{state.st_size:x}"


def _refuse_beyond(max_bytes: int, size: int, name: str) -> None:
    if size > max_bytes:
        raise TooLarge("file_too_large", name=name, max_bytes=max_bytes)
