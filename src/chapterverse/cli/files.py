"""Files named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.model import Limits

STDIN = Path("-")


def read_pdf(path: Path, limits: Limits) -> bytes:
    """The file's bytes, not even read if they are too many. Raises BadBook, BadRequest."""
    from chapterverse.ingestion.refusals import refuse_too_large

    must_be_a_file(path)
    refuse_too_large(path.stat().st_size, limits)
    return path.read_bytes()


def read_essay(path: Path) -> str:
    """The text of a file, or of standard input for "-". Raises BadRequest for anything but UTF-8 text."""
    if path != STDIN:
        must_be_a_file(path)
    data = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRequest("The essay is not plain text in UTF-8. Save it as plain text or Markdown first.") from error


def must_be_a_file(path: Path) -> None:
    """Raises BadRequest."""
    if not path.is_file():
        told = "is a folder: name the files in it" if path.is_dir() else "is not there: check the name"
        raise BadRequest(f"The file {path} {told}.")
