"""The sandboxed program that finds the text in one file: Word, OpenDocument or PDF.

Standard input: one line of JSON {"seconds", "megabytes", "parent"}, then the file. Standard output: one line of JSON, {"text":
…} or {"refused": message}. Word: ECMA-376-1, 17.3; OpenDocument 1.3, part 3, 5.1 and 6.1."""

import json
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile

from chapterverse.core.errors import BadBook, BadRequest
from chapterverse.library.pdf.worker import confine, die_with, take_standard_output
from chapterverse.messages import to_json

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

WORD, OPEN = "word/document.xml", "content.xml"
MAX_XML_BYTES = 20 * 2**20  # bytes of a document's XML: one of 20,000 words has two million
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
T = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
LEFT_OUT = {f"{W}del", f"{W}moveFrom", f"{T}note", f"{T}tracked-changes", f"{T}table-of-content"}
BLANKS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{T}tab": " ", f"{T}s": " ", f"{T}line-break": "\n"}
PARAGRAPHS = {f"{W}p", f"{T}p", f"{T}h"}


def main() -> None:
    """Answer one request. If the program ends without an answer, the file cannot be read."""
    out = take_standard_output()
    request = json.loads(sys.stdin.buffer.readline())
    die_with(request["parent"])
    confine(request["seconds"], request["megabytes"])
    try:
        result = {"text": text_in(sys.stdin.buffer.read())}
    except (BadRequest, BadBook) as refusal:
        result = {"refused": to_json(refusal.message)}
    out.write(json.dumps(result).encode() + b"\n")
    out.flush()


def text_in(data: bytes) -> str:
    """The text of the file, with an empty line between paragraphs. Raises BadRequest, BadBook."""
    return "\n\n".join(_paragraphs_of_pdf(data) if b"%PDF-" in data[:1024] else _paragraphs_of_xml(_xml_in(data)))


def _paragraphs_of_pdf(data: bytes) -> Iterator[str]:
    from chapterverse.core.book import BookId, Kind
    from chapterverse.library.uploads import read_source

    body = (one for one in read_source(data, BookId("essay")).sentences if one.kind is Kind.SENTENCE)
    for _, sentences in groupby(body, lambda one: (one.address.chapter, one.address.paragraph)):
        yield " ".join(one.text for one in sentences)


def _xml_in(data: bytes) -> bytes:
    """The XML of the document's text. At most MAX_XML_BYTES are unpacked; the size that the file declares is not trusted."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            [name, *_] = [each for each in (WORD, OPEN) if each in archive.namelist()] or [""]
            if not name:
                raise BadRequest("file_not_a_text_document")
            with archive.open(name) as part:
                xml = part.read(MAX_XML_BYTES + 1)
    except (BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, ValueError) as error:
        raise BadRequest("file_damaged_or_locked") from error
    if len(xml) > MAX_XML_BYTES:
        raise BadRequest("file_unpacks_too_large")
    return xml


def _paragraphs_of_xml(xml: bytes) -> Iterator[str]:
    from xml.etree.ElementTree import ParseError, fromstring

    if b"<!DOCTYPE" in xml[:4096] or b"<!ENTITY" in xml:  # neither format has them; they allow XML bombs
        raise BadRequest("file_damaged_or_locked")
    try:
        root = fromstring(xml)  # noqa: S314  # confined, without entities
    except ParseError as error:
        raise BadRequest("file_damaged_or_locked") from error
    yield from filter(None, (_text_of(each) for each in _whole(root)))


def _whole(element: "Element") -> Iterator["Element"]:
    """The paragraphs in order; a paragraph inside another one (a text box) is part of it."""
    for child in element:
        if child.tag in PARAGRAPHS:
            yield child
        elif not _left_out(child):
            yield from _whole(child)


def _text_of(paragraph: "Element") -> str:
    text = " ".join("".join(_pieces(paragraph)).split(" ")).strip()
    level = paragraph.tag == f"{T}h" or any(
        style.get(f"{W}val", "").lower().startswith(("heading", "title")) for style in paragraph.iter(f"{W}pStyle")
    )
    return f"# {text}" if level and text else text


def _pieces(element: "Element") -> Iterator[str]:
    """The text of the element in pieces. Word has its text only in w:t elements, OpenDocument between all elements."""
    own = not element.tag.startswith(W) or element.tag == f"{W}t"
    if own and element.text:
        yield element.text
    for child in element:
        if child.tag in BLANKS:
            yield BLANKS[child.tag]
        elif not _left_out(child):
            yield from _pieces(child)
        if child.tail and not element.tag.startswith(W):
            yield child.tail


def _left_out(element: "Element") -> bool:
    return element.tag in LEFT_OUT or element.tag.endswith("}annotation")


if __name__ == "__main__":
    main()
