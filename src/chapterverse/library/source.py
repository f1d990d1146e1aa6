"""Any accepted file → Book."""

from collections.abc import Callable

from chapterverse.core.book import Book, BookId, Limits
from chapterverse.library.html.files import is_folder
from chapterverse.library.model import version_of
from chapterverse.library.text.entries import book_of_entries, is_entries, read_entries
from chapterverse.library.uploads import DEFAULT_LIMITS, refuse_too_large


def read_source(
    data: bytes, book: BookId, limits: Limits = DEFAULT_LIMITS, progress: Callable[[int, int], None] | None = None
) -> Book:
    """Parse a PDF, a zip of a folder of Markdown and HTML pages, or a list of questions and answers (JSON, CSV).

    progress(done, total) counts pages. Raises BadBook: see parse_book, parse_folder, read_entries."""
    refuse_too_large(len(data), limits)
    if is_folder(data):
        from chapterverse.library.html.parse import parse_folder

        return parse_folder(data, book, limits, progress)
    if is_entries(data):
        return book_of_entries(read_entries(data), book, version_of(data))
    from chapterverse.library.pdf.parse import parse_book

    return parse_book(data, book, limits, progress)
