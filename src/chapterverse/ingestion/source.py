"""Whatever file a book comes in → the Book."""

from collections.abc import Callable

from chapterverse.ingestion.limits import USUAL, Limits
from chapterverse.ingestion.refusals import refuse_too_large
from chapterverse.ingestion.site.files import is_folder
from chapterverse.model import Book, BookId


def read_source(data: bytes, book: BookId, limits: Limits = USUAL, progress: Callable[[int, int], None] | None = None) -> Book:
    """Of a PDF, or a zip of a folder of Markdown and HTML pages; progress(done, total) counts pages. Raises BadBook."""
    refuse_too_large(len(data), limits)
    if is_folder(data):
        from chapterverse.ingestion.site.parse import parse_folder

        return parse_folder(data, book, limits, progress)
    from chapterverse.ingestion.parse import parse_book

    return parse_book(data, book, limits, progress)
