"""Names in a store, and what uploaders say of their files; the same rules for every store."""

from collections.abc import Mapping

from chapterverse.errors import BadRequest
from chapterverse.model import StoredFile
from chapterverse.names import one_line

TITLE, AUTHORS = "title", "authors"  # keys of an object's metadata
BETWEEN_AUTHORS = ";"


def parts_of(name: str) -> list[str]:
    """Between slashes. Raises BadRequest for a part that is empty, begins with ".", or has a character no file may have."""
    parts = name.split("/")
    if any(not part or part.startswith(".") or "\\" in part or "\0" in part for part in parts):
        raise BadRequest("object_name_invalid")
    return parts


def stored_file(name: str, generation: str, metadata: Mapping[str, str]) -> StoredFile:
    """With `title`, and `authors` parted by semicolons, where the uploader gave them."""
    title = one_line(metadata.get(TITLE, ""))
    authors = map(one_line, metadata.get(AUTHORS, "").split(BETWEEN_AUTHORS))
    return StoredFile(name, generation, title or None, tuple(author for author in authors if author))
