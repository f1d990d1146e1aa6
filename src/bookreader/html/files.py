"""Files in a zip: a folder of pages, as it travels through buckets, queues and the parser's child process, or an e-book.

Nothing is ever unpacked to a disk, so a name in a zip can lead nowhere; sizes are counted while unpacking, not believed."""

import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from bookreader.book import Limits
from bookreader.errors import BadFile
from bookreader.messages import message

PAGE_ENDINGS = (".md", ".mdx", ".markdown", ".mkd", ".html", ".htm")
CONFIG = re.compile(r"_category_\.(?:json|ya?ml)|textbook\.ya?ml|docusaurus\.config\.\w+")
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
    if not data.startswith((ZIP_MAGIC, b"PK\x05\x06")):  # the second is a zip without a file
        return False
    try:
        return (DOCUMENTS | {EPUB_CONTAINER}).isdisjoint(names_in(data))
    except BadFile:
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
    except BadFile:
        return False


def is_wanted(path: str) -> bool:
    """Whether the file belongs to a book: a page, or configuration of the site; not if hidden or installed."""
    *folders, name = PurePosixPath(path).parts
    if any(part.startswith(".") or part in LEFT_OUT for part in (*folders, name)):
        return False
    return name.lower().endswith(PAGE_ENDINGS) or is_config(path)


def is_config(path: str) -> bool:
    return CONFIG.fullmatch(PurePosixPath(path).name) is not None


def pack(files: Iterable[File]) -> bytes:
    """A zip of the files; the same files in any order give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files, key=lambda file: file.path):
            archive.writestr(zipfile.ZipInfo(file.path, NO_DATE), file.data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack(data: bytes, limits: Limits) -> list[File]:
    """The wanted files of a zip, by path. Raises BadFile: damaged, encrypted, unsafe_archive, too_many_bytes or _pages."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = entries_of(archive)
        refuse_unsafe(entries)
        wanted = sorted((entry for entry in entries if is_wanted(entry.filename)), key=lambda entry: entry.filename)
        if len(wanted) > limits.pages:
            raise BadFile("too_many_pages", "folder_too_many_pages", pages=len(wanted), max_pages=limits.pages)
        return list(read_within(archive, wanted, limits.bytes))


def entries_of(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files in a zip. PowerShell 5 writes backslashes between folders."""
    if not any("/" in each.filename for each in archive.infolist()):
        for each in archive.infolist():
            each.filename = each.filename.replace("\\", "/")
    return [each for each in archive.infolist() if not each.is_dir()]


def names_in(data: bytes) -> list[str]:
    """Names of all files in a stored zip, pages or not. Raises BadFile: damaged."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [entry.filename for entry in entries_of(archive)]


def file_named(data: bytes, name: str, max_bytes: int) -> bytes | None:
    """The bytes of one file of a stored zip; None if it is missing or larger than max_bytes. Raises BadFile: damaged."""
    with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        try:
            with archive.open({each.filename: each for each in entries_of(archive)}[name]) as opened:
                read = opened.read(max_bytes + 1)
        except (KeyError, RuntimeError):  # no such name; a password
            return None
    return read if len(read) <= max_bytes else None


def read_within(archive: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo], max_bytes: int) -> Iterator[File]:
    """The entries' files. max_bytes: for all together. Raises BadFile: too_many_bytes."""
    left = max_bytes
    for entry in entries:
        with archive.open(entry) as file:
            data = file.read(left + 1)
        left -= len(data)
        if left < 0:
            raise BadFile("too_many_bytes", "folder_too_many_bytes", max_mib=max_bytes / 2**20)
        yield File(entry.filename, data)


ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError, ValueError, OverflowError,
    LookupError,  # a name without letters
    OSError,  # of bz2: nothing is read from a disk here
)  # fmt: skip


@contextmanager
def zip_errors_as_ours() -> Iterator[None]:
    """Turn zipfile's errors for a bad file into BadFile: damaged."""
    try:
        yield
    except ZIP_ERRORS as error:
        raise BadFile("damaged", "zip_damaged") from error


def refuse_unsafe(entries: list[zipfile.ZipInfo]) -> None:
    """Raises BadFile: unsafe_archive for too many names, names that lead out of the folder or come twice; encrypted."""
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names) or len(names) > MAX_ENTRIES or any(map(leads_out, names)):
        raise BadFile("unsafe_archive", "zip_unsafe")
    if any(entry.flag_bits & ENCRYPTED for entry in entries):
        raise BadFile("encrypted", "zip_has_password")


def leads_out(name: str) -> bool:
    """Whether a name is anything but a plain path inside the zip."""
    first, *others = name.split("/")
    return not first or "\\" in name or ":" in first or ".." in (first, *others)


UNPACKED = 5  # × limits.bytes: an e-book's files are compressed
ENCRYPTION = "META-INF/encryption.xml"
FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")  # fonts only: the text is readable
ROOT_FILE = re.compile(r"""<(?:\w+:)?rootfile\b[^>]*\bfull-path=["']([^"']+)""")
ITEM = re.compile(r"<(?:\w+:)?item\b[^>]*>")
ITEM_REFERENCE = re.compile(r"<(?:\w+:)?itemref\b[^>]*?(?:/>|>\s*</(?:\w+:)?itemref>)")
ANY_TAG = re.compile(r"<[^>]*>")
ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def epub_files(epub: bytes, limits: Limits) -> dict[str, bytes]:
    """All files of the e-book by name. Raises BadFile: damaged, encrypted, unsafe_archive, too_many_bytes."""
    most = UNPACKED * limits.bytes
    try:
        with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(epub)) as archive:
            entries = entries_of(archive)
            refuse_unsafe(entries)
            return {file.path: file.data for file in read_within(archive, entries, most)}
    except BadFile as error:
        said = {"encrypted": message("epub_protected"), "too_many_bytes": message("epub_too_large", max_mib=most / 2**20)}
        raise BadFile(error.reason, said.get(error.reason, message("epub_damaged"))) from error


def refuse_protected(files: Mapping[str, bytes]) -> None:
    """Raises BadFile: encrypted if anything but fonts is encrypted (EPUB 3.3, 4.2.6.3.1)."""
    text = files.get(ENCRYPTION, b"").decode(errors="replace")
    algorithms = re.findall(r"""EncryptionMethod[^>]*Algorithm=["']([^"']+)""", text)
    if any(algorithm not in FONT_ALGORITHMS for algorithm in algorithms):
        raise BadFile("encrypted", "epub_protected")


def without_missing(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, without the places in the order of reading that no file has: MuPDF would print an error there."""
    name = first_match(ROOT_FILE, text_in(files, EPUB_CONTAINER))
    text = text_in(files, name)
    items = [(attributes.get("id"), attributes.get("href", "")) for attributes in map(attributes_of, ITEM.findall(text))]
    lost = {each for each, href in items if inside(name, href) not in files}
    remaining = ITEM_REFERENCE.sub(lambda found: "" if attributes_of(found[0]).get("idref") in lost else found[0], text)
    return {**files, name: remaining.encode()} if remaining != text else dict(files)


def inside(name: str, href: str) -> str:
    """The address of a link in the file of that name."""
    path, mark, fragment = href.partition("#")
    return normpath(join(dirname(name), unquote(path))) + mark + unquote(fragment) if path else f"{name}{mark}{fragment}"


def text_in(files: Mapping[str, bytes], name: str) -> str:
    """The text of a file; empty if there is none of that name."""
    return files.get(name, b"").decode(errors="replace")


def first_match(pattern: re.Pattern[str], text: str) -> str:
    """The first group of the pattern's first match; empty without one."""
    found = pattern.search(text)
    return unescape(found[1]) if found else ""


def attributes_of(text: str) -> dict[str, str]:
    """The attributes of a tag by name in small letters."""
    return {found[1].lower(): unescape(found[2] or found[3] or "") for found in ATTRIBUTE.finditer(text)}


MAX_INNER = 2_000  # characters


def inner(text: str, found: re.Match[str]) -> str:
    """What stands in the short element that a tag opens; empty if its end is not near."""
    if found["empty"]:
        return ""
    depth, tags = 1, re.compile(rf"<(/?){re.escape(found['name'])}\b[^>]*?(/?)>")
    for tag in tags.finditer(text, found.end(), found.end() + MAX_INNER):
        depth += -1 if tag[1] else 0 if tag[2] else 1
        if not depth:
            return text[found.end() : tag.start()]
    return ""


MAX_LABEL = 40  # characters
PAGE_WORD = re.compile(r"[\[({\s]*(?:(?:pages?|pg|p|seite)(?=[\s.:\d])|s\.)?[\s.:]*(.*?)[\])}\s.]*", re.IGNORECASE | re.DOTALL)


def page_label_of(markup: str) -> str:
    """The number of a printed page: "xii" of "Page xii", "p. xii" or "[Pg xii]"."""
    found = PAGE_WORD.fullmatch(label_of(markup)[:MAX_LABEL])
    return found[1] if found else ""


def label_of(markup: str) -> str:
    """The words of a piece of a page."""
    return " ".join(unescape(ANY_TAG.sub("", markup)).split())


def int_of(text: str | None) -> int:
    """The number of a list's first item; 1 if none is given."""
    return int(text) if text and re.fullmatch(r"-?\d{1,6}", text) else 1
