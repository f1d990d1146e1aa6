"""An e-book (EPUB 2 or 3) to a PDF, which is read, drawn and cited like any other book. Run by worker.py.

MuPDF sets the pages. What the e-book's own files say about them is stored in the PDF, where ebook_marks reads it: where each
paragraph begins and what it is, where the entries of the navigation lead, and where the pages of the printed book begin (the
"page-list" of EPUB 3.3, 7.4.3, else the page breaks in the text). The same bytes give the same PDF. Notes whose files do not
call them notes are links such as "3" or "[3]" that lead to a block with the same sign or back (DPUB-ARIA 1.1)."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from itertools import count
from math import isnan
from operator import itemgetter
from typing import NamedTuple

import pymupdf

from bookreader.book import Kind, Limits
from bookreader.errors import BadFile
from bookreader.html.files import (
    ANY_TAG,
    EPUB_CONTAINER,
    ROOT_FILE,
    attributes_of,
    epub_files,
    first_match,
    inner,
    inside,
    int_of,
    label_of,
    page_label_of,
    refuse_protected,
    text_in,
    without_missing,
)
from bookreader.html.html import decoded, problem_of, written_math
from bookreader.pdf.ebook import INEXACT, store
from bookreader.pdf.model import BlockMark, EbookMarks, PageMark
from bookreader.pdf.read import mupdf_errors_as_ours, refuse_page_count

UNSEEN = re.compile(
    "[\u00ad\u200b\u2060\ufeff]|&(?:shy|NoBreak|#0*(?:173|8203|8288|65279)|#x0*(?:ad|200b|2060|feff));", re.IGNORECASE
)
MATH = re.compile(r"<(?:\w+:)?math\b.*?</(?:\w+:)?math>", re.DOTALL)
STYLED = re.compile(r"<style\b.*?</style>|<[a-zA-Z][^>]*\sstyle\s*=[^>]*>", re.DOTALL | re.IGNORECASE)
RESPELLED = re.compile(
    r"(text-transform\s*:\s*)[\w-]+|(font-variant(?:-caps)?\s*:\s*)[\w -]+|(font\s*:[^;}\"']*?)\bsmall-caps\b"
    r"|((?<![\w-])content\s*:\s*)(?:normal|none)\b"
)
PLAIN = ("", "none", "normal", "normal", '""')  # by the group of RESPELLED
NAVIGATION_LIST = re.compile(r"<nav\b.*?</nav>", re.DOTALL)
TABLE = re.compile(r"<table\b(?:(?!<table\b).)*?</table>", re.DOTALL)
TABLE_TAG = re.compile(r"(</?)(?:table|thead|tbody|tfoot|tr|td|th)\b")
SPEECHES = re.compile(r"""\sepub:type=["'][^"']*\bpersona\b|<table\b[^>]*\srole=["']presentation["']""")  # Z39.98-2012, drama
PERSONA = re.compile(r"""(<td\b[^>]*\bpersona\b[^>]*>)(.*?)(</td>)""", re.DOTALL)
LINK = re.compile(r"""<a\b[^>]*href=["']([^"']+)["'][^>]*>(.*?)</a>""", re.DOTALL)
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
BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(sorted(BEGIN | HOLD, key=len, reverse=True))})\b[^>]*>")
LEADING_TAGS = re.compile(rf"\A(?:\s|{BLOCK_TAG.pattern})+")
OPEN_TAG = re.compile(r"<[^>]*\Z")  # cut off at its end
LINE_END = re.compile(r"<[bh]r\b[^>]*>")
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
ALL_CODE = re.compile(r"\s*<(code|tt|samp|kbd)\b[^>]*>[^<]+</\1>\s*</(?:p|div)>")
AHEAD = 400  # characters after a page break, in which its first words are sought
BREAK, CALL = "pagebreak", "noteref"
PAGE_NUMBER = re.compile(r"(?i)\bp(?:age|g)[-_]?(?:num(?:ber)?s?|no|break)\b")  # a class that many use in place of a type
PAGE_ID = re.compile(r"(?i)(?:page|pg|p)[-_.]?([ivxlcdm]+|\d+)")
PAGE_LABEL = re.compile(r"(?i)[ivxlcdm]{1,8}|\d{1,5}[a-z]?")
ID = re.compile(r"""\sid\s*=\s*["']([^"']+)""")


def page_text(data: bytes, name: str, pictures: frozenset[str]) -> str:
    """The text of the page of that name, as MuPDF has to set it. pictures: names of the files that it can draw."""
    text = STYLED.sub(lambda found: with_letters_of_text(found[0]), UNSEEN.sub("", decoded(data)))
    text = TABLE.sub(lambda found: as_speeches(found[0]), text)
    text = NAVIGATION_LIST.sub(lambda found: LINK.sub(with_plain_label, found[0]), text)
    return with_pictures(MATH.sub(lambda found: set_math(found[0]), text), name, pictures)


def as_speeches(table: str) -> str:
    """A table that sets a play, or only places its content, as blocks; any other as it is. Names of speakers are no text."""
    if not SPEECHES.search(table):
        return table
    return TABLE_TAG.sub(r"\1div", PERSONA.sub(lambda found: f"{found[1]}{inexact(found[2])}{found[3]}", table))


def with_letters_of_text(style: str) -> str:
    """The style sheet without other letters than the text's, such as small capitals, whose glyphs in MuPDF have no Unicode, and
    without the word for no content, which MuPDF sets."""
    return RESPELLED.sub(lambda found: f"{found[found.lastindex or 0]}{PLAIN[found.lastindex or 0]}", style)


def with_plain_label(link: re.Match[str]) -> str:
    """A link of the navigation without marks in its words: MuPDF leaves out what they hold, e.g. a chapter's number."""
    return f"{link[0][: link.start(2) - link.start()]}{escape(label_of(link[2]), quote=False)}</a>"


def set_math(math: str) -> str:
    """A formula in the text; in a colour of its own, by which its words are known as inexact, where letters cannot give it."""
    html, exact = written_math(re.sub(r"(</?)\w+:|\sxmlns(?::\w+)?=(?:\"[^\"]*\"|'[^']*')", r"\1", math))
    return html if exact else inexact(html)


def inexact(html: str) -> str:
    """The words in the colour of those that text cannot give."""
    return f'<span style="color:#{INEXACT:06x}">{html}</span>'


PICTURE = re.compile(r"<img\b[^>]*>(?:\s*</img>)?|<svg\b.*?</svg>", re.DOTALL | re.IGNORECASE)
AROUND = 300  # characters beside a picture in which its sentence's words are sought
NEXT_WORD = re.compile(r"((?:\s|<[^>]*>)*)([^\s<]+)")
LAST_WORD = re.compile(r"([^\s<>]+)(?:\s|<[^>]*>)*\Z")
ENDED = re.compile(r"[.!?:;][\"'”’)]*\Z")


def with_pictures(text: str, name: str, pictures: frozenset[str]) -> str:
    """The page without pictures that cannot be drawn, for which MuPDF prints a word of its own. The word beside a picture that
    stands within a sentence, as those of formulas, signs and first letters do, is set as inexact."""
    edits: dict[tuple[int, int], str] = {}
    for found in PICTURE.finditer(text):
        source = attributes_of(found[0]).get("src", "")
        if found[0][:4].lower() == "<img" and not source.startswith("data:") and inside(name, source) not in pictures:
            edits[found.span()] = ""
        if word := word_at_picture(text, *found.span()):
            edits[word] = inexact(text[slice(*word)])
    parts, at = [], 0
    for (start, end), new in sorted(edits.items()):
        parts += [text[at:start], new]
        at = end
    return "".join(parts) + text[at:]


def word_at_picture(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the word is that a picture at [start, end) stands beside within a sentence; None if it stands apart: alone, before
    the text of its block with a blank between, or between two sentences."""
    window = BLOCK_TAG.split(text[max(0, start - AROUND) : start])[-1]
    before = LAST_WORD.search(window[window.find(">") + 1 :] if ">" in window.partition("<")[0] else window)
    after = NEXT_WORD.match(BLOCK_TAG.split(text[end : end + AROUND])[0])
    ended = before is None or ENDED.search(before[1]) is not None
    if after:
        apart = ended and bool(ANY_TAG.sub("", after[1])) and (before is None or not after[2][0].islower())
        return None if apart else (end + after.start(2), end + after.end(2))
    if before is None or ended:
        return None
    last = start - len(before.string) + before.start(1)
    return last, last + len(before[1])


@dataclass
class Element:
    """An open element. items: of a list, the items so far; None if its items have bullets."""

    name: str
    kind: str
    items: int | None = None


@dataclass
class MarkedPage:
    """A page whose tags were read in order, with what they say: its blocks as (address, kind, item), see BlockMark; its page
    breaks as (address, label); the texts of links to notes, and all its ids. An address is "text/ch1.xhtml#b4". data: the page
    with an id for each block, as UTF-8. open: first what holds the page. following: by address, the first words after a place
    within a line. item: of the list's item that has just begun."""

    page: str
    text: str
    data: bytes = b""
    open: list[Element] = field(default_factory=lambda: [Element("", Kind.SENTENCE)])
    blocks: list[tuple[str, str, str]] = field(default_factory=list)
    breaks: list[tuple[str, str]] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    following: dict[str, tuple[str, ...]] = field(default_factory=dict)
    item: str = ""
    count: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.data = "".join(self.pieces()).encode()

    def pieces(self) -> Iterator[str]:
        """The page's text with ids, and without the text of page breaks."""
        at = 0
        for found in TAG.finditer(self.text):
            if found.start() < at or not found["name"]:
                continue
            if self.item and self.text[at : found.start()].strip():
                self.item = ""
            yield self.text[at : found.start()]
            new, at = (self.closed(found), found.end()) if found["end"] else self.opened(found)
            yield new
        yield self.text[at:]

    def opened(self, found: re.Match[str]) -> tuple[str, int]:
        """The opening tag, with an id where a block begins, and where the text goes on; all is read of breaks and calls."""
        name, attributes = found["name"].lower(), attributes_of(found["rest"])
        types = types_of(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
            if name not in BEGIN | HOLD:
                self.following[f"{self.page}#{attributes['id']}"] = self.words_after(found.start(), found.end())
        if BREAK in types or PAGE_NUMBER.search(attributes.get("class", "")):
            label = self.break_label(found, attributes)
            if BREAK in types or label:
                return self.page_break(found, attributes, label)
        if CALL in types:
            shown = inner(self.text, found)
            self.calls.add(label_of(shown).strip("[]()"))
            raised = "<sup" in self.text[max(0, found.start() - 20) : found.start()]
            return found[0] + (shown if raised else f"<sup>{shown}</sup>"), found.end() + len(shown)  # in every style sheet
        if name not in BEGIN | HOLD or found["empty"]:
            return found[0], found.end()
        kind = self.kind_of(name, types)
        kind = Kind.CODE if kind is Kind.SENTENCE and ALL_CODE.match(self.text, found.end()) else kind
        self.open.append(Element(name, kind, int_of(attributes.get("start")) if name == "ol" else None))
        if name == "li":
            self.item = self.next_item(attributes)
        if name not in BEGIN:
            return found[0], found.end()
        address, tag = self.identified(found, attributes)
        self.begin(address)
        return tag, found.end()

    def closed(self, found: re.Match[str]) -> str:
        """The closing tag; an empty element with an id follows it where the text of the block around it goes on."""
        name = found["name"].lower()
        if name not in BEGIN | HOLD or all(each.name != name for each in self.open):
            return found[0]
        while self.open.pop().name != name:
            pass
        goes_on = name in BEGIN | {"table", "ul", "ol", "dl"} and INLINE.match(self.text, found.end())
        return f'{found[0]}<span id="{self.begin()}"></span>' if goes_on else found[0]

    def break_label(self, found: re.Match[str], attributes: dict[str, str]) -> str:
        """The number of a page break: its title, else its text, else a number in its id; for an element that only has a name
        such as "pagenum", "" unless that and nothing else is in it."""
        shown = inner(self.text, found)
        named = [attributes.get("title"), attributes.get("aria-label"), label_of(shown)]
        label = next(filter(None, map(page_label_of, filter(None, named))), "")
        if not label:
            ids = [attributes.get("id", ""), *ID.findall(shown)]
            label = next((page[1] for each in ids if (page := PAGE_ID.fullmatch(each))), "")
        known = BREAK in types_of(attributes) or (PAGE_LABEL.fullmatch(label) and page_label_of(label_of(shown)) in ("", label))
        return label if known else ""

    def page_break(self, found: re.Match[str], attributes: dict[str, str], label: str) -> tuple[str, int]:
        """The element without its text but with the ids in it, and where it ends."""
        name, tag = self.identified(found, attributes)
        shown, end, close = inner(self.text, found), found.end(), ""
        closing = re.compile(rf"</{re.escape(found['name'])}\s*>").match(self.text, end + len(shown))
        if closing and not found["empty"]:
            end, close = closing.end(), closing[0]
        ids = ID.findall(shown)
        self.ids.update(ids)
        address = f"{self.page}#{name}"
        self.following[address] = self.words_after(found.start(), end)
        if label:
            self.breaks.append((address, label))
        places = "".join(f'<span id="{escape(each)}"></span>' for each in ids)
        return f"{tag}{places}{close}", end

    def words_after(self, start: int, end: int) -> tuple[str, ...]:
        """The first words that begin after a tag at [start, end); it may stand within a word."""
        rest = OPEN_TAG.sub("", self.text[end : end + AHEAD])
        if re.match(r"[^\s>]", self.text[start - 1 : start]) and re.match(r"[^\s<]", rest):
            rest = re.sub(r"^[^\s<]+", "", rest)
        text = BLOCK_TAG.split(LEADING_TAGS.sub("", LINE_END.sub(" ", rest), count=1))[0]
        return tuple(label_of(text).split()[:3])

    def identified(self, found: re.Match[str], attributes: dict[str, str]) -> tuple[str, str]:
        """The tag's id, and the tag with it."""
        if attributes.get("id"):
            return attributes["id"], found[0]
        name = self.new_id()
        return name, f'<{found["name"]} id="{name}"{found["rest"]}{found["empty"]}>'

    def begin(self, name: str = "") -> str:
        """Note that a block begins at the element of that id, or of a new one, which is returned."""
        name = name or self.new_id()
        self.blocks.append((f"{self.page}#{name}", self.open[-1].kind, self.item))
        return name

    def new_id(self) -> str:
        return f"chapterverse-{next(self.count)}"

    def kind_of(self, name: str, types: set[str]) -> str:
        """The kind of an element's text: its own, else that of the element around it."""
        own = next((TYPED[each] for each in sorted(types) if each in TYPED), None) or NAMED.get(name)
        kind = own or self.open[-1].kind
        return name if HEADING.fullmatch(name) and kind in WITH_HEADINGS else kind

    def next_item(self, attributes: dict[str, str]) -> str:
        """What stands before the item that begins: "*", or its number."""
        lists = [each for each in self.open if each.name in ("ul", "ol")]
        if not lists or lists[-1].items is None:
            return "*"
        number = int_of(attributes["value"]) if "value" in attributes else lists[-1].items
        lists[-1].items = number + 1
        return str(number)


def types_of(attributes: Mapping[str, str]) -> set[str]:
    """What an element is, in the words of EPUB; DocBook names its lists of books and its index by class."""
    named = {"bibliography", "index"} & set(attributes.get("class", "").split())
    return named | {each.removeprefix("doc-") for key in ("epub:type", "role") for each in attributes.get(key, "").split()}


NOTE_SIGN = re.compile(r"[\[({]?([1-9]\d{0,3}|[*†‡§¶‖#]{1,4}|[a-z]|[ivxlc]{1,6})[\])}]?")
BRACKETED = re.compile(r"[\[({].*[\])}]|[*†‡§¶‖]+")
AROUND_SIGN = " \t\n[({^"
LIST_OF_WORKS = re.compile(r"(?i)bibl|refer|cit[ae]|csl|literat")  # "[3]" names a work, and is printed as a part of the text
NEAR = 80  # characters before a call in which the place may be named that its note leads back to
BEGINNING = 400  # characters of a block that show how it begins
NOTES = frozenset(["footnote", "endnote", "rearnote"])
HOLDERS = frozenset(["p", "li", "dd", "dt", "div", "aside", "td", "blockquote"])  # elements that a note may be


class ElementPlace(NamedTuple):
    """An element of a page: where its tag and its text begin, and the tag."""

    page: str
    start: int
    text: int
    tag: str


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link. target: address; holder: its block; begins: whether as its first word; typed: said to call a note."""

    place: ElementPlace
    target: str
    shown: str
    holder: ElementPlace | None
    begins: bool
    raised: bool
    typed: bool


def with_notes(texts: Mapping[str, str]) -> dict[str, str]:
    """The pages by name, with the roles of calls and notes where they have none."""
    links, holders = list[NoteLink](), dict[str, ElementPlace]()
    for name, text in texts.items():
        gather(name, text, links, holders)
    back: dict[ElementPlace, set[str]] = {}
    for link in links:
        if link.holder:
            back.setdefault(link.holder, set()).add(link.target)
    roles: dict[ElementPlace, str] = {}
    for link in links:
        note = holders.get(link.target)
        if note and note != link.holder and is_note(link, note, texts, back.get(note, set())):
            roles[note] = "doc-footnote"
            roles.setdefault(link.place, "" if link.typed else "doc-noteref")
    return {
        name: "".join(with_roles(text, [(each, role) for each, role in roles.items() if each.page == name and role]))
        for name, text in texts.items()
    }


def gather(name: str, text: str, links: list[NoteLink], holders: dict[str, ElementPlace]) -> None:
    """Add the links of a page, and by address the block that each of its named places is in."""
    open_: list[tuple[str, ElementPlace]] = []
    for found in TAG.finditer(text):
        tag = (found["name"] or "").lower()
        if found["end"]:
            if any(tag == each for each, _ in open_):
                while open_.pop()[0] != tag:
                    pass
            continue
        if not tag:
            continue
        attributes, place = attributes_of(found["rest"]), ElementPlace(name, found.start(), found.end(), tag)
        if tag in BEGIN | HOLD and not found["empty"]:
            open_.append((tag, place))
        holder = next((each for each_tag, each in reversed(open_) if each_tag in BEGIN), None)
        for anchor in {attributes.get("id", ""), attributes.get("name", "") if tag == "a" else ""} - {""}:
            if holder:
                holders[f"{name}#{anchor}"] = holder
        if tag == "a" and "#" in attributes.get("href", ""):
            shown = inner(text, found)
            at = holder.text if holder else 0
            begins = found.start() - at < BEGINNING and not label_of(text[at : found.start()]).strip("[(")
            raised = "<sup" in shown or "<sup" in text[max(0, found.start() - 20) : found.start()]
            typed = CALL in types_of(attributes)
            links.append(NoteLink(place, inside(name, attributes["href"]), label_of(shown), holder, begins, raised, typed))


def is_note(link: NoteLink, note: ElementPlace, texts: Mapping[str, str], targets: set[str]) -> bool:
    """Whether a link is the call of the note that it leads to. targets: of the links in the note."""
    if note.tag not in HOLDERS:
        return False
    text, own = texts[note.page], texts[link.place.page]
    tags = text[note.start : note.text], own[link.place.start : link.place.text]
    sign = NOTE_SIGN.fullmatch(link.shown)
    if link.typed or not sign or link.begins:
        return link.typed
    if any(LIST_OF_WORKS.search(tag) and "note" not in tag.lower() for tag in tags):
        return False
    first = label_of(text[note.text : note.text + BEGINNING]).lstrip(AROUND_SIGN)
    typed = NOTES & types_of(attributes_of(tags[0]))
    same = typed or note.tag == "li" or (first.startswith(sign[1]) and not first[len(sign[1]) :][:1].isalnum())
    names = ID.findall(own[max(0, link.place.start - NEAR) : link.place.text])
    leads_back = any(f"{link.place.page}#{each}" in targets for each in names)
    return leads_back or bool(same and (link.raised or BRACKETED.fullmatch(link.shown)))


def with_roles(text: str, roles: Sequence[tuple[ElementPlace, str]]) -> Iterator[str]:
    """The text in pieces, with a role in each of these tags in place of the one that it has."""
    at = 0
    for place, role in sorted(roles):
        name = place.start + 1 + len(place.tag)
        yield text[at:name] + f' role="{role}"' + re.sub(r"""\srole\s*=\s*(?:"[^"]*"|'[^']*')""", "", text[name : place.text])
        at = place.text
    yield text[at:]


WIDTH, HEIGHT, SIZE = 432, 648, 11  # of a set page and its type, in points: a page of 6 × 9 inches
TOP = 36  # points: the margin above the text
STYLE = f"""@page {{ margin: {TOP}pt 40pt !important }}
* {{ hyphens: none !important }}
pre {{ white-space: pre-wrap !important }}
rt, rp {{ display: none !important }}"""  # words as in the file; nothing beyond the page's edge
READABLE_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\0\0\0\x0cjP", b"<svg", b"<?xml", b"<!")
PAGES = (".xhtml", ".html", ".htm", ".xml")
NAVIGATION = re.compile(r"""<(?:\w+:)?item\b(?=[^>]*\bproperties=["'][^"']*\bnav\b)[^>]*\bhref=["']([^"']+)""")
NCX = re.compile(r"""<(?:\w+:)?item\b(?=[^>]*\bmedia-type=["']application/x-dtbncx\+xml)[^>]*\bhref=["']([^"']+)""")
PAGE_LIST = re.compile(r"""<nav\b[^>]*(?:epub:type|role)=["'](?:[^"']*\s)?(?:doc-pagelist|page-list)\b.*?</nav>""", re.DOTALL)
PAGE_TARGET = re.compile(
    r"""<(?:\w+:)?pageTarget\b.*?<(?:\w+:)?text>(.*?)</(?:\w+:)?text>.*?<(?:\w+:)?content\b[^>]*src=["']([^"']+)""", re.DOTALL
)


def pdf_of(epub: bytes, limits: Limits) -> bytes:
    """The e-book as a PDF with outline, title, authors and marks.

    Raises BadFile: damaged, encrypted (copy protection), unsafe_archive, too_many_bytes, no_pages, too_many_pages,
    too_complex."""
    files = epub_files(epub, limits)
    refuse_protected(files)
    files = without_missing(files)
    for name, data in files.items():
        if name.lower().endswith((*PAGES, ".opf", ".ncx")) and (problem := problem_of(decoded(data), xml=True)):
            raise BadFile("too_complex", "epub_page_unusable", path=name, problem=problem)
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
    marked = {name: MarkedPage(name, text) for name, text in with_notes(texts).items()}
    with mupdf_errors_as_ours():
        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)
        pymupdf.mupdf.fz_set_user_css(STYLE)
        book = pymupdf.open(stream=packed(files, marked), filetype="epub")
        book.layout(width=WIDTH, height=HEIGHT, fontsize=SIZE)
        refuse_page_count(book.page_count, limits)
        pdf = pymupdf.open(stream=book.convert_to_pdf(), filetype="pdf")
        marks = marks_in(book, files, marked)
        pdf.set_toc(list(entries_of(book)))
        named = book.metadata or {}
        pdf.set_metadata({"title": named.get("title") or "", "author": named.get("author") or ""})
        store(marks, pdf)
        written: bytes = pdf.tobytes(garbage=3, deflate=True, no_new_id=True)
    return written


def is_page(name: str) -> bool:
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
        BlockMark(*place, kind, item)
        for page in marked.values()
        for address, kind, item in page.blocks
        if (place := place_of(book, address))
    ]
    breaks = page_list(files, marked) or [each for page in marked.values() for each in page.breaks]
    following = {address: word for page in marked.values() for address, word in page.following.items()}
    pages = [
        PageMark(*place, start_of(following.get(address, ()), *place, book), label)
        for address, label in breaks
        if (place := place_of(book, address))
    ]
    calls = frozenset(call for page in marked.values() for call in page.calls)
    return EbookMarks(tuple(sorted(pages, key=itemgetter(0, 1, 2))), tuple(sorted(blocks, key=itemgetter(0, 1))), calls)


def place_of(book: pymupdf.Document, address: str) -> tuple[int, float] | None:
    """Page index and height in points of a place, that of its line's foot; None if it is on no page.

    MuPDF gives the height below the margin."""
    page, _, y = book.resolve_link(address)
    return (page, 0.0 if isnan(y) else round(TOP + y, 1)) if page >= 0 else None


def start_of(words: Sequence[str], page: int, y: float, book: pymupdf.Document) -> float:
    """Where these words begin in the line at that height, in points from the left edge; its end if they are not there."""
    if not words:
        return 0.0
    on_page = book[page].get_text("words", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)
    line = [(round(x0, 1), text) for x0, y0, _, y1, text, *_ in on_page if y0 < y - 1 < y1]
    texts = [text for _, text in line]
    begins = [x0 for i, (x0, _) in enumerate(line) if all(map(str.startswith, texts[i:], words))]
    return min(begins, default=float(WIDTH) if line else 0.0)


def entries_of(book: pymupdf.Document) -> Iterator[tuple[int, str, int]]:
    """Level, title and page, from 1, of the entries of the navigation that lead to one. Levels begin at 1 and never skip one:
    those below an entry without a link, as of a part, take its level."""
    above: list[int] = []  # the levels, as given, of the entries that hold the present one
    for level, title, page in book.get_toc():
        above = [each for each in above if each < level]
        if title.strip() and page > 0:
            above.append(level)
            yield len(above), " ".join(title.split()), page


def page_list(files: Mapping[str, bytes], marked: Mapping[str, MarkedPage]) -> list[tuple[str, str]]:
    """The addresses and labels of the printed pages by the list in the navigation (EPUB 3) or in another page, or in the NCX
    (EPUB 2), without entries that name no place; [] without one."""
    package = first_match(ROOT_FILE, text_in(files, EPUB_CONTAINER))
    described = text_in(files, package)
    navigation, ncx = (inside(package, first_match(each, described)) for each in (NAVIGATION, NCX))
    targets = [
        (name, href, label)
        for name in (navigation, *marked)
        for found in PAGE_LIST.finditer(text_in(files, name))
        for href, label in LINK.findall(found[0])
    ]
    if not targets:
        targets = [(ncx, href, label) for label, href in PAGE_TARGET.findall(text_in(files, ncx))]
    addresses = [(inside(name, unescape(href)), page_label_of(label)) for name, href, label in targets]
    # of an element that no page has, MuPDF would give the beginning of the page instead
    places = set(marked) | {f"{name}#{each}" for name, page in marked.items() for each in page.ids}
    return list(dict.fromkeys(each for each in addresses if each[0].removesuffix("#") in places))
