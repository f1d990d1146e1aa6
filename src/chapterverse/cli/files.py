"""Files named on the command line.

A folder of Markdown and HTML pages on this machine → the one zip file that it travels in."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from chapterverse import composition
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.messages import Message, message

if TYPE_CHECKING:
    from chapterverse.core.book import Limits
    from chapterverse.core.ports import Uploads
    from chapterverse.library.html.files import File

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
    from chapterverse.library.uploads import refuse_too_large

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


OWN = "textbook.yml"

"""Where a folder says how its site is made; what is told on the command line goes into it."""


def sources_at(given: str, limits: Limits, told: dict[str, str]) -> list[GivenPdf]:
    """A folder of pages, or else of PDFs; one page, a zip of a folder, or PDFs as pdfs_at finds them. told: what goes before
    the folder's own word of its site.

    Raises BadRequest, NotFound, BucketUnavailable."""
    from chapterverse.library.html.files import PAGE_ENDINGS

    folder = Path(given)
    if folder.is_dir() and not told and not any(path.name.lower().endswith(PAGE_ENDINGS) for path in paths_in(folder)):
        return pdfs_in(folder, limits)
    if folder.is_dir():
        return [GivenPdf(f"{name_of(folder.resolve())}.zip", partial(packed, folder, limits, told))]
    if given.lower().endswith(PAGE_ENDINGS) and not told:
        return [GivenPdf(f"{name_of(folder.with_suffix(''))}.zip", partial(packed_page, folder, limits))]
    if told:
        raise BadRequest("cli_site_needs_folder")
    return pdfs_at(given, limits)


def pdfs_in(folder: Path, limits: Limits) -> list[GivenPdf]:
    """The PDFs that lie in a folder without pages; where there are none either, a source that says so when it is read, as one
    that is not there does."""
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf" and path.is_file())
    given = [given for path in found for given in pdfs_at(str(path), limits)]
    return given or [GivenPdf(name_of(folder.resolve()), partial(refuse_empty, folder))]


def refuse_empty(folder: Path) -> bytes:
    """Raises NotFound."""
    raise NotFound("cli_folder_without_pages", folder=folder)


def packed(folder: Path, limits: Limits, told: dict[str, str]) -> bytes:
    """All pages of the folder, and its pictures. Raises BadBook: too_many_bytes."""
    from chapterverse.library.html.files import File, pack

    files = {file.path: file for file in files_in(folder, limits)}
    pictures = list(pictures_in(folder, limits.bytes - sum(len(file.data) for file in files.values())))
    if told:
        own = files.get(OWN)
        files[OWN] = File(OWN, json.dumps({**facts_of(own), **told}).encode())
    return pack([*files.values(), *pictures])


def packed_page(page: Path, limits: Limits) -> bytes:
    """A page by itself, as a folder of one. Raises BadBook, BadRequest."""
    from chapterverse.library.html.files import File, pack

    return pack([File(name_of(page), read_pdf(page, limits))])


def facts_of(own: File | None) -> dict[str, Any]:
    """What the folder says itself; JSON is YAML, too, so it can be written back so."""
    from chapterverse.library.html.site import facts_in

    return dict(facts_in(own))


def files_in(folder: Path, limits: Limits) -> Iterator[File]:
    """What makes the book, by path. Raises BadBook before more is read than a book may have; BadRequest for what cannot be."""
    from chapterverse.library.uploads import refuse_too_large

    total = 0
    for path in paths_in(folder):
        total += path.stat().st_size
        refuse_too_large(total, limits)
        yield file_at(path, folder)


def pictures_in(folder: Path, room: int) -> Iterator[File]:
    """What pages may show, as far as there is room (bytes): a book is its text, so it is not refused for its pictures."""
    from chapterverse.library.html.site import is_picture
    from chapterverse.library.reading import MAX_PICTURE_BYTES

    for path in paths_in(folder, is_picture):
        if (size := path.stat().st_size) <= min(room, MAX_PICTURE_BYTES):
            room -= size
            yield file_at(path, folder)


def file_at(path: Path, folder: Path) -> File:
    """Raises BadRequest."""
    from chapterverse.library.html.files import File

    try:
        return File(path.relative_to(folder).as_posix(), path.read_bytes())
    except OSError as error:
        raise BadRequest("cli_folder_unreadable", path=path, reason=error.strerror) from error


def paths_in(folder: Path, kind: Callable[[str], bool] | None = None) -> Iterator[Path]:
    """Files of a kind, by default pages and how the site is made; folders that are not wanted are not even looked into, nor is
    what links lead to."""
    from chapterverse.library.html.files import is_wanted

    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = sorted(name for name in folders if is_wanted(f"{name}/page.md"))
        yield from (here / name for name in sorted(names) if (kind or is_wanted)(name) and not (here / name).is_symlink())
