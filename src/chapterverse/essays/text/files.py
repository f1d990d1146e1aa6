"""A student's file as the text of an essay, which they see before it is sent; nothing of it is kept.

The text in a file of a word processor or a PDF, found behind the wall that parsing stands behind."""

import json

from chapterverse.core.errors import BadRequest
from chapterverse.infrastructure.sandbox import SandboxLimits, answer_of
from chapterverse.library.services import TextFinder
from chapterverse.messages import from_json

MOST_BYTES = 10 * 2**20  # an essay with some pictures in it

BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))

OTHERS = (  # first bytes, and what to do
    (b"\xd0\xcf\x11\xe0", "file_is_old_word"),
    (b"{\\rtf", "file_is_rtf"),
    (b"\xff\xd8\xff", "file_is_picture"),
    (b"\x89PNG", "file_is_picture"),
)


def text_of(data: bytes, find: TextFinder) -> str:
    """By what is in it, whatever it is called. Raises BadRequest."""
    for begins, message in OTHERS:
        if data.startswith(begins):
            raise BadRequest(message)
    found = find(data) if b"%PDF-" in data[:1024] or data.startswith(b"PK") else decoded(data)
    if not found.strip():
        raise BadRequest("file_without_text")
    return found.replace("\r\n", "\n").replace("\r", "\n")


def decoded(data: bytes) -> str:
    """UTF-8, UTF-16 where it says so, else what Windows writes. Raises BadRequest where it is no text."""
    encoding = next((name for bom, name in BOMS if data.startswith(bom)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if "\x00" in text:
        raise BadRequest("file_kind_unknown")
    return text


CHILD = "chapterverse.essays.text.worker"

LIMITS = SandboxLimits(seconds=30.0, megabytes=1536)


def text_in_child(data: bytes) -> str:
    """The port TextFinder within LIMITS; worker.py says how the two speak."""
    with answer_of(CHILD, {}, data, LIMITS) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"text": str(text)}:
                return text
            case {"refused": dict(message)}:
                raise BadRequest(from_json(message))
    raise BadRequest("file_unreadable")
