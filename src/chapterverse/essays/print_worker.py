"""The sandboxed program that prints one HTML page as a PDF by WeasyPrint, tagged as PDF/UA-1 asks, for people who have it
read to them.

Standard input: one line of JSON {"paper", "seconds", "megabytes", "parent"}, then the HTML in UTF-8. Standard output: one line
of JSON {"pdf": n} and the PDF as n bytes, or {"missing": why}."""

import json
import re
import sys
from base64 import b64encode
from collections.abc import Container, Iterator, Mapping
from functools import cache
from typing import Any

from bookreader.worker import confine, die_with, take_standard_output

TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # change direction
LONG_WORD = re.compile(r"<[^>]*>|[^\s<&]{60}(?=[^\s<&])")  # a tag, or as much as a line takes
FAR = re.compile("[\u0530-\u1fff\u2e80-\U0010ffff]")  # letters that fonts for Europe may not have
TAGGED = """
@page {
  size: %s; margin: 54pt 54pt 64pt 54pt;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #51606f }
}
body { font-family: serif, far }
h1, h2, .where, .source, .books, .legend, .lead, .checks, .caption, .count, sup, .number { font-family: sans-serif, far }
summary { break-after: avoid; list-style: none; font-weight: bold; margin: 4pt 0 }
.comment-text { break-inside: avoid }
p { orphans: 2; widows: 2; overflow-wrap: anywhere }
"""


def main() -> None:
    """Answer one request. If the program ends without an answer, the page cannot be printed."""
    out = take_standard_output()
    request = json.loads(sys.stdin.buffer.readline())
    die_with(request["parent"])
    confine(request["seconds"], request["megabytes"])
    try:
        pdf = print_html(sys.stdin.buffer.read().decode(), request["paper"])
    except (ImportError, OSError) as error:  # OSError: it is there, Pango is not
        out.write(json.dumps({"missing": type(error).__name__}).encode() + b"\n")
    else:
        out.write(json.dumps({"pdf": len(pdf)}).encode() + b"\n" + pdf)
    out.flush()


def print_html(html: str, paper: str) -> bytes:
    """The PDF of the page, made in this process. Nothing is loaded from a network or disk. Raises ImportError without
    WeasyPrint (extra `server`), OSError without the libraries of Pango."""
    from weasyprint import CSS, HTML
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcher

    html = TURNS.sub("", html)
    html = LONG_WORD.sub(lambda found: found[0] if found[0].startswith("<") else f"{found[0]}&#8203;", html)  # breaks there
    write_languages()
    fetcher, fonts = URLFetcher(allowed_protocols={"data"}), FontConfiguration()
    if FAR.search(html):
        import pymupdf

        far = b64encode(pymupdf.Font("cjk").buffer).decode()  # the letters of many scripts, which MuPDF brings
        fonts.add_font_face({"font_family": "far", "src": [("external", f"data:font/ttf;base64,{far}")]}, fetcher)
    page = HTML(string=html, url_fetcher=fetcher)
    style = CSS(string=TAGGED % paper, font_config=fonts, url_fetcher=fetcher)
    pdf = page.write_pdf(stylesheets=[style], font_config=fonts, pdf_variant="pdf/ua-1", finisher=_numbers_as_artefacts)
    return bytes(pdf or b"")


@cache
def write_languages() -> None:
    """Let WeasyPrint write the language of each part that has one of its own: version 70 writes only that of the whole file."""
    from weasyprint.pdf import tags

    build: Any = tags._build_box_tree

    def with_language(box: Any, *rest: Any) -> Iterator[Any]:
        language = None if box.element is None else box.element.get("lang")
        for element in build(box, *rest):
            if language:
                element["Lang"] = tags.pydyf.String(language)
            yield element

    tags._build_box_tree = with_language  # which calls itself by this name


def _numbers_as_artefacts(_document: Any, pdf: Any) -> None:
    """Mark the sheets' numbers as artefacts: WeasyPrint 70 tags them, but leaves them out of the structure."""
    objects = {each.reference: each for each in pdf.objects}
    elements = [each for each in pdf.objects if isinstance(each, dict) and "K" in each]
    inside = {reference for each in elements for reference in each["K"] if isinstance(reference, bytes)}
    root = objects[pdf.catalog["StructTreeRoot"]]
    pages = [each for each in pdf.objects if isinstance(each, dict) and each.get("Type") == "/Page"]
    by_sheet = objects[root["ParentTree"]]["Nums"][1::2]
    for page, references in zip(pages, by_sheet, strict=False):  # those of links follow
        lost = {mcid for mcid, reference in enumerate(references) if _is_lost(reference, objects, inside)}
        stream = objects[page["Contents"]].stream
        for at in [at for at, operator in enumerate(stream) if operator == b"BDC" and stream[at - 1]["MCID"] in lost]:
            references[stream[at - 1]["MCID"]] = "null"
            stream[at - 2 : at] = ["/Artifact", "<</Type /Pagination>>"]


def _is_lost(reference: bytes, objects: Mapping[bytes, Any], inside: Container[bytes]) -> bool:
    """Whether an element of the structure is in no other, or in one that is lost."""
    element = objects[reference]
    while reference in inside and "P" in element:
        reference, element = element["P"], objects[element["P"]]
    return "P" in element


if __name__ == "__main__":
    main()
