"""An e-book (EPUB 2 or 3) to a PDF, which is read, drawn and cited like any other book. Run by worker.py.

MuPDF sets the pages. What the e-book's own files say about them is stored in the PDF, where ebook_marks reads it: where each
paragraph begins and what it is, where the entries of the navigation lead, and where the pages of the printed book begin (the
"page-list" of EPUB 3.3, 7.4.3, else the page breaks in the text). The same bytes give the same PDF."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from itertools import count
from math import isnan
from operator import itemgetter
from typing import NamedTuple

import pymupdf

from chapterverse.core.book import Kind, Limits
from chapterverse.core.errors import BadBook
from chapterverse.library.html.files import (
    EPUB_CONTAINER,
    ROOT_FILE,
    attributes_of,
    epub_files,
    first_match,
    inner,
    inside,
    int_of,
    label_of,
    refuse_protected,
    text_in,
    without_missing,
)
from chapterverse.library.html.html import decoded, written_math
from chapterverse.library.html.limits import problem_of
from chapterverse.library.pdf.ebook import INEXACT, store
from chapterverse.library.pdf.model import BlockMark, EbookMarks, EntryMark, PageMark
from chapterverse.library.pdf.open import mupdf_errors_as_ours, refuse_page_count

WIDTH, HEIGHT, SIZE = 432, 648, 11  # of a set page and its type, in points: a page of 6 × 9 inches
TOP = 36  # points: the margin above the text
STYLE = f"""@page {{ margin: {TOP}pt 40pt !important }}
* {{ hyphens: none !important }}
pre {{ white-space: pre-wrap !important }}
rt, rp {{ display: none !important }}"""  # words as in the file; nothing beyond the page's edge
SOFT_HYPHEN = re.compile("\u00ad|&(?:shy|#0*173|#[xX]0*[aA][dD]);")  # the set pages break no words
MATH = re.compile(r"<(?:\w+:)?math\b.*?</(?:\w+:)?math>", re.DOTALL)
STYLED = re.compile(r"<style\b.*?</style>|<[a-zA-Z][^>]*\sstyle\s*=[^>]*>", re.DOTALL | re.IGNORECASE)
RESPELLED = re.compile(
    r"(text-transform\s*:\s*)[\w-]+|(font-variant(?:-caps)?\s*:\s*)[\w -]+|(font\s*:[^;}\"']*?)\bsmall-caps\b"
)
PAGES = (".xhtml", ".html", ".htm", ".xml")
NAVIGATION = re.compile(r"""<(?:\w+:)?item\b(?=[^>]*\bproperties=["'][^"']*\bnav\b)[^>]*\bhref=["']([^"']+)""")
NCX = re.compile(r"""<(?:\w+:)?item\b(?=[^>]*\bmedia-type=["']application/x-dtbncx\+xml)[^>]*\bhref=["']([^"']+)""")
PAGE_LIST = re.compile(r"""<nav\b[^>]*(?:epub:type|role)=["'](?:doc-pagelist|page-list)["'].*?</nav>""", re.DOTALL)
NAVIGATION_LIST = re.compile(r"<nav\b.*?</nav>", re.DOTALL)
LINK = re.compile(r"""<a\b[^>]*href=["']([^"']+)["'][^>]*>(.*?)</a>""", re.DOTALL)
PAGE_TARGET = re.compile(
    r"""<(?:\w+:)?pageTarget\b.*?<(?:\w+:)?text>(.*?)</(?:\w+:)?text>.*?<(?:\w+:)?content\b[^>]*src=["']([^"']+)""", re.DOTALL
)


class Target(NamedTuple):
    """A place in the e-book's files: "text/ch1.xhtml#p12", and the label of the printed page that begins there."""

    address: str
    label: str


class EbookBlock(NamedTuple):
    """A block of the text: its address ("text/ch1.xhtml#b4"), and kind and item as in BlockMark."""

    address: str
    kind: str
    item: str


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with ids, its blocks, its page breaks as (address, label), the texts of links to notes, and all its ids.
    following: by address, the first word after a page break."""

    data: bytes
    blocks: tuple[EbookBlock, ...]
    breaks: tuple[tuple[str, str], ...]
    calls: frozenset[str]
    ids: frozenset[str]
    following: Mapping[str, str]


def pdf_of(epub: bytes, limits: Limits) -> bytes:
    """The e-book as a PDF with outline, title, authors and marks.

    Raises BadBook: damaged, encrypted (copy protection), unsafe_archive, too_many_bytes, no_pages, too_many_pages,
    too_complex."""
    files = epub_files(epub, limits)
    refuse_protected(files)
    files = without_missing(files)
    refuse_excess(files)
    marked = {name: marked_page(data, name) for name, data in files.items() if is_page(name)}
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
    """Raises BadBook: too_complex, which names the file."""
    for name, data in files.items():
        if name.lower().endswith((*PAGES, ".opf", ".ncx")) and (problem := problem_of(decoded(data), xml=True)):
            raise BadBook("too_complex", "epub_page_unusable", path=name, problem=problem)


def is_page(name: str) -> bool:
    """Whether a file may be a page of the e-book."""
    return name.lower().endswith(PAGES) and not name.startswith("META-INF/")


def with_letters_of_text(style: str) -> str:
    """The style sheet without other letters than the text's: capitals for small ones, and small capitals, for which MuPDF takes
    glyphs without Unicode."""
    return RESPELLED.sub(lambda found: f"{found[1] or found[2] or found[3]}{'normal' if not found[1] else 'none'}", style)


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
        PageMark(*place, start_of(following.get(address, ""), *place, book), label)
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


def start_of(word: str, page: int, y: float, book: pymupdf.Document) -> float:
    """Where a word begins in the line at that height, in points from the left edge; the line's end if it is not there."""
    line = (
        [
            (x0, text)
            for x0, y0, _, y1, text, *_ in book[page].get_text("words", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)
            if y0 < y - 1 < y1
        ]
        if word
        else []
    )
    return min((round(x0, 1) for x0, text in line if text.startswith(word)), default=float(WIDTH) if line else 0.0)


def entries_of(book: pymupdf.Document) -> Iterator[EntryMark]:
    """The entries of the navigation that lead to a page, with levels that begin at 1 and never skip one."""
    above: list[int] = []  # the levels, as given, of the entries that hold the present one
    outline = book.outline if book.get_toc() else None  # PyMuPDF gives an outline without entries that has no title
    for level, title, address in targets_of(outline, 1):
        name = " ".join(title.split())
        if name and address and (place := place_of(book, address)):
            above = [*(each for each in above if each < level), level]
            yield EntryMark(*place, len(above), name)


def targets_of(entry: pymupdf.Outline | None, level: int) -> Iterator[tuple[int, str, str]]:
    """Level, title and address of an entry and of all after and below it."""
    while entry:
        yield level, entry.title or "", entry.uri or ""
        yield from targets_of(entry.down, level + 1)
        entry = entry.next


def page_list(files: Mapping[str, bytes], marked: Mapping[str, MarkedPage]) -> list[Target]:
    """The list of printed pages in the navigation (EPUB 3) or the NCX (EPUB 2), without entries that name no place; [] without
    one."""
    package = first_match(ROOT_FILE, text_in(files, EPUB_CONTAINER))
    described = text_in(files, package)
    navigation, ncx = (inside(package, first_match(pattern, described)) for pattern in (NAVIGATION, NCX))
    found = PAGE_LIST.search(text_in(files, navigation))
    links = LINK.findall(found[0]) if found else []
    targets = [(navigation, href, label) for href, label in links]
    if not targets:
        targets = [(ncx, href, label) for label, href in PAGE_TARGET.findall(text_in(files, ncx))]
    addresses = [Target(inside(name, unescape(href)), label_of(label)) for name, href, label in targets]
    return [target for target in addresses if is_there(target.address, marked)]


def is_there(address: str, marked: Mapping[str, MarkedPage]) -> bool:
    """Whether a page has the element named; MuPDF would give the beginning of the page instead."""
    name, _, fragment = address.partition("#")
    return name in marked and (not fragment or fragment in marked[name].ids)


TAG = re.compile(
    r"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<(?P<end>/?)(?P<name>[a-zA-Z][\w:.-]*)(?P<rest>(?:"[^"]*"|'[^']*'|[^>"'])*?)(?P<empty>/?)>""",
    re.DOTALL,
)
HEADING = re.compile(r"h[1-6]")
BEGIN = frozenset(  # elements whose text begins a new block
    re.findall(
        r"\w+",
        "p li dt dd h1 h2 h3 h4 h5 h6 pre blockquote div tr caption figcaption section article aside header footer nav figure"
        " address body center main hgroup summary details",
    )
)
HOLD = frozenset(["table", "thead", "tbody", "tfoot", "td", "th", "ul", "ol", "dl"])  # elements that hold blocks
INLINE = re.compile(r"\s*(?:[^<\s]|<(?:a|em|i|b|u|strong|span|code|q|cite|sup|sub|small|abbr|tt|kbd|var|dfn)\b)")
NAMED = {"pre": Kind.CODE, "table": Kind.TABLE, "caption": Kind.CAPTION, "figcaption": Kind.CAPTION}
TYPED = {  # EPUB Structural Semantics Vocabulary 1.1; roles (DPUB-ARIA 1.1) have the same names after "doc-"
    each: kind
    for kind, names in {
        Kind.FOOTNOTE: "footnote footnotes endnote endnotes rearnote rearnotes",
        Kind.REFERENCE: "bibliography biblioentry",
        Kind.INDEX: "index index-entry-list",
        Kind.CONTENTS: "toc landmarks page-list pagelist loi lot loa lov titlepage halftitlepage copyright-page imprint"
        " colophon",
    }.items()
    for each in names.split()
}
WITH_HEADINGS = (Kind.SENTENCE, Kind.REFERENCE, Kind.INDEX)  # in other kinds of text, a heading is of that kind
AHEAD = 400  # characters after a page break, in which its first word is sought
BREAK, CALL = "pagebreak", "noteref"


@dataclass
class Element:
    """An open element. items: of a list, the items so far; None if its items have bullets."""

    name: str
    kind: str
    items: int | None = None


@dataclass
class Marker:
    """Reads one page's tags in order and gathers what they say. item: of the list's item that has just begun."""

    page: str
    text: str
    open: list[Element] = field(default_factory=list)
    blocks: list[EbookBlock] = field(default_factory=list)
    breaks: list[tuple[str, str]] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    following: dict[str, str] = field(default_factory=dict)
    item: str = ""
    count: Iterator[int] = field(default_factory=count)

    def pieces(self) -> Iterator[str]:
        """The page's text with ids, and without the text of page breaks."""
        at = 0
        for found in TAG.finditer(self.text):
            if found.start() < at or not found["name"]:
                continue
            if self.item and self.text[at : found.start()].strip():
                self.item = ""
            yield self.text[at : found.start()]
            yield self.closed(found) if found["end"] else self.opened(found)
            at = self.after(found)
        yield self.text[at:]

    def opened(self, found: re.Match[str]) -> str:
        """The opening tag, with an id where a block begins."""
        name, attributes = found["name"].lower(), attributes_of(found["rest"])
        types = {each.removeprefix("doc-") for key in ("epub:type", "role") for each in attributes.get(key, "").split()}
        if "id" in attributes:
            self.ids.add(attributes["id"])
        if BREAK in types:
            return self.page_break(found, attributes)
        if CALL in types:
            self.calls.add(label_of(inner(self.text, found)).strip("[]()"))
            raised = "<sup" in self.text[max(0, found.start() - 20) : found.start()]
            shown = inner(self.text, found)
            return found[0] + (shown if raised else f"<sup>{shown}</sup>")  # in every style sheet
        if name not in BEGIN | HOLD or found["empty"]:
            return found[0]
        self.open.append(Element(name, self.kind_of(name, types), int_of(attributes.get("start")) if name == "ol" else None))
        if name == "li":
            self.item = self.next_item(attributes)
        return self.with_id(found, attributes) if name in BEGIN else found[0]

    def closed(self, found: re.Match[str]) -> str:
        """The closing tag; an empty element with an id follows it where the text of the block around it goes on."""
        name = found["name"].lower()
        if name not in BEGIN | HOLD or all(each.name != name for each in self.open):
            return found[0]
        while self.open.pop().name != name:
            pass
        goes_on = name in BEGIN | {"table", "ul", "ol", "dl"} and INLINE.match(self.text, found.end())
        return f'{found[0]}<span id="{self.begin()}"></span>' if goes_on else found[0]

    def after(self, found: re.Match[str]) -> int:
        """Where the text goes on after a tag: that of a page break, which shows its number, and of a note's call is done."""
        types = attributes_of(found["rest"] or "")
        named = f"{types.get('epub:type')} {types.get('role')}"
        if found["end"] or found["empty"] or not (BREAK in named or CALL in named):
            return found.end()
        return found.end() + len(inner(self.text, found))

    def page_break(self, found: re.Match[str], attributes: dict[str, str]) -> str:
        label = attributes.get("title") or attributes.get("aria-label") or label_of(inner(self.text, found))
        name, tag = self.identified(found, attributes)
        address, rest = f"{self.page}#{name}", self.text[self.after(found) :][:AHEAD]
        self.following[address] = next(iter(label_of(f"{rest}>").split()), "")
        if label:
            self.breaks.append((address, label_of(label)))
        return tag

    def with_id(self, found: re.Match[str], attributes: dict[str, str]) -> str:
        address, tag = self.identified(found, attributes)
        self.begin(address)
        return tag

    def identified(self, found: re.Match[str], attributes: dict[str, str]) -> tuple[str, str]:
        """The tag's id, and the tag with it."""
        if attributes.get("id"):
            return attributes["id"], found[0]
        name = self.new_id()
        return name, f'<{found["name"]} id="{name}"{found["rest"]}{found["empty"]}>'

    def begin(self, name: str = "") -> str:
        """Note that a block begins at the element of that id, or of a new one, which is returned."""
        name = name or self.new_id()
        kind = self.open[-1].kind if self.open else Kind.SENTENCE
        self.blocks.append(EbookBlock(f"{self.page}#{name}", kind, self.item))
        return name

    def new_id(self) -> str:
        return f"chapterverse-{next(self.count)}"

    def kind_of(self, name: str, types: set[str]) -> str:
        """The kind of an element's text: its own, else that of the element around it."""
        around = self.open[-1].kind if self.open else Kind.SENTENCE
        kind = next((TYPED[each] for each in sorted(types) if each in TYPED), None) or NAMED.get(name) or around
        return name if HEADING.fullmatch(name) and kind in WITH_HEADINGS else kind

    def next_item(self, attributes: dict[str, str]) -> str:
        """What stands before the item that begins: "*", or its number."""
        lists = [each for each in self.open if each.name in ("ul", "ol")]
        if not lists or lists[-1].items is None:
            return "*"
        number = int_of(attributes["value"]) if "value" in attributes else lists[-1].items
        lists[-1].items = number + 1
        return str(number)


def marked_page(data: bytes, name: str) -> MarkedPage:
    """The page of that name in the e-book with its ids, as UTF-8."""
    text = STYLED.sub(lambda found: with_letters_of_text(found[0]), SOFT_HYPHEN.sub("", decoded(data)))
    text = NAVIGATION_LIST.sub(lambda found: LINK.sub(with_plain_label, found[0]), text)
    marker = Marker(name, MATH.sub(lambda found: set_math(found[0]), text))
    text = "".join(marker.pieces())
    marks = (tuple(marker.blocks), tuple(marker.breaks), frozenset(marker.calls), frozenset(marker.ids), marker.following)
    return MarkedPage(text.encode(), *marks)


def with_plain_label(link: re.Match[str]) -> str:
    """A link of the navigation without marks in its words: MuPDF leaves out what they hold, e.g. a chapter's number."""
    return f"{link[0][: link.start(2) - link.start()]}{escape(label_of(link[2]), quote=False)}</a>"


def set_math(math: str) -> str:
    """A formula in the text; in a colour of its own, by which its words are known as inexact, where letters cannot give it."""
    html, exact = written_math(re.sub(r"(</?)\w+:|\sxmlns(?::\w+)?=(?:\"[^\"]*\"|'[^']*')", r"\1", math))
    return html if exact else f'<span style="color:#{INEXACT:06x}">{html}</span>'
