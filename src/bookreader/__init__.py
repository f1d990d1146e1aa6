"""Files to books: every sentence with its chapter, paragraph, printed page and the boxes of its lines. See README.md."""

from collections.abc import Callable
from pathlib import Path

from bookreader.book import (
    DEFAULT_LIMITS,
    Address,
    Book,
    Box,
    Chapter,
    Kind,
    Limits,
    Oddities,
    OddPage,
    Place,
    QualityReport,
    Sentence,
)
from bookreader.errors import BadFile, ReaderError

__all__ = [
    "DEFAULT_LIMITS", "Address", "BadFile", "Book", "Box", "Chapter", "Kind", "Limits", "OddPage", "Oddities", "Place",
    "QualityReport", "ReaderError", "Sentence", "read",
]  # fmt: skip


def read(path: str | Path, limits: Limits = DEFAULT_LIMITS, progress: Callable[[int, int], None] | None = None) -> Book:
    """The book in a PDF, an EPUB, a page of HTML or Markdown, a zip or a folder of such pages, or a list of questions and
    answers (JSON, CSV). It is read by a child process within the limits. progress(done, total) counts pages.

    Raises ReaderError, OSError."""
    from bookreader.reading import read_path

    return read_path(Path(path), limits, progress)
