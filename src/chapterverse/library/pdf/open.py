"""Bytes to an open PDF that can be read, or the reason why not. References: ISO 32000-1, PDF 1.7."""

from collections.abc import Iterator
from contextlib import contextmanager

import pymupdf

from chapterverse.core.book import Limits
from chapterverse.core.errors import BadBook
from chapterverse.library.uploads import damaged, refuse_too_large, too_much_memory
from chapterverse.messages import Message, message

HEADER_WITHIN = 1024  # bytes; readers accept leading bytes before "%PDF-" up to here (PDF 1.7, appendix H.3, note 13)

OTHER_FORMATS = (  # first bytes, what else the file must contain, name of the format
    (b"PK\x03\x04", b"word/", "looks_word"),
    (b"PK\x03\x04", b"application/epub", "looks_epub"),
    (b"PK\x03\x04", b"opendocument", "looks_opendocument"),
    (b"PK\x03\x04", b"xl/", "looks_spreadsheet"),
    (b"PK\x03\x04", b"ppt/", "looks_presentation"),
    (b"PK\x03\x04", b"", "looks_zip"),
    (b"\xd0\xcf\x11\xe0", b"", "looks_old_office"),
    (b"{\\rtf", b"", "looks_rtf"),
    (b"%!PS", b"", "looks_postscript"),
    (b"\xff\xd8\xff", b"", "looks_picture"),
    (b"\x89PNG", b"", "looks_picture"),
    (b"GIF8", b"", "looks_picture"),
    (b"II*\x00", b"", "looks_picture"),
    (b"MM\x00*", b"", "looks_picture"),
    (b"<!doctype html", b"", "looks_web_page"),
    (b"<html", b"", "looks_web_page"),
    (b"<?xml", b"", "looks_xml"),
)

TEXT_LOST = (  # MuPDF's warnings when a page is incomplete; it continues with the rest
    "read error; treating as end of file",
    "premature end of data",
    "zlib error",  # also wrong checksums: then letters are wrong, or all text after a garbled operator is lost
    "non-page object in page tree",
)


def open_pdf(pdf: bytes, limits: Limits) -> pymupdf.Document:
    """An open document with 1 to limits.pages pages, none of them known to be cut off.

    A file that needs no password for reading opens, even if it forbids printing or copying: only the user password prevents
    reading (PDF 1.7, 7.6.3.1). Whether the pages have text is not checked here. Switches MuPDF's messages off for the whole
    process. Raises BadBook: too_many_bytes, not_a_pdf, damaged, encrypted, no_pages, too_many_pages, too_much_memory."""
    refuse_too_large(len(pdf), limits)
    refuse_other_formats(pdf)
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with mupdf_errors_as_ours():
        document = pymupdf.open(stream=pdf, filetype="pdf")
        refuse_locked(document)
        refuse_page_count(document.page_count, limits)
        refuse_cut_short(pdf, document)
        refuse_lost_text(document)
    return document


@contextmanager
def mupdf_errors_as_ours() -> Iterator[None]:
    """Turn the errors of PyMuPDF 1.28 into BadBook: FileDataError, and MuPDF's RuntimeError, ValueError and the like."""
    try:
        yield
    except MemoryError as error:
        raise too_much_memory() from error
    except (RuntimeError, ValueError, IndexError, KeyError, TypeError, pymupdf.mupdf.FzErrorBase) as error:
        if "alloc (" in str(error):
            raise too_much_memory() from error
        raise damaged() from error


def refuse_other_formats(pdf: bytes) -> None:
    """Raises BadBook: not_a_pdf, with what the file looks like."""
    if not pdf:
        raise BadBook("not_a_pdf", "pdf_empty")
    if b"%PDF-" not in pdf[:HEADER_WITHIN]:
        raise BadBook("not_a_pdf", "not_a_pdf", looks_like=look_of(pdf))


def look_of(data: bytes) -> Message:
    """What the bytes seem to be: "a Word document"."""
    start = data[:HEADER_WITHIN].lstrip().lower()
    for magic, inside, name in OTHER_FORMATS:
        if start.startswith(magic.lower()) and inside in data:
            return message(name)
    return message("looks_plain_text" if b"\x00" not in data[:HEADER_WITHIN] and start.isascii() else "looks_unknown")


def refuse_locked(document: pymupdf.Document) -> None:
    """Raises BadBook: encrypted."""
    if document.needs_pass:
        raise BadBook("encrypted", "pdf_has_password")


def refuse_page_count(pages: int, limits: Limits) -> None:
    """Raises BadBook: no_pages, too_many_pages."""
    if pages < 1:
        raise BadBook("no_pages", "pdf_without_pages")
    if pages > limits.pages:
        raise BadBook("too_many_pages", "pdf_too_many_pages", pages=pages, max_pages=limits.pages)


def refuse_cut_short(pdf: bytes, document: pymupdf.Document) -> None:
    """Raises BadBook: damaged if the file's end is missing; MuPDF repairs such files and loses what was cut off.

    A file ends with %%EOF (PDF 1.7, 7.5.5); data that other programs append after it does not count, objects do."""
    if document.is_repaired and pdf.rfind(b"%%EOF") < pdf.rfind(b"endobj"):
        raise damaged("pdf_end_missing")


def refuse_lost_text(document: pymupdf.Document) -> None:
    """Unpack the content of each page, because text after a damaged place would be lost silently. Raises BadBook: damaged."""
    pymupdf.TOOLS.reset_mupdf_warnings()
    for number in range(document.page_count):
        contents = document[number].get_contents()
        whole = all(document.xref_is_stream(xref) and document.xref_stream(xref) is not None for xref in contents)
        warnings = pymupdf.TOOLS.mupdf_warnings()
        if not whole or any(words in warnings for words in TEXT_LOST):
            raise damaged("pdf_page_damaged", page=number + 1)
