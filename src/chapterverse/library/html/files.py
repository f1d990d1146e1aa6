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
MAX_ENTRIES = 50_000  # of any kind: a site with its pictures has a few thousand
ZIP_MAGIC = b"PK\x03\x04"
DOCUMENTS = frozenset({"[Content_Types].xml", "mimetype"})  # ECMA-376 part 2, 10.2; EPUB 3.3 and ODF 1.3, zip containers
EPUB_CONTAINER = "META-INF/container.xml"  # EPUB 3.3, OCF 4.2.6.3.1
FIRST_FILE = 128  # bytes: a zip's first header, and an e-book's first file
NO_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that zip can store: the same files give the same bytes
ENCRYPTED = 0x1  # a bit of a zip entry's flags (APPNOTE 6.3.10, 4.4.4)


@dataclass(frozen=True, slots=True)
class File:
    """A file of a folder. path: in the folder, with "/"."""

    path: str
    data: bytes


def is_folder(data: bytes) -> bool:
    """Whether the bytes are a zip of a folder; zips of Word, Excel, EPUB and the like identify themselves and are not."""
    if not data.startswith(ZIP_MAGIC):
        return False
    try:
        with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
            return (DOCUMENTS | {EPUB_CONTAINER}).isdisjoint(archive.namelist())
    except BadBook:
        return True  # refused later as a folder that cannot be read


def is_epub(data: bytes) -> bool:
    """Whether the bytes are an e-book: a zip whose first file, "mimetype", says so (EPUB 3.3, OCF 4.2.2), or which at least
    has the file that names the e-book's contents; many programs pack an e-book again in another order."""
    if not data.startswith(ZIP_MAGIC):
        return False
    if b"mimetypeapplication/epub+zip" in data[:FIRST_FILE]:
        return True
    try:
        return EPUB_CONTAINER in names_in(data)
    except BadBook:
        return False


def is_wanted(path: str) -> bool:
    """Whether the file belongs to a book: a page, or configuration of the site; not if hidden or installed."""
    *folders, name = PurePosixPath(path).parts
    if any(part.startswith(".") or part in LEFT_OUT for part in (*folders, name)):
        return False
    return name.lower().endswith(PAGE_ENDINGS) or is_config(path)


def is_config(path: str) -> bool:
    """Whether the file configures the site."""
    return CONFIG.fullmatch(PurePosixPath(path).name) is not None


def pack(files: Iterable[File]) -> bytes:
    """A zip of the files; the same files in any order give the same bytes."""
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
    """Names of all files in a stored zip, pages or not. Raises BadBook: damaged."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [entry.filename for entry in archive.infolist() if not entry.is_dir()]


def file_named(data: bytes, name: str, max_bytes: int) -> bytes | None:
    """The bytes of one file of a stored zip; None if it is missing or larger than max_bytes. Raises BadBook: damaged."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        try:
            with archive.open(name) as opened:
                read = opened.read(max_bytes + 1)
        except (KeyError, RuntimeError):  # no such name; a password
            return None
    return read if len(read) <= max_bytes else None


def read_within(archive: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo], max_bytes: int) -> Iterator[File]:
    """The entries' files. max_bytes: for all together. Raises BadBook: too_many_bytes."""
    left = max_bytes
    for entry in entries:
        with archive.open(entry) as file:
            data = file.read(left + 1)
        left -= len(data)
        if left < 0:
            raise BadBook("too_many_bytes", "folder_too_many_bytes", max_mib=max_bytes / 2**20)
        yield File(entry.filename, data)


@contextmanager
def zip_errors_as_ours() -> Iterator[None]:
    """Turn zipfile's errors for a bad file into BadBook: damaged."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeError, ValueError, OverflowError) as error:
        raise BadBook("damaged", "zip_damaged") from error


def refuse_unsafe(entries: list[zipfile.ZipInfo]) -> None:
    """Raises BadBook: unsafe_archive for too many names, names that lead out of the folder or come twice; encrypted."""
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names) or len(names) > MAX_ENTRIES or any(map(leads_out, names)):
        raise BadBook("unsafe_archive", "zip_unsafe")
    if any(entry.flag_bits & ENCRYPTED for entry in entries):
        raise BadBook("encrypted", "zip_has_password")


def leads_out(name: str) -> bool:
    """Whether a name is anything but a plain path inside the zip."""
    first, *others = name.split("/")
    return not first or "\\" in name or ":" in first or ".." in (first, *others)


def refuse_too_many(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Raises BadBook: too_many_pages."""
    if len(entries) > limits.pages:
        raise BadBook("too_many_pages", "folder_too_many_pages", pages=len(entries), max_pages=limits.pages)
