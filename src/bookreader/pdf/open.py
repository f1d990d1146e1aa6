"""Bytes to an open PDF that can be read, or the reason why not; and its outline. References: ISO 32000-1, PDF 1.7."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

import pymupdf

from bookreader.book import Limits
from bookreader.errors import BadFile
from bookreader.messages import Message, message
from bookreader.pdf.displays.names import CALLED_CHAPTER, CHAPTER_WORDS, division_word
from bookreader.pdf.headings import PdfHeading
from bookreader.source import damaged, refuse_too_large, too_much_memory

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
    process. Raises BadFile: too_many_bytes, not_a_pdf, damaged, encrypted, no_pages, too_many_pages, too_much_memory."""
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
    """Turn the errors of PyMuPDF 1.28 into BadFile: FileDataError, and MuPDF's RuntimeError, ValueError and the like."""
    try:
        yield
    except MemoryError as error:
        raise too_much_memory() from error
    except (RuntimeError, ValueError, IndexError, KeyError, TypeError, pymupdf.mupdf.FzErrorBase) as error:
        if "alloc (" in str(error):
            raise too_much_memory() from error
        raise damaged() from error


def refuse_other_formats(pdf: bytes) -> None:
    """Raises BadFile: not_a_pdf, with what the file looks like."""
    if not pdf:
        raise BadFile("not_a_pdf", "pdf_empty")
    if b"%PDF-" not in pdf[:HEADER_WITHIN]:
        raise BadFile("not_a_pdf", "not_a_pdf", looks_like=look_of(pdf))


def look_of(data: bytes) -> Message:
    """What the bytes seem to be: "a Word document"."""
    start = data[:HEADER_WITHIN].lstrip().lower()
    for magic, inside, name in OTHER_FORMATS:
        if start.startswith(magic.lower()) and inside in data:
            return message(name)
    return message("looks_plain_text" if b"\x00" not in data[:HEADER_WITHIN] and start.isascii() else "looks_unknown")


def refuse_locked(document: pymupdf.Document) -> None:
    """Raises BadFile: encrypted."""
    if document.needs_pass:
        raise BadFile("encrypted", "pdf_has_password")


def refuse_page_count(pages: int, limits: Limits) -> None:
    """Raises BadFile: no_pages, too_many_pages."""
    if pages < 1:
        raise BadFile("no_pages", "pdf_without_pages")
    if pages > limits.pages:
        raise BadFile("too_many_pages", "pdf_too_many_pages", pages=pages, max_pages=limits.pages)


def refuse_cut_short(pdf: bytes, document: pymupdf.Document) -> None:
    """Raises BadFile: damaged if the file's end is missing; MuPDF repairs such files and loses what was cut off.

    A file ends with %%EOF (PDF 1.7, 7.5.5); data that other programs append after it does not count, objects do."""
    if document.is_repaired and pdf.rfind(b"%%EOF") < pdf.rfind(b"endobj"):
        raise damaged("pdf_end_missing")


def refuse_lost_text(document: pymupdf.Document) -> None:
    """Unpack the content of each page, because text after a damaged place would be lost silently. Raises BadFile: damaged."""
    pymupdf.TOOLS.reset_mupdf_warnings()
    for number in range(document.page_count):
        contents = document[number].get_contents()
        whole = all(document.xref_is_stream(xref) and document.xref_stream(xref) is not None for xref in contents)
        warnings = pymupdf.TOOLS.mupdf_warnings()
        if not whole or any(words in warnings for words in TEXT_LOST):
            raise damaged("pdf_page_damaged", page=number + 1)


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One announced division. level: 1 = outermost. page: index; None if only the printed contents name it."""

    level: int
    text: str
    page: int | None


def outline_of(document: pymupdf.Document) -> list[OutlineEntry]:
    """The PDF's outline, without levels that hold only the book itself, and entries that lead nowhere or name no text."""
    entries = [
        OutlineEntry(level, " ".join(title.split()), page - 1) for level, title, page in document.get_toc() if title.strip()
    ]
    inside = [entry for entry in entries if entry.page is not None and 0 <= entry.page < document.page_count]
    return without_root(without_matter(inside))


MATTER = re.compile(
    r"^(?:(?:front|main|back|end)[ -]?matter|(?:front |back )?cover|(?:half[ -]?)?title(?:[ -]?page)?"
    r"|pg (?:boilerplate|licen[cs]e)|(?:the )?(?:full )?project gutenberg.*licen[cs]e)\W*$",
    re.IGNORECASE,
)


def without_matter(entries: Sequence[OutlineEntry]) -> list[OutlineEntry]:
    """The entries without those that only say which part of a book's matter follows; what these hold is a level higher."""
    rest: list[OutlineEntry] = []
    above: int | None = None  # level of the entry left out that holds those after it
    for entry in entries:
        above = None if above is not None and entry.level <= above else above
        if above is None and MATTER.match(entry.text):
            above = entry.level
        else:
            rest.append(entry if above is None else replace(entry, level=entry.level - 1))
    return rest


def without_root(entries: Sequence[OutlineEntry]) -> list[OutlineEntry]:
    """The entries without a first one that is the only one of its level and holds all others (the book's title); a chapter that
    does so is the only one of the file."""
    rest = list(entries)
    while (
        len(rest) > 1
        and division_word(rest[0].text) not in CHAPTER_WORDS
        and sum(entry.level == rest[0].level for entry in rest) == 1
        and all(entry.level > rest[0].level for entry in rest[1:])
    ):
        rest = rest[1:]
    top = min((entry.level for entry in rest), default=1)
    return [replace(entry, level=entry.level - top + 1) for entry in rest]


PART = re.compile(r"^(?:part|book|volume|teil|buch|band)\b", re.IGNORECASE)
COUNTED = re.compile(rf"^(?:{CALLED_CHAPTER}\s+)?(\d{{1,3}})(?![\d]|[.]\d)", re.IGNORECASE)
CHAPTER = re.compile(rf"^{CALLED_CHAPTER}(?![^\W\d])", re.IGNORECASE)


def chapter_level_of(entries: Sequence[OutlineEntry], printed_ones: Collection[OutlineEntry]) -> int:
    """1, or 2 if most outermost divisions that contain others only group chapters: parts, or names that are not printed."""
    groups = [(entry, entries_under(entries, i)) for i, entry in enumerate(entries) if entry.level == 1]
    groups = [(entry, under) for entry, under in groups if under]
    grouping = [entry for entry, under in groups if entry not in printed_ones or is_part(entry, under)]
    return 2 if groups and (len(grouping) >= 0.5 * len(groups) or counted_through([under for _, under in groups])) else 1


def counted_through(groups: Sequence[Sequence[OutlineEntry]]) -> bool:
    """Whether numbers below the outermost divisions continue from one to the next, as chapters in parts do."""
    numbers = [[int(found[1]) for entry in group if (found := COUNTED.match(entry.text))] for group in groups]
    runs = [run for run in numbers if run]
    every = [number for run in runs for number in run]
    return len(runs) > 1 and len(every) > 3 and all(b > a for a, b in pairwise(every))


def entries_under(entries: Sequence[OutlineEntry], i: int) -> list[OutlineEntry]:
    """The entries of level 2 under entry i."""
    below = takewhile(lambda entry: entry.level > 1, entries[i + 1 :])
    return [entry for entry in below if entry.level == 2]


def is_part(entry: OutlineEntry, under: Sequence[OutlineEntry]) -> bool:
    """Whether an entry is called a part, or those below it are called chapters."""
    chapters = sum(bool(CHAPTER.match(each.text)) for each in under)
    return bool(PART.match(entry.text)) or chapters >= 0.5 * len(under) or bool(under and CHAPTER.match(under[0].text))


def promoted(
    entries: Sequence[OutlineEntry], found: Sequence[tuple[OutlineEntry, PdfHeading]]
) -> tuple[list[OutlineEntry], list[tuple[OutlineEntry, PdfHeading]]]:
    """The entries and those found on the pages; if only a few outermost ones are parts, what is below these is one level up, as
    the chapters outside parts are."""
    headings = {id(entry): heading for entry, heading in found}
    up = dict.fromkeys(map(id, entries), 0)
    for i, entry in enumerate(entries):
        under = entries_under(entries, i) if entry.level == 1 else []
        chapters = sum(id(each) in headings and bool(CHAPTER.match(headings[id(each)].text)) for each in under)
        if under and (PART.match(entry.text) or is_part(entry, under) or chapters >= 0.5 * len(under)):
            up |= {id(each): 1 for each in takewhile(lambda other: other.level > 1, entries[i + 1 :])}
    if chapter_level_of(entries, {entry for entry, _ in found}) > 1:
        return list(entries), list(found)
    moved = {id(entry): replace(entry, level=entry.level - up[id(entry)]) for entry in entries}
    return list(moved.values()), [(moved[id(entry)], heading) for entry, heading in found]
