"""Refusals that do not need the PDF opened: whoever only starts the parser gets by without PyMuPDF."""

from chapterverse.errors import BadBook
from chapterverse.ingestion.limits import Limits


def damaged(where: str = "The PDF is damaged") -> BadBook:
    """The refusal of a file that cannot be read (to its end)."""
    return BadBook("damaged", f"{where}. Download it again, or open it in a PDF reader and print it to a new PDF.")


def too_much_memory() -> BadBook:
    """The refusal of a file that grows without bounds when it is unpacked."""
    return BadBook("too_much_memory", "Reading the PDF takes too much memory. Split it, or print it to a new PDF.")


def refuse_too_large(size: int, limits: Limits) -> None:
    """size: of the file, in bytes. Raises BadBook: too_many_bytes."""
    if size > limits.bytes:
        has, most = size / 2**20, limits.bytes / 2**20
        raise BadBook("too_many_bytes", f"The file has {has:.1f} MiB, the limit is {most:.1f}. Compress or split the PDF.")
