"""Paragraphs of books in mark-up: the XHTML of Standard Ebooks and the HTML of Project Gutenberg.

HTML is read by lxml, which only this script needs: `make train-corpus` installs it. Another version than the one named in the
Makefile may read broken mark-up otherwise."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from scripts.train.prose import NO_CHAPTER, Paragraph, clean, one_of, words_of

Element = Any  # of xml.etree or of lxml: both answer alike
EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"

NO_FILE = one_of(  # of a Standard Ebook, by its name
    *("titlepage", "halftitlepage", "imprint", "colophon", "uncopyright", "toc", "loi", "plans", "frontispiece", "dedication"),
    *("epigraph", "endnotes", "glossary", "bibliography", "notes-and-explanations"),
)
NO_TYPE = one_of(  # epub:type of what is no prose
    *("verse", "poem", "song", "hymn", "drama", "epigraph", "endnote", "footnote", "z3998:table", "bridgehead"),
    *("dedication", "titlepage", "letterhead", "dateline", "sender", "recipient", "salutation", "valediction", "signature"),
)
NO_CLASS = one_of(  # classes of the same in Project Gutenberg's HTML, where every book has its own
    *("poe(m|try)", "vers(e|o)", "stanza", "linegroup", r"\bline\b", "hymn", "lyric", "latin"),
    *("foot(note)?s?\\b", r"\bfn", r"\bnotes?$", "sidenote", "tnote", "transcrib", "mynote"),
    *("caption", "illus", r"\bfig", "image", "tabl", r"\blist\b", "equation", r"\bexps?\b", "qanda", r"\bhanging"),
    *("titlepage", "copyright", "advert", r"\btoc", "index", r"\bpg", "gutenberg-?(header|footer)"),
    *("center", r"\bright\b", "signature", "dateline"),
    flags=re.I,
)
NO_TAG = words_of("table pre nav header hgroup figure aside script style head dl figcaption math svg noscript")
NO_WORD = one_of("pagenum", r"page(no)?\b", "fnanchor", "noteref", "footnote", "sidenote", "linenum", "dropcapimg", flags=re.I)
BLOCKS = words_of("p div li dd dt blockquote section td th article body ul ol dl table pre h1 h2 h3 h4 h5 h6 hr center")
CALL = re.compile(r"\W*(\d{1,4}|[A-Za-z]|[*†‡§¶]+)\W*")
LINE = 70  # characters; shorter lines are verse


def standard_ebook(read: Callable[[str], bytes], without_links: bool = False) -> Iterator[Paragraph]:
    """The paragraphs of a Standard Ebook in the order of its spine; read: from a path in its repository to what is there.

    without_links: links that are a number or a letter are left out, calls of notes or not."""
    package = ElementTree.fromstring(read("src/epub/content.opf"))
    for item in package.iterfind(".//{*}itemref"):
        name = item.get("idref", "")
        if not NO_FILE.match(name):
            tree = ElementTree.fromstring(read(f"src/epub/text/{name}"))
            title = tree.findtext(".//{*}title") or name
            if not NO_CHAPTER.match(title):
                if without_links:
                    _make_links_calls(tree)
                yield from _Reading(clean(title)).paragraphs(tree.find("{*}body"))


def gutenberg_html(page: str, without_links: bool = False) -> Iterator[Paragraph]:
    """The paragraphs of a page of Project Gutenberg under its headings, to the end of the book; without_links: as above."""
    from lxml import html

    root = html.document_fromstring(re.sub(r"<\?xml[^>]*\?>", "", page))
    if without_links:
        _make_links_calls(root)
    body = root.find("body")
    for paragraph in _Reading("", by_headings=True).paragraphs(root if body is None else body):
        if re.search(r"END OF (THE|THIS) PROJECT|End of (the |this )?Project", paragraph.text) and len(paragraph.text) < 400:
            return
        if not re.search(r"START OF (THE|THIS) PROJECT", paragraph.text):
            yield paragraph


@dataclass
class _Reading:
    """A walk over a page. chapter: the one it is in; by_headings: it changes with a heading."""

    chapter: str
    by_headings: bool = False

    def paragraphs(self, element: Element) -> Iterator[Paragraph]:
        tag, kind = _tag(element), element.get("class") or ""
        if not tag or tag in NO_TAG or (tag not in {"body", "html"} and _is_apart(element, tag)):
            return
        if re.fullmatch(r"h[1-6]", tag):
            self._heading(element, int(tag[1]))
        elif self.by_headings and tag == "p" and kind.startswith("chapter"):
            self.chapter = clean(_text(element))[:150] or self.chapter
        elif tag == "p" or (tag in {"div", "li", "blockquote", "dd"} and not any(_tag(child) in BLOCKS for child in element)):
            if not _is_verse(element):
                yield Paragraph(self.chapter, _text(element))
        else:
            for child in element:
                yield from self.paragraphs(child)

    def _heading(self, element: Element, level: int) -> None:
        name = re.sub(r"\s*T[oO]C$", "", clean(_text(element))) if self.by_headings else ""  # a link back to the contents
        if name and (level <= 3 or NO_CHAPTER.match(name)):
            self.chapter = name[:150]


def _tag(element: Element) -> str:
    """Its name without a namespace; a comment has none."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _is_apart(element: Element, tag: str) -> bool:
    """Whether its epub:type or class says that it is no prose."""
    kind = element.get(EPUB_TYPE) or element.get("epub:type") or ""
    return bool(NO_TYPE.search(kind) or (not tag.startswith("h") and NO_CLASS.search(element.get("class") or "")))


def _is_verse(element: Element) -> bool:
    breaks = sum(_tag(each) == "br" for each in element.iter())
    return breaks >= 2 and len(_text(element)) / (breaks + 1) < LINE


def _text(element: Element) -> str:
    """The words of an element without calls of notes and numbers of pages; a line's break is a blank."""
    return "".join(_words(element))


def _words(element: Element) -> Iterable[str]:
    tag = _tag(element)
    if tag == "br":
        yield " "
    elif tag and tag not in NO_TAG and not _is_mark(element, tag):
        yield element.text or ""
        for child in element:
            yield from _words(child)
            yield child.tail or ""


def _is_mark(element: Element, tag: str) -> bool:
    kinds = " ".join(element.get(name) or "" for name in (EPUB_TYPE, "class", "epub:type"))
    return bool(NO_WORD.search(kinds)) or (tag in {"a", "sup"} and _calls_note(element))


def _calls_note(element: Element) -> bool:
    """Whether a link or a raised sign calls a note ("Fig. 12" is a link to a figure)."""
    content = "".join(element.itertext()).strip()
    if any(_tag(each) == "sup" for each in element.iter()):
        return bool(CALL.fullmatch(content))
    if re.fullmatch(r"[\[({]\s*\w{1,4}\s*[\])}]|[*†‡§¶]+", content):
        return True
    to_note = re.search(r"#(f\d|fn|foot|note|en\d|n\d|r\d)", element.get("href") or "", re.I)
    return bool(to_note and re.fullmatch(r"\d{1,4}", content))


def _make_links_calls(root: Element) -> None:
    """Mark every link that may be the call of a note as one."""
    for element in root.iter():
        if _tag(element) == "a" and CALL.fullmatch("".join(element.itertext()).strip()):
            element.set("class", "noteref")
