"""A folder of pages as one zip file: what travels through buckets, queues and the parser's child process.

Nothing is ever unpacked to a disk, so a name in a zip can lead nowhere; sizes are counted while unpacking, not believed."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from chapterverse.core.book import Limits
from chapterverse.core.errors import BadBook

PAGE_ENDINGS = (".md", ".mdx", ".markdown", ".html", ".htm")

CONFIG = re.compile(r"_category_\.(?:json|ya?ml)|mkdocs\.ya?ml|textbook\.ya?ml|docusaurus\.config\.\w+")

LEFT_OUT = frozenset({"node_modules", "__MACOSX"})

MOST_ENTRIES = 50_000  # of any kind: a site with its pictures has some thousands

ZIP_MAGIC = b"PK\x03\x04"

DOCUMENTS = frozenset({"[Content_Types].xml", "mimetype"})  # ECMA-376 part 2, 10.2; EPUB 3.3 and ODF 1.3, zip containers

NO_DATE = (1980, 1, 1, 0, 0, 0)  # the first a zip knows: the same files are the same bytes

ENCRYPTED = 0x1  # a bit of a zip entry's flags (APPNOTE 6.3.10, 4.4.4)


@dataclass(frozen=True, slots=True)
class File:
    """path: in the folder, parted by "/"."""

    path: str
    data: bytes


def is_folder(data: bytes) -> bool:
    """Whether it is a zip that is no document of its own: Word's, Excel's, an EPUB book … name themselves so."""
    if not data.startswith(ZIP_MAGIC):
        return False
    try:
        with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
            return DOCUMENTS.isdisjoint(archive.namelist())
    except BadBook:
        return True  # to be refused as what it was meant to be


def is_wanted(path: str) -> bool:
    """Whether a file of that path says anything of a book: a page, or how its site is made; nothing hidden or installed."""
    *folders, name = PurePosixPath(path).parts
    if any(part.startswith(".") or part in LEFT_OUT for part in (*folders, name)):
        return False
    return name.lower().endswith(PAGE_ENDINGS) or is_config(path)


def is_config(path: str) -> bool:
    """Whether it says how the site is made."""
    return CONFIG.fullmatch(PurePosixPath(path).name) is not None


def pack(files: Iterable[File]) -> bytes:
    """One zip of the files; the same files, in whatever order, give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files, key=lambda file: file.path):
            archive.writestr(zipfile.ZipInfo(file.path, NO_DATE), file.data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack(data: bytes, limits: Limits) -> list[File]:
    """The wanted files of a zip, by path. Raises BadBook: damaged, encrypted, unsafe_archive, too_many_bytes (unpacked),
    too_many_pages."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        refuse_unsafe(entries)
        wanted = sorted((entry for entry in entries if is_wanted(entry.filename)), key=lambda entry: entry.filename)
        refuse_too_many(wanted, limits)
        return list(read_within(archive, wanted, limits.bytes))


def names_in(data: bytes) -> list[str]:
    """Of all files of a zip that has been a book before, those that are no page, too. Raises BadBook: damaged."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [entry.filename for entry in archive.infolist() if not entry.is_dir()]


def file_named(data: bytes, name: str, most: int) -> bytes | None:
    """The bytes of one file of it; None where it has no such one, or one of more than `most` bytes. Raises BadBook: damaged."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        try:
            with archive.open(name) as opened:
                read = opened.read(most + 1)
        except (KeyError, RuntimeError):  # no such name; a password
            return None
    return read if len(read) <= most else None


def read_within(archive: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo], most: int) -> Iterator[File]:
    """The entries' files. most: bytes of all of them together. Raises BadBook: too_many_bytes."""
    left = most
    for entry in entries:
        with archive.open(entry) as file:
            data = file.read(left + 1)
        left -= len(data)
        if left < 0:
            raise BadBook("too_many_bytes", "folder_too_many_bytes", max_mib=most / 2**20)
        yield File(entry.filename, data)


@contextmanager
def zip_errors_as_ours() -> Iterator[None]:
    """What zipfile raises for a bad file, as BadBook: damaged."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeError, ValueError, OverflowError) as error:
        raise BadBook("damaged", "zip_damaged") from error


def refuse_unsafe(entries: list[zipfile.ZipInfo]) -> None:
    """Raises BadBook: unsafe_archive for names that lead out of the folder or come twice, or no end of them; encrypted."""
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names) or len(names) > MOST_ENTRIES or any(map(leads_out, names)):
        raise BadBook("unsafe_archive", "zip_unsafe")
    if any(entry.flag_bits & ENCRYPTED for entry in entries):
        raise BadBook("encrypted", "zip_has_password")


def leads_out(name: str) -> bool:
    """Whether a name in a zip is no plain path within it."""
    first, *others = name.split("/")
    return not first or "\\" in name or ":" in first or ".." in (first, *others)


def refuse_too_many(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Raises BadBook: too_many_pages."""
    if len(entries) > limits.pages:
        raise BadBook("too_many_pages", "folder_too_many_pages", pages=len(entries), max_pages=limits.pages)
