"""The name of what a file becomes: the same bytes read by the same parser are the same version, so there is no work to do."""

from hashlib import sha256

from chapterverse.errors import BadBook
from chapterverse.ingestion.limits import USUAL
from chapterverse.ingestion.site.files import File, is_folder, unpack

PARSER_VERSION = "1"  # raise it whenever the same bytes may give other sentences or addresses


def version_of(data: bytes) -> str:
    """First 16 hex digits of SHA-256 over the parser's version and the bytes; known before anything is parsed.

    Of a zip of a folder it is made over the pages and their names: the same folder zipped again is the same version."""
    said = folder_digest(data) if is_folder(data) else data
    return sha256(PARSER_VERSION.encode() + b"\0" + said).hexdigest()[:16]


def folder_digest(data: bytes) -> bytes:
    """Over all files that make the book, by name; the bytes themselves where they will be refused anyway."""
    try:
        return sha256(b"".join(map(file_digest, unpack(data, USUAL)))).digest()
    except BadBook:
        return data


def file_digest(file: File) -> bytes:
    """Over name and content."""
    return sha256(file.path.encode()).digest() + sha256(file.data).digest()
