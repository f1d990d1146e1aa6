"""An e-book (EPUB 2 or 3) to a PDF, which is read, drawn and cited like any other book. Run by worker.py.

MuPDF sets the pages. What the e-book's own files say about them is stored in the PDF, where ebook_marks reads it: where each
paragraph begins and what it is, where the entries of the navigation lead, and where the pages of the printed book begin (the
"page-list" of EPUB 3.3, 7.4.3, else the page breaks in the text). The same bytes give the same PDF."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from math import isnan
from operator import itemgetter
from typing import NamedTuple

import pymupdf

from bookreader.book import Limits
from bookreader.errors import BadFile
from bookreader.html.epub_page import LINK, MarkedPage, marked_page, page_text, with_letters_of_text, with_notes
from bookreader.html.files import (
    EPUB_CONTAINER,
    ROOT_FILE,
    attributes_of,
    epub_files,
    first_match,
    inside,
    page_label_of,
    refuse_protected,
    text_in,
    without_missing,
)
from bookreader.html.html import decoded, problem_of
from bookreader.pdf.ebook import store
from bookreader.pdf.model import BlockMark, EbookMarks, EntryMark, PageMark
from bookreader.pdf.read import mupdf_errors_as_ours, refuse_page_count

WIDTH, HEIGHT, SIZE = 432, 648, 11  # of a set page and its type, in points: a page of 6 × 9 inches
TOP = 36  # points: the margin above the text
STYLE = f"""@page {{ margin: {TOP}pt 40pt !important }}
* {{ hyphens: none !important }}
pre {{ white-space: pre-wrap !important }}
rt, rp {{ display: none !important }}"""  # words as in the file; nothing beyond the page's edge
READABLE_PICTURES = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"\0\0\0\x0cjP",
    b"<svg",
    b"<?xml",
    b"<!--",
    b"<!DOC",
)
PAGES = (".xhtml", ".html", ".htm", ".xml")
NAVIGATION = re.compile(r"""<(?:\w+:)?item\b(?=[^>]*\bproperties=["'][^"']*\bnav\b)[^>]*\bhref=["']([^"']+)""")
NCX = re.compile(r"""<(?:\w+:)?item\b(?=[^>]*\bmedia-type=["']application/x-dtbncx\+xml)[^>]*\bhref=["']([^"']+)""")
PAGE_LIST = re.compile(r"""<nav\b[^>]*(?:epub:type|role)=["'](?:[^"']*\s)?(?:doc-pagelist|page-list)\b.*?</nav>""", re.DOTALL)
PAGE_TARGET = re.compile(
    r"""<(?:\w+:)?pageTarget\b.*?<(?:\w+:)?text>(.*?)</(?:\w+:)?text>.*?<(?:\w+:)?content\b[^>]*src=["']([^"']+)""", re.DOTALL
)


PAGE_MAP = re.compile(r"""<(?:\w+:)?item\b(?=[^>]*\bmedia-type=["']application/oebps-page-map\+xml)[^>]*\bhref=["']([^"']+)""")
MAP_ENTRY = re.compile(r"<(?:\w+:)?page\b[^>]*>")


class Target(NamedTuple):
    """A place in the e-book's files: "text/ch1.xhtml#p12", and the label of the printed page that begins there."""

    address: str
    label: str


def pdf_of(epub: bytes, limits: Limits) -> bytes:
    """The e-book as a PDF with outline, title, authors and marks.

    Raises BadFile: damaged, encrypted (copy protection), unsafe_archive, too_many_bytes, no_pages, too_many_pages,
    too_complex."""
    files = epub_files(epub, limits)
    refuse_protected(files)
    files = without_missing(files)
    refuse_excess(files)
    pictures = frozenset(
        name for name, data in files.items() if data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(READABLE_PICTURES)
    )
    try:
        return set_pages(files, pictures, limits)
    except BadFile as error:
        broken = {name for name in pictures if not is_readable(name, files[name])} if error.reason == "damaged" else set()
        if not broken:
            raise
        return set_pages({name: data for name, data in files.items() if name not in broken}, pictures - broken, limits)


def is_readable(name: str, picture: bytes) -> bool:
    """Whether MuPDF can read a picture; one that it cannot read would stop it."""
    try:
        with mupdf_errors_as_ours(), pymupdf.open(stream=picture, filetype=name.rpartition(".")[2]) as opened:
            opened.convert_to_pdf()
    except BadFile:
        return False
    return True


def set_pages(files: Mapping[str, bytes], pictures: frozenset[str], limits: Limits) -> bytes:
    """The PDF of an e-book's files. pictures: names of those to draw. Raises BadFile as pdf_of."""
    texts = {name: page_text(data, name, pictures) for name, data in files.items() if is_page(name)}
    marked = {name: marked_page(text, name) for name, text in with_notes(texts).items()}
    with mupdf_errors_as_ours():
        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)
        pymupdf.mupdf.fz_set_user_css(STYLE)
        book = pymupdf.open(stream=packed(files, marked), filetype="epub")
        book.layout(width=WIDTH, height=HEIGHT, fontsize=SIZE)
        refuse_page_count(book.page_count, limits)
        pdf = pymupdf.open(stream=book.convert_to_pdf(), filetype="pdf")
        marks = marks_in(book, files, marked)
        pdf.set_toc([[entry.level, entry.title, entry.page + 1] for entry in marks.entries])
        named = book.metadata or {}
        pdf.set_metadata({"title": named.get("title") or "", "author": named.get("author") or ""})
        store(marks, pdf)
        written: bytes = pdf.tobytes(garbage=3, deflate=True, no_new_id=True)
    return written


def refuse_excess(files: Mapping[str, bytes]) -> None:
    """Raises BadFile: too_complex, which names the file."""
    for name, data in files.items():
        if name.lower().endswith((*PAGES, ".opf", ".ncx")) and (problem := problem_of(decoded(data), xml=True)):
            raise BadFile("too_complex", "epub_page_unusable", path=name, problem=problem)


def is_page(name: str) -> bool:
    """Whether a file may be a page of the e-book."""
    return name.lower().endswith(PAGES) and not name.startswith("META-INF/")


def packed(files: Mapping[str, bytes], marked: Mapping[str, MarkedPage]) -> bytes:
    """The e-book as a zip, with its marked pages."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            style = name.lower().endswith(".css")
            own = with_letters_of_text(data.decode(errors="replace")).encode() if style else data
            archive.writestr(name, marked[name].data if name in marked else own)
    return out.getvalue()


def marks_in(book: pymupdf.Document, files: Mapping[str, bytes], marked: Mapping[str, MarkedPage]) -> EbookMarks:
    """Where the marked places are on the set pages; those that are on none are left out."""
    blocks = [
        BlockMark(*place, block.kind, block.item)
        for page in marked.values()
        for block in page.blocks
        if (place := place_of(book, block.address))
    ]
    listed = page_list(files, marked)
    breaks = [Target(address, label) for page in marked.values() for address, label in page.breaks]
    following = {address: word for page in marked.values() for address, word in page.following.items()}
    pages = [
        PageMark(*place, start_of(following.get(address, ()), *place, book), label)
        for address, label in listed or breaks
        if (place := place_of(book, address))
    ]
    calls = frozenset(call for page in marked.values() for call in page.calls)
    return EbookMarks(
        tuple(sorted(pages, key=itemgetter(0, 1, 2))),
        tuple(sorted(blocks, key=itemgetter(0, 1))),
        tuple(entries_of(book)),
        calls,
    )


def place_of(book: pymupdf.Document, address: str) -> tuple[int, float] | None:
    """Page index and height in points of a place, that of its line's foot; None if it is on no page.

    MuPDF gives the height below the margin."""
    page, _, y = book.resolve_link(address)
    return (page, 0.0 if isnan(y) else round(TOP + y, 1)) if page >= 0 else None


def start_of(words: Sequence[str], page: int, y: float, book: pymupdf.Document) -> float:
    """Where these words begin in the line at that height, in points from the left edge; its end if they are not there."""
    line = (
        [
            (round(x0, 1), text)
            for x0, y0, _, y1, text, *_ in book[page].get_text("words", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)
            if y0 < y - 1 < y1
        ]
        if words
        else []
    )
    begins = [
        x0
        for i, (x0, _) in enumerate(line)
        if all(text.startswith(word) for word, (_, text) in zip(words, line[i:], strict=False))
    ]
    return min(begins, default=float(WIDTH) if line else 0.0)


def entries_of(book: pymupdf.Document) -> Iterator[EntryMark]:
    """The entries of the navigation that lead to a page, with levels that begin at 1 and never skip one: those below an entry
    without a link, as of a part, take its level."""
    above: list[int] = []  # the levels, as given, of the entries that hold the present one
    outline = book.outline if book.get_toc() else None  # PyMuPDF gives an outline without entries that has no title
    for level, title, address in targets_of(outline, 1):
        above = [each for each in above if each < level]
        name = " ".join(title.split())
        if name and address and (place := place_of(book, address)):
            above.append(level)
            yield EntryMark(*place, len(above), name)


def targets_of(entry: pymupdf.Outline | None, level: int) -> Iterator[tuple[int, str, str]]:
    """Level, title and address of an entry and of all after and below it."""
    while entry:
        yield level, entry.title or "", entry.uri or ""
        yield from targets_of(entry.down, level + 1)
        entry = entry.next


def page_list(files: Mapping[str, bytes], marked: Mapping[str, MarkedPage]) -> list[Target]:
    """The list of printed pages in the navigation (EPUB 3) or in another page, in the NCX (EPUB 2) or in a page map (Adobe's),
    without entries that name no place; [] without one."""
    package = first_match(ROOT_FILE, text_in(files, EPUB_CONTAINER))
    described = text_in(files, package)
    navigation, ncx, page_map = (inside(package, first_match(each, described)) for each in (NAVIGATION, NCX, PAGE_MAP))
    targets = [
        (name, href, label)
        for name in (navigation, *marked)
        for found in PAGE_LIST.finditer(text_in(files, name))
        for href, label in LINK.findall(found[0])
    ]
    if not targets:
        targets = [(ncx, href, label) for label, href in PAGE_TARGET.findall(text_in(files, ncx))]
    if not targets:
        entries = map(attributes_of, MAP_ENTRY.findall(text_in(files, page_map)))
        targets = [(page_map, each.get("href", ""), each.get("name", "")) for each in entries]
    addresses = [Target(inside(name, unescape(href)), page_label_of(label)) for name, href, label in targets]
    return list(dict.fromkeys(target for target in addresses if is_there(target.address, marked)))


def is_there(address: str, marked: Mapping[str, MarkedPage]) -> bool:
    """Whether a page has the element named; MuPDF would give the beginning of the page instead."""
    name, _, fragment = address.partition("#")
    return name in marked and (not fragment or fragment in marked[name].ids)
