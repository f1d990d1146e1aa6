"""What commands work with: settings and services, made once per process at first use, and the files named on the command line;
a folder of Markdown and HTML pages is packed into a zip file."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from chapterverse import composition
from chapterverse.cli.terminal import note
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.messages import message

if TYPE_CHECKING:
    from chapterverse.core.book import Collection, Limits
    from chapterverse.library.services import CollectionServices
    from chapterverse.settings import Settings


OTHERS = 0o077  # rights of other people on this machine
FOLDER = 0o700
HERE = "http://127.0.0.1:8080"  # the default of `chapterverse serve`
SERVED = "address"  # a file of the home folder: where `chapterverse serve` answers, or answered last


@cache
def settings() -> Settings:
    """The settings of the environment. Raises BadRequest, which names the wrong setting."""
    from chapterverse.settings import read_settings

    return read_settings()


def at_home() -> Settings:
    """The settings, with a home folder: it, its files and what this process makes belong to its owner alone. Raises BadRequest
    if it is not writable."""
    s = settings()
    try:
        os.umask(OTHERS)
        s.home.mkdir(parents=True, exist_ok=True, mode=FOLDER)
        for path in (s.home, *s.home.iterdir()):
            found = path.stat()
            if found.st_mode & OTHERS and found.st_uid == os.geteuid():
                path.chmod(found.st_mode & ~OTHERS & 0o7777)
        TemporaryFile(dir=s.home).close()
    except OSError as error:
        raise BadRequest("home_not_writable", home=s.home, reason=error.strerror) from error
    return s


def here() -> str:
    """Where the pages are: as `serve` said when it was started last."""
    served = settings().home / SERVED
    return served.read_text("utf-8") if served.exists() else HERE


def repaired_services() -> CollectionServices:
    """The services, with an index that is complete; rebuilt books are reported on standard error."""
    from chapterverse.library.versions import repair_index

    for book in repair_index(settings().school, services()):
        note(f"The index of {book.title} was incomplete and has been rebuilt.")
    return services()


@cache
def services() -> CollectionServices:
    """The services that the settings choose. Raises BadRequest if the home folder is not writable."""
    return composition.compose(at_home())


@cache
def services_of(collection: Collection) -> CollectionServices:
    return composition.collection_services(settings(), services(), collection)


STDIN = Path("-")
BOOKS = (".pdf", ".epub")


@dataclass(frozen=True, slots=True)
class GivenPdf:
    """A file named on the command line, not read yet."""

    name: str
    read: Callable[[], bytes]
    title: str | None = None
    authors: tuple[str, ...] = ()


def pdf_at(given: str, limits: Limits) -> GivenPdf:
    """The file at that path, existing or not."""
    return GivenPdf(name_of(Path(given)), partial(read_pdf, Path(given), limits))


def name_of(path: Path) -> str:
    """The file's name, with U+FFFD for what is not UTF-8."""
    return os.fsencode(path.name).decode("utf-8", "replace")


def read_pdf(path: Path, limits: Limits) -> bytes:
    """The file's bytes; a file that is too large is not read. Raises BadBook, BadRequest."""
    from chapterverse.library.services import refuse_too_large

    must_be_a_file(path)
    refuse_too_large(path.stat().st_size, limits)
    return path.read_bytes()


def read_bytes(path: Path) -> bytes:
    """Content of a file, of a pipe (`<(…)` in a shell), or of standard input for "-". Raises BadRequest."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    if not path.is_fifo():
        must_be_a_file(path)
    return path.read_bytes()


def read_essay(path: Path) -> str:
    """The text of what read_bytes reads: plain, Word, OpenDocument or PDF. Raises BadRequest, also if there is none."""
    from chapterverse.essays.text import text_in_sandbox, text_of

    if (data := read_bytes(path)).strip():
        return text_of(data, text_in_sandbox)
    if path == STDIN:
        raise BadRequest("cli_stdin_empty")
    raise BadRequest("cli_file_unusable", path=path, problem=message("cli_empty"))


def must_be_a_file(path: Path) -> None:
    """Raises BadRequest."""
    if re.fullmatch(r"[a-z]{2,}[a-z0-9]*:", "".join(path.parts[:1])):  # a drive has one letter
        raise BadRequest("cli_is_address", address=str(path).replace(":/", "://", 1))
    if not path.is_file():
        problem = "cli_is_folder" if path.is_dir() else "cli_not_ordinary" if path.exists() else "cli_not_there"
        raise BadRequest("cli_file_unusable", path=path, problem=message(problem))


def must_be_writable(folder: Path, file: Path | None = None) -> None:
    """Raises BadRequest for a folder that is none, or that this process may not write, or such a file in it."""
    missing = errno.ENOTDIR if folder.exists() else errno.ENOENT
    free = all(os.access(each, os.W_OK) for each in (folder, file) if each and each.exists())
    if wrong := missing if not folder.is_dir() else 0 if free else errno.EACCES:
        raise BadRequest("cli_output_not_writable", path=file or folder, reason=os.strerror(wrong))


def sources_at(given: str, limits: Limits) -> list[GivenPdf]:
    """The sources at a path: a folder of pages or of PDFs, one page, a PDF or a zip of a folder. Raises BadRequest."""
    from bookreader.html.files import PAGE_ENDINGS
    from bookreader.reading import paths_in

    at = Path(given)
    if at.is_dir():
        if any(path.name.lower().endswith(PAGE_ENDINGS) for path in paths_in(at)):
            return [GivenPdf(f"{name_of(at.resolve())}.zip", partial(packed, at, limits))]
        pdfs = sorted(path for path in at.iterdir() if path.suffix.lower() in BOOKS and path.is_file())
        return [pdf_at(str(path), limits) for path in pdfs] or [GivenPdf(name_of(at.resolve()), partial(refuse_empty, at))]
    if given.lower().endswith(PAGE_ENDINGS):
        return [GivenPdf(f"{name_of(at.with_suffix(''))}.zip", partial(packed_page, at, limits))]
    return [pdf_at(given, limits)]


def refuse_empty(folder: Path) -> bytes:
    raise NotFound("cli_folder_without_pages", folder=folder)


def packed(folder: Path, limits: Limits) -> bytes:
    """A zip of all pages of the folder, and of its pictures as far as there is room: the text matters. Raises BadBook before it
    reads more than the limit, BadRequest for unreadable files."""
    from bookreader.html.files import File, pack
    from bookreader.html.site import is_picture
    from bookreader.reading import paths_in
    from chapterverse.library.reading import MAX_PICTURE_BYTES
    from chapterverse.library.services import refuse_too_large

    paths = list(paths_in(folder))
    size = sum(path.stat().st_size for path in paths)
    refuse_too_large(size, limits)
    for path in paths_in(folder, is_picture):
        if (more := path.stat().st_size) <= min(limits.bytes - size, MAX_PICTURE_BYTES):
            size += more
            paths.append(path)
    try:
        return pack(File(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)
    except OSError as error:
        raise BadRequest("cli_folder_unreadable", path=error.filename or folder, reason=error.strerror) from error


def packed_page(page: Path, limits: Limits) -> bytes:
    """A zip of one page. Raises BadBook, BadRequest."""
    from bookreader.html.files import File, pack

    return pack([File(name_of(page), read_pdf(page, limits))])
