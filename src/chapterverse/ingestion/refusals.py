"""Refusals that do not need the PDF opened: whoever only starts the parser gets by without PyMuPDF."""

from chapterverse.errors import BadBook
from chapterverse.ingestion.limits import Limits
from chapterverse.messages import message


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
