"""What of PDF/UA-1 (ISO 14289-1) a file breaks that its HTML decides, by clause; the rest is the printing library's."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pymupdf

KIND = re.compile(r"/S ?/(P|LI|Link|Figure|H[1-6])\b")
OF_THE_FILE = {
    "7.1: not marked as tagged": r"/Marked true",
    "7.2: no language": r"/Lang ?\([a-z]",
    "7.1: the title is not displayed": r"/DisplayDocTitle true",
}


def broken(data: bytes) -> list[str]:
    """What the file breaks, each with its clause; empty for a file that passes."""
    with pymupdf.open(stream=data) as pdf:
        return [*_of_the_file(pdf), *_of_elements(_elements(pdf))]


def kinds_in_order(data: bytes) -> list[str]:
    """The kinds of headings, paragraphs, items, links and figures, in reading order."""
    with pymupdf.open(stream=data) as pdf:
        return [found[1] for element in _elements(pdf) if (found := KIND.search(element))]


def _elements(pdf: pymupdf.Document) -> list[str]:
    """The elements of the structure, which are written in reading order."""
    objects = (pdf.xref_object(number, compressed=True) for number in range(1, pdf.xref_length()))
    return [each for each in objects if "/StructElem" in each]


def _of_the_file(pdf: pymupdf.Document) -> Iterator[str]:
    xmp, catalog = pdf.get_xml_metadata(), pdf.xref_object(pdf.pdf_catalog(), compressed=True)
    yield from (problem for problem, sign in OF_THE_FILE.items() if not re.search(sign, catalog))
    if not re.search(r"pdfuaid:part(>|=\")1", xmp):
        yield "5: not identified as PDF/UA-1"
    if not re.search(r"<dc:title>.*?\w.*?</dc:title>", xmp, re.DOTALL):
        yield "7.1: no title"


def _of_elements(elements: list[str]) -> Iterator[str]:
    kinds = [found[1] for each in elements if (found := KIND.search(each))]
    levels = [int(kind[1]) for kind in kinds if kind.startswith("H")]
    if levels[:1] != [1] or any(after > before + 1 for before, after in pairwise(levels)):
        yield "7.4: levels of headings"
    if any(re.search(r"/S ?/Figure\b", each) and not re.search(r"/Alt ?[(<].", each) for each in elements):
        yield "7.3: a figure without an alternative text"
