"""Unique names for storage, made from names that people give; and which addresses on the network are safe for secrets.

An uploaded file is {school}/{file}.pdf for a book, {school}/{collection}/{file} for another collection, and
{school}/helpdesk/{department}/{file} for a department of the help desk."""

import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import SplitResult, quote, unquote, urlsplit

_LONGEST = 60  # characters of up to four bytes; file systems take 255 bytes
_NOT_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_LONGEST_PART = 240  # characters of a quoted part; leaves room for the rest of a file's name


def slug(text: str) -> str:
    """A short lower-case name: "On_Liberty (1859)" → "on-liberty-1859-…".

    Letters and digits of every script stay; blanks, "-", "_" and "." become "-". If another character was dropped or the name
    is too long, a hash of the text follows, so "C++" and "C#" differ."""
    normal = unicodedata.normalize("NFKC", text).casefold().strip()
    words = re.findall(r"[^\W_]+", normal)
    short = "-".join(words)[:_LONGEST].strip("-")
    if short and not re.search(r"[^\w\s.-]", normal) and len("-".join(words)) <= _LONGEST:
        return short
    return f"{short}-{fingerprint(normal)}".lstrip("-")


def one_line(text: str) -> str:
    """A name or title on one line: single blanks, no control characters, no surrogates."""
    return " ".join(_NOT_TEXT.sub(" ", text).split())


def fingerprint(*parts: str, digits: int = 8) -> str:
    """Hex digits that identify a list of texts: 8 next to a readable name, 32 alone."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:digits]


def in_department(file_name: str, department: str | None) -> str:
    """The file's name in its department's folder; unchanged without a department."""
    if not department:
        return file_name
    folder = department.replace("%", "%25").replace("/", "%2F").replace("\\", "%5C")
    return f"{'%2E' + folder[1:] if folder.startswith('.') else folder}/{file_name}"


def department_of(file_name: str) -> str | None:
    """Department of a name made by in_department; None without one."""
    folder, inside, _ = file_name.rpartition("/")
    return unquote(folder) if inside else None


def path_part(text: str) -> str:
    """A text as one part of an object's name, valid in file systems too; unique for each text."""
    quoted = quote(text, safe="")
    return quoted if len(quoted) <= _LONGEST_PART else f"{quoted[: _LONGEST_PART - 33]}={fingerprint(text, digits=32)}"


MEDIA_TYPES: Mapping[str, str] = {".pdf": "application/pdf", ".epub": "application/epub+zip", ".zip": "application/zip"}


def media_type_of(name: str) -> str:
    """Media type by the ending of a name; PDF by default."""
    return next((type_ for ending, type_ in MEDIA_TYPES.items() if name.lower().endswith(ending)), MEDIA_TYPES[".pdf"])


_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def parts_of(address: Any) -> SplitResult | None:
    """The parts of a value of any type that is an address of a server; None if it is none."""
    if not isinstance(address, str) or " " in address or not address.isprintable():
        return None
    try:
        parts = urlsplit(address)
        return parts if parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def is_web_address(address: Any) -> bool:
    """Whether a browser would open the address."""
    return bool((parts := parts_of(address)) and parts.scheme in {"https", "http"})


def mail_server_of(address: str) -> SplitResult | None:
    """The parts of a mail server's address; None if it is none, or a sign in the password ends the part with the host."""
    at = parts_of(address.replace(" ", "%20"))
    return at if at and at.scheme in {"smtps", "smtp"} and not (at.path.strip("/") or at.query or at.fragment) else None


def is_key(text: str) -> bool:
    """Whether a request can carry the text as a key."""
    return text.isascii() and text.isprintable()


def is_safe(address: Any) -> bool:
    """Whether a value of any type is an address that may receive secrets: https, or http on this machine.

    It may then stand in a header, because its host is only a host name."""
    if not is_web_address(address) or not _HOST.fullmatch((at := urlsplit(address)).netloc):
        return False
    return at.scheme == "https" or at.hostname in LOOPBACK


def decoded(data: bytes) -> str | None:
    """The text of bytes in UTF-8, UTF-16 with a byte order mark, or else Windows-1252; None if it is no text."""
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return None if "\0" in text or text.startswith("%PDF-") else text
