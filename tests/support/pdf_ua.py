"""What of PDF/UA-1 (ISO 14289-1) a file breaks, as far as a program can see it: python -m tests.support.pdf_ua FILE

Checked, by clause: 5 identification, 7.1 tags, title, language and artefacts, 7.3 figures, 7.4 headings, 7.5 tables, 7.6
lists, 7.18 links and tab order, 7.21 fonts. Not checked: whether alternative texts and the language of each part are right."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf

TOKEN = re.compile(rb"<<|>>|\[|\]|\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>|/[^\s/<>\[\]()]*|\d+ \d+ R|[^\s/<>\[\]()]+", re.DOTALL)
SHOWS = {b"Tj", b"TJ", b"'", b'"', b"Do", b"S", b"s", b"f", b"f*", b"F", b"B", b"B*", b"b", b"b*", b"sh"}
BEGINS = {b"BDC", b"BMC"}
HEADING = re.compile(r"/H([1-6])")


@dataclass(frozen=True)
class Ref:
    """A reference to an object."""

    number: int


@dataclass
class Elem:
    """An element of the structure: its kind and what is in it."""

    kind: str
    values: dict[str, Any]
    kids: list["Elem"]
    mcids: list[tuple[int, int]]  # page object, number of the marked content
    objects: list[int]


class File:
    """An opened PDF."""

    def __init__(self, data: bytes) -> None:
        self.pdf = pymupdf.open(stream=data)
        self.catalog = self.at(self.pdf.pdf_catalog())

    def at(self, number: int) -> Any:
        """An object, parsed."""
        return _parsed(TOKEN.findall(self.pdf.xref_object(number, compressed=True).encode("utf-8", "surrogateescape")))

    def get(self, value: Any) -> Any:
        """The value, or the object that it refers to."""
        return self.at(value.number) if isinstance(value, Ref) else value

    def elem(self, value: Any, page: int = 0) -> Elem:
        """A structure element with all below it."""
        values = self.get(value)
        page = values["Pg"].number if "Pg" in values else page
        elem = Elem(str(values.get("S", "")), values, [], [], [])
        for kid in _listed(self.get(values.get("K", []))):
            inside = self.get(kid)
            if isinstance(inside, int):
                elem.mcids.append((page, inside))
            elif inside.get("Type") == "/OBJR":
                elem.objects.append(inside["Obj"].number)
            elif inside.get("Type") == "/MCR":
                elem.mcids.append((inside["Pg"].number if "Pg" in inside else page, inside["MCID"]))
            else:
                elem.kids.append(self.elem(kid, page))
        return elem

    @property
    def tree(self) -> Elem:
        """The structure's root."""
        root = self.get(self.catalog["StructTreeRoot"])
        return Elem("", root, [self.elem(each) for each in _listed(self.get(root["K"]))], [], [])


def broken(data: bytes) -> list[str]:
    """What the file breaks, each with its clause; empty for a file that passes."""
    file = File(data)
    if "StructTreeRoot" not in file.catalog:
        return ["7.1: no tags"]
    elems = list(all_of(file.tree))
    checks = (_document, _headings, _elements, _content, _annotations, _fonts)
    return [problem for check in checks for problem in check(file, elems)]


def all_of(elem: Elem) -> Iterator[Elem]:
    """The element and all below it, in reading order."""
    yield elem
    for kid in elem.kids:
        yield from all_of(kid)


def _document(file: File, _: list[Elem]) -> Iterator[str]:
    catalog, xmp = file.catalog, file.pdf.get_xml_metadata()
    if not re.search(r"pdfuaid:part(>|=\")1", xmp):
        yield "5: not identified as PDF/UA-1"
    if file.get(catalog.get("MarkInfo", {})).get("Marked") is not True:
        yield "7.1: not marked as tagged"
    if len(str(catalog.get("Lang", "()"))) < 4:
        yield "7.2: no language"
    if not re.search(r"<dc:title>.*?\w.*?</dc:title>", xmp, re.DOTALL):
        yield "7.1: no title"
    if file.get(catalog.get("ViewerPreferences", {})).get("DisplayDocTitle") is not True:
        yield "7.1: the title is not displayed"
    if file.pdf.page_count > 1 and not file.pdf.get_toc():
        yield "7.17: no outline"


def _headings(_: File, elems: list[Elem]) -> Iterator[str]:
    levels = [int(found[1]) for elem in elems if (found := HEADING.fullmatch(elem.kind))]
    if levels[:1] != [1]:
        yield "7.4: the first heading is not of level 1"
    for before, after in pairwise(levels):
        if after > before + 1:
            yield f"7.4: after H{before} comes H{after}"


def _elements(_: File, elems: list[Elem]) -> Iterator[str]:
    inside = {
        "/LI": ("/L",),
        "/LBody": ("/LI",),
        "/Lbl": ("/LI", "/Note", "/Link"),
        "/TR": ("/Table", "/THead", "/TBody", "/TFoot"),
    }
    for elem in elems:
        for kid in elem.kids:
            if elem.kind not in inside.get(kid.kind, (elem.kind,)):
                yield f"7.2: {kid.kind} in {elem.kind}"
        if elem.kind == "/L" and {kid.kind for kid in elem.kids} - {"/LI", "/Caption", "/L"}:
            yield "7.6: a list with other things than items"
        if elem.kind == "/Figure" and len(str(elem.values.get("Alt", "()"))) < 4:
            yield "7.3: a figure without an alternative text"
        if elem.kind == "/Table" and "/TH" not in {each.kind for each in all_of(elem)}:
            yield "7.5: a table without headers"


def _content(file: File, elems: list[Elem]) -> Iterator[str]:
    placed = [mcid for elem in elems for mcid in elem.mcids]
    if len(placed) != len(set(placed)):
        yield "7.1: content that is in the structure twice"
    for page in file.pdf:
        marked = set()
        for place, operator in _shown(page.read_contents()):
            if place is None:
                yield f"7.1: {operator} on page {page.number + 1} is neither tagged nor an artefact"
            elif place >= 0:
                marked.add((page.xref, place))
        if lost := marked - set(placed):
            yield f"7.1: {len(lost)} pieces of page {page.number + 1} are not in the structure"


def _shown(stream: bytes) -> Iterator[tuple[int | None, str]]:
    """For each operator that draws: the number of its marked content, -1 in an artefact, None outside both."""
    stack: list[int | None] = []
    tokens = TOKEN.findall(re.sub(rb"\bBI\b.*?\bEI\b", b"", stream, flags=re.DOTALL))
    for at, token in enumerate(tokens):
        if token in BEGINS:
            around = b" ".join(tokens[max(0, at - 6) : at])
            number = re.search(rb"/MCID (\d+)", around)
            is_artefact = b"/Artifact" in around
            stack.append(int(number[1]) if number else -1 if is_artefact else stack[-1] if stack else None)
        elif token == b"EMC":
            stack.pop()
        elif token in SHOWS:
            yield (stack[-1] if stack else None), token.decode()


def _annotations(file: File, elems: list[Elem]) -> Iterator[str]:
    of_links = {number for elem in elems if elem.kind == "/Link" for number in elem.objects}
    for page in file.pdf:
        values = file.at(page.xref)
        annotations = _listed(file.get(values.get("Annots", [])))
        if annotations and values.get("Tabs") != "/S":
            yield f"7.18.3: page {page.number + 1} has no tab order"
        for each in annotations:
            about = file.get(each)
            if about["Subtype"] == "/Link" and each.number not in of_links:
                yield "7.18.5: a link that is not tagged"
            if about["Subtype"] == "/Link" and len(str(about.get("Contents", "()"))) < 4:
                yield "7.18.5: a link without a description"


def _fonts(file: File, _: list[Elem]) -> Iterator[str]:
    for number in {font[0] for page in file.pdf for font in page.get_fonts()}:
        font = file.at(number)
        inner = file.get(_listed(file.get(font.get("DescendantFonts", [number])))[0]) if "DescendantFonts" in font else font
        described = file.get(inner.get("FontDescriptor", {}))
        if not {"FontFile", "FontFile2", "FontFile3"} & set(described):
            yield f"7.21.4: {font.get('BaseFont')} is not embedded"
        if "ToUnicode" not in font:
            yield f"7.21.7: {font.get('BaseFont')} does not say which letters it draws"


def kinds_in_order(data: bytes) -> list[str]:
    """The kinds of headings, paragraphs, items, links and figures, in reading order."""
    kinds = {"/P", "/LI", "/Link", "/Figure", *(f"/H{level}" for level in range(1, 7))}
    return [elem.kind[1:] for elem in all_of(File(data).tree) if elem.kind in kinds]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _parsed(tokens: list[bytes]) -> Any:
    value, _ = _value(tokens, 0)
    return value


def _value(tokens: list[bytes], at: int) -> tuple[Any, int]:
    token = tokens[at]
    if token == b"<<":
        return _dictionary(tokens, at + 1)
    if token == b"[":
        values, at = [], at + 1
        while tokens[at] != b"]":
            value, at = _value(tokens, at)
            values.append(value)
        return values, at + 1
    if found := re.fullmatch(rb"(\d+) \d+ R", token):
        return Ref(int(found[1])), at + 1
    if re.fullmatch(rb"[+-]?\d+", token):
        return int(token), at + 1
    return {b"true": True, b"false": False}.get(token, token.decode("latin-1")), at + 1


def _dictionary(tokens: list[bytes], at: int) -> tuple[dict[str, Any], int]:
    values = {}
    while tokens[at] != b">>":
        key = tokens[at].decode("latin-1")[1:]
        values[key], at = _value(tokens, at + 1)
    return values, at + 1


if __name__ == "__main__":
    found = [f"{name}: {problem}" for name in sys.argv[1:] for problem in broken(Path(name).read_bytes())]
    sys.stdout.write("".join(f"{each}\n" for each in found) or "Nothing is broken.\n")
    sys.exit(bool(found))
