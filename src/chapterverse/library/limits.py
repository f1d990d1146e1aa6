"""Limits of a school, and refusals without a PDF library, so that a program that only starts the parser stays light."""

from chapterverse.core.book import Limits
from chapterverse.core.errors import BadBook
from chapterverse.messages import message

USUAL = Limits(books=20, bytes=200 * 2**20, pages=3000, words=600_000, seconds=300.0, megabytes=2048)  # S1 plans for 20 books

MAX_SOURCES = 500  # of a school: documents; as many textbooks, lecture books, and help desk sources

__all__ = ["MAX_SOURCES", "USUAL", "Limits"]


def damaged(where: str = "the_pdf_is_damaged", **values: object) -> BadBook:
    """The refusal of a file that cannot be read (to its end)."""
    return BadBook("damaged", "pdf_damaged", where=message(where, **values))


def too_much_memory() -> BadBook:
    """The refusal of a file that grows without bounds when it is unpacked."""
    return BadBook("too_much_memory", "pdf_too_much_memory")


def refuse_too_large(size: int, limits: Limits) -> None:
    """size: of the file, in bytes. Raises BadBook: too_many_bytes."""
    if size > limits.bytes:
        has, most = size / 2**20, limits.bytes / 2**20
        raise BadBook("too_many_bytes", "pdf_too_many_bytes", mib=has, max_mib=most)
