"""Names for storage made from names that people give, so that two different things never share one.

What the names of uploaded files say: {school}/{file}.pdf is a book, {school}/{collection}/{file} something for that
collection, {school}/helpdesk/{department}/{file} a department's."""

import re
import unicodedata
from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePath
from urllib.parse import quote, unquote

_LONGEST = 60  # a file system takes 255 bytes, a character up to four

_NOT_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

_LONGEST_PART = 240  # quoted, a character is up to twelve bytes; room is left for what else stands in a file's name


def slug(text: str) -> str:
    """A short lower-case name: "On_Liberty (1859)" → "on-liberty-1859-…".

    Letters and digits of every script stay; blanks, "-", "_" and "." join. Where anything else went, or the name was too long,
    a hash of the text follows: "C++" and "C#" stay apart."""
    normal = unicodedata.normalize("NFKC", text).casefold().strip()
    words = re.findall(r"[^\W_]+", normal)
    short = "-".join(words)[:_LONGEST].strip("-")
    if short and not re.search(r"[^\w\s.-]", normal) and len("-".join(words)) <= _LONGEST:
        return short
    return f"{short}-{fingerprint(normal)}".lstrip("-")


def title_of_file(file_name: str) -> str:
    """What a book is called that does not say it itself: "on-liberty.pdf" → "On Liberty". Blanks and capitals that the file's
    name has are its own word on how to write it."""
    stem = PurePath(file_name).stem
    words = [word for word in re.split(r"[\s_]+" if " " in stem else r"[-_]+", stem) if word]
    return " ".join(word[:1].upper() + word[1:] if stem.islower() else word for word in words) or stem


def one_line(text: str) -> str:
    """As a name or a title is kept: single blanks, no control characters; no database takes a NUL or half a character."""
    return " ".join(_NOT_TEXT.sub(" ", text).split())


def fingerprint(*parts: str, digits: int = 8) -> str:
    """Hex digits that tell one list of texts from another: 8 beside a readable name, 32 where they stand alone."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:digits]


def in_department(file_name: str, department: str | None) -> str:
    """The file's name in its department's folder; two departments may have files of one name. None: everybody's."""
    if not department:
        return file_name
    folder = department.replace("%", "%25").replace("/", "%2F").replace("\\", "%5C")
    return f"{'%2E' + folder[1:] if folder.startswith('.') else folder}/{file_name}"


def department_of(file_name: str) -> str | None:
    """The other way round."""
    folder, inside, _ = file_name.rpartition("/")
    return unquote(folder) if inside else None


def path_part(text: str) -> str:
    """Any text as one part of an object's name that a file system takes, too; different texts give different parts."""
    quoted = quote(text, safe="")
    return quoted if len(quoted) <= _LONGEST_PART else f"{quoted[: _LONGEST_PART - 33]}={fingerprint(text, digits=32)}"


MEDIA_TYPES: Mapping[str, str] = {
    ".pdf": "application/pdf",
    ".zip": "application/zip",
}


def media_type_of(name: str) -> str:
    """What a file of that name is sent with, as PDF where its ending is no other's."""
    return next((type_ for ending, type_ in MEDIA_TYPES.items() if name.lower().endswith(ending)), MEDIA_TYPES[".pdf"])
