"""The text of an uploaded essay file, which the student checks before submitting; nothing is stored.

Word processor files and PDFs are read in a sandbox."""

import json

from chapterverse.core.errors import BadRequest
from chapterverse.infrastructure.sandbox import SandboxLimits, answer_of
from chapterverse.library.services import TextFinder
from chapterverse.messages import from_json

MAX_FILE_BYTES = 10 * 2**20  # an essay with some pictures in it
BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))

OTHERS = (  # first bytes, and what to do
    (b"\xd0\xcf\x11\xe0", "file_is_old_word"),
    (b"{\\rtf", "file_is_rtf"),
    (b"\xff\xd8\xff", "file_is_picture"),
    (b"\x89PNG", "file_is_picture"),
)


def text_of(data: bytes, find: TextFinder) -> str:
    """The text of the file, whose kind is recognized by its content, not its name. Raises BadRequest."""
    for begins, message in OTHERS:
        if data.startswith(begins):
            raise BadRequest(message)
    found = find(data) if b"%PDF-" in data[:1024] or data.startswith(b"PK") else decoded(data)
    if not found.strip():
        raise BadRequest("file_without_text")
    return found.replace("\r\n", "\n").replace("\r", "\n")


def decoded(data: bytes) -> str:
    """The text of bytes in UTF-8, UTF-16 with a byte order mark, or else Windows-1252. Raises BadRequest if it is no text."""
    encoding = next((name for bom, name in BOMS if data.startswith(bom)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if "\x00" in text:
        raise BadRequest("file_kind_unknown")
    return text


WORKER = "chapterverse.essays.text.worker"
SANDBOX_LIMITS = SandboxLimits(seconds=30.0, megabytes=1536)


def text_in_sandbox(data: bytes) -> str:
    """The port TextFinder, in a sandbox with SANDBOX_LIMITS; worker.py describes the protocol."""
    with answer_of(WORKER, {}, data, SANDBOX_LIMITS) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"text": str(text)}:
                return text
            case {"refused": dict(message)}:
                raise BadRequest(from_json(message))
    raise BadRequest("file_unreadable")
