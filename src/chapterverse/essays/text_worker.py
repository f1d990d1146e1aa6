"""The sandboxed program that finds the text in files: Word, OpenDocument or PDF.

Standard input: for each file one line of JSON {"seconds", "megabytes", "size"}, then the file. Standard output: for each
one line of JSON, {"text": …} or {"refused": message}, or null if its child ended. Each file is read by a child of its own, so a
hostile file meets no other; modules are loaded once, which takes twenty times as long as reading an essay. Word: ECMA-376-1,
17.3; OpenDocument 1.3, part 3, 5.1 and 6.1."""

import json
import os
import re
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from bookreader.errors import BadFile
from bookreader.worker import confine, die_with, take_standard_output
from chapterverse.core.errors import BadRequest
from chapterverse.messages import to_json

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from chapterverse.core.book import Box

WORD, OPEN = "word/document.xml", "content.xml"
MAX_XML_BYTES = 20 * 2**20  # bytes of a document's XML: one of 20,000 words has two million
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
T = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
LEFT_OUT = {f"{W}del", f"{W}moveFrom", f"{T}note", f"{T}tracked-changes", f"{T}table-of-content"}
BLANKS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{T}tab": " ", f"{T}s": " ", f"{T}line-break": "\n"}
PARAGRAPHS = {f"{W}p", f"{T}p", f"{T}h"}
ROWS = {f"{W}tr", "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table-row"}


def main() -> None:
    """Answer requests until the input ends, which it does with the parent."""
    out = take_standard_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what becomes of us
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # a fork copies one thread only
    while line := sys.stdin.buffer.readline():
        request = json.loads(line)
        data = sys.stdin.buffer.read(request["size"])
        if sys.platform != "linux":  # a fork may harm what other systems' libraries hold
            confine(request["seconds"], request["megabytes"])
            out.write(_answer_to(data))
            break
        if is_pdf(data):
            load_reader()
        out.write(_answer_of_child(request, data))
        out.flush()


def _answer_of_child(request: Mapping[str, Any], data: bytes) -> bytes:
    """The answer of a child within the limits; null if it ends without one."""
    reading, writing = os.pipe()
    parent = os.getpid()
    if not (child := os.fork()):
        try:
            die_with(parent)
            confine(request["seconds"], request["megabytes"])
            signal.setitimer(signal.ITIMER_REAL, request["seconds"])  # ends the child
            with os.fdopen(writing, "wb") as out:
                out.write(_answer_to(data))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return answer if answer and answer.find(b"\n") == len(answer) - 1 else b"null\n"


def _answer_to(data: bytes) -> bytes:
    try:
        result = {"text": text_in(data)}
    except BadRequest as refusal:
        result = {"refused": to_json(refusal.message)}
    return json.dumps(result).encode() + b"\n"


@cache
def load_reader() -> None:
    """Load all that reading a PDF needs, by reading one of our own."""
    import pymupdf

    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "One sentence is read, so that everything is loaded.")
        text_in(document.tobytes())


def is_pdf(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


def text_in(data: bytes) -> str:
    """The text of the file, with an empty line between paragraphs. Raises BadRequest."""
    try:
        return "\n\n".join(_paragraphs_of_pdf(data) if is_pdf(data) else _paragraphs_of_xml(_xml_in(data)))
    except BadFile as error:
        raise BadRequest("file_without_text" if error.reason == "no_text" else error.message) from error


def _paragraphs_of_pdf(data: bytes) -> Iterator[str]:
    """As a book's; what the reader of books takes out of the text stands as headings, but for what is on several pages."""
    import pymupdf

    from bookreader.pdf.read import FLAGS
    from bookreader.worker import read_source
    from chapterverse.core.book import BookId, Box

    sentences = read_source(data, BookId("essay")).sentences
    boxes = defaultdict[int, list[Box]](list)  # by page
    for place in (place for one in sentences for place in one.address.places):
        boxes[place.page_index] += place.boxes
    with pymupdf.open(stream=data) as document:
        words = [(page.number, word) for page in document for word in page.get_text("words", flags=FLAGS, sort=True)]
    blocks = list[list[tuple[int, Any]]]()  # words of lines one below the other
    for page, word in words:
        if not any(_is_in(box, word) for box in boxes[page]):
            if not (blocks and blocks[-1][-1][0] == page and _is_below(blocks[-1][-1][1], word)):
                blocks.append([])
            blocks[-1].append((page, word))
    heads = [((block[0][0], block[0][1][1]), "# " + " ".join(word[4] for _, word in block)) for block in blocks]
    parts = list[str]()
    for _, paragraph in groupby(sentences, lambda one: one.address.paragraph_id):
        texts = list(paragraph)
        starts = [(place.page_index, place.boxes[0].y0) for place in texts[0].address.places[:1]]
        while heads and starts and heads[0][0] < starts[0]:
            parts.append(heads.pop(0)[1])
        parts.append(" ".join(one.text for one in texts))
    parts += [text for _, text in heads]
    letters = [re.sub(r"[\d\W]+", "", text) for text in parts]  # numbers differ from page to page
    alike = Counter(letters)
    yield from (text for text, own in zip(parts, letters, strict=True) if text[-1] in ".!?" or (own and alike[own] == 1))


def _is_below(above: Any, word: Any) -> bool:
    """Whether the word stands in the line of the one before it or closely below, as large."""
    height = word[3] - word[1]
    return bool(word[1] - above[3] < height / 2 and abs(above[3] - above[1] - height) < height / 10)


def _is_in(box: "Box", word: Any) -> bool:
    """Whether the middle of the word lies in the box."""
    return bool(box.x0 <= (word[0] + word[2]) / 2 <= box.x1 and box.y0 <= (word[1] + word[3]) / 2 <= box.y1)


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
        return _texts(fromstring(xml))  # noqa: S314  # confined, without entities
    except ParseError as error:
        raise BadRequest("file_damaged_or_locked") from error


def _texts(element: "Element") -> Iterator[str]:
    """The paragraphs in order; one inside another (a text box) is part of it, a row of a table is one if no cell has two."""
    for child in element:
        if child.tag in PARAGRAPHS:
            yield from filter(None, [_text_of(child)])
        elif child.tag in ROWS:
            cells = [list(_texts(cell)) for cell in child]
            texts = [text for cell in cells for text in cell]
            yield from texts if len(texts) < 2 or any(len(cell) > 1 for cell in cells) else [" | ".join(texts)]
        elif not _left_out(child):
            yield from _texts(child)


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
