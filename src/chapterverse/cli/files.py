"""Files named on the command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from chapterverse import composition
from chapterverse.errors import BadRequest, NotFound
from chapterverse.messages import Message, message

if TYPE_CHECKING:
    from chapterverse.model import Limits
    from chapterverse.ports import Uploads

STDIN = Path("-")
_IN_A_STORE = re.compile(r"(?:gs|s3)://[^/]+/?(.*)")


@dataclass(frozen=True, slots=True)
class GivenPdf:
    """A PDF named on the command line, not read yet; title and authors are what its store says of it."""

    name: str
    read: Callable[[], bytes]
    title: str | None = None
    authors: tuple[str, ...] = ()


def pdfs_at(given: str, limits: Limits) -> list[GivenPdf]:
    """The file of that path, there or not; for gs://… or s3://… the object of that name, or else all whose names begin so.

    Raises NotFound where none does, BucketUnavailable."""
    address = _IN_A_STORE.fullmatch(given)
    if address is None:
        return [GivenPdf(name_of(Path(given)), partial(read_pdf, Path(given), limits))]
    pdfs = _pdfs_in(composition.store_at(given), address[1], limits)
    if not pdfs:
        raise NotFound("cli_no_pdf_at", address=given)
    return pdfs


def _pdfs_in(store: Uploads, name: str, limits: Limits) -> list[GivenPdf]:
    files = [file for file in store.files(name) if file.name.lower().endswith(".pdf")]
    chosen = [file for file in files if file.name == name] or files
    read = partial(store.read, max_bytes=limits.bytes)
    return [GivenPdf(PurePosixPath(file.name).name, partial(read, file), file.title, file.authors) for file in chosen]


def name_of(path: Path) -> str:
    """The file's name as text; what is not UTF-8 in it is U+FFFD."""
    return os.fsencode(path.name).decode("utf-8", "replace")


def read_pdf(path: Path, limits: Limits) -> bytes:
    """The file's bytes, not even read if they are too many. Raises BadBook, BadRequest."""
    from chapterverse.ingestion.refusals import refuse_too_large

    must_be_a_file(path)
    refuse_too_large(path.stat().st_size, limits)
    return path.read_bytes()


def read_essay(path: Path) -> str:
    """The text of a file, of a pipe (`<(…)` in a shell), or of standard input for "-". Raises BadRequest for anything but
    UTF-8 text."""
    if path != STDIN and not path.is_fifo():
        must_be_a_file(path)
    data = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRequest("cli_essay_not_text") from error


def must_be_a_file(path: Path) -> None:
    """Raises BadRequest."""
    if not path.is_file():
        raise BadRequest("cli_file_unusable", path=path, problem=what_is_wrong_with(path))


def what_is_wrong_with(path: Path) -> Message:
    """Why it cannot be read, and what to do."""
    if path.is_dir():
        return message("cli_is_folder")
    return message("cli_not_ordinary" if path.exists() else "cli_not_there")
