"""The sandboxed program that prints one HTML page as a PDF: by WeasyPrint tagged as PDF/UA-1 asks, for people who have it read
to them; where Pango is not installed, by MuPDF without tags.

Standard input: one line of JSON {"paper", "seconds", "megabytes", "parent"}, then the HTML in UTF-8. Standard output: one line
of JSON {"pdf": n} and the PDF as n bytes."""

import json
import re
import sys
from base64 import b64encode
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from io import BytesIO
from itertools import count
from typing import Any

from bookreader.worker import confine, die_with, take_standard_output

MARGINS = (54, 54, 54, 64)  # points: left, top, right, and the foot, which has the sheet's number
FOOT = 34  # points above the sheet's edge
NUMBER_SIZE = 8  # points
GARBAGE = 2  # drop unused objects; 3 and 4 also compare all objects with one another
MAX_LINKS = 4000  # each takes PyMuPDF a millisecond
ENDLESS = 1e7  # points: a sheet that holds everything
GREY = (0.32, 0.38, 0.44)
WHOLE = ("comment-", "evidence-")  # ids of elements that should stay on one sheet begin so
OPENS = 1  # bit of open_close
TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # change direction, in MuPDF up to the end of a paragraph, not of a <bdi>
LONG_WORD = re.compile(r"<[^>]*>|[^\s<&]{60}(?=[^\s<&])")  # a tag, or as much as a line takes
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
FAR = re.compile("[\u0530-\u1fff\u2e80-\U0010ffff]")  # letters that fonts for Europe may not have
LAYOUT = re.compile(r"<(/?)(table|tr|td)\b([^>]*)>")
PRESENTATION, ROW = ' role="presentation"', ' class="row"'
TAGGED = """
%(font)s
@page {
  size: %(paper)s; margin: 54pt 54pt 64pt 54pt;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #51606f }
}
body { font-family: serif, far }
h1, h2, .where, .source, .books, .legend, .lead, .checks, .caption, .count, sup, .number { font-family: sans-serif, far }
h1, h2, h3, summary { break-after: avoid }
summary { list-style: none; font-weight: bold; margin: 4pt 0 }
[id^="comment-"], [id^="evidence-"] { break-inside: avoid }
p { orphans: 2; widows: 2; overflow-wrap: anywhere }
.row { display: table; width: 100%% }
.words, .pages { display: table-cell; vertical-align: top }
"""

Position = Any
"""What PyMuPDF tells of a heading, a link or an element with an id: heading (its level, or 0), href, id, rect, text, open_close
(whether it begins, ends or both), page_num."""


def main() -> None:
    """Answer one request. If the program ends without an answer, the page cannot be printed."""
    out = take_standard_output()
    request = json.loads(sys.stdin.buffer.readline())
    die_with(request["parent"])
    confine(request["seconds"], request["megabytes"])
    pdf = print_html(sys.stdin.buffer.read().decode(), request["paper"])
    out.write(json.dumps({"pdf": len(pdf)}).encode() + b"\n" + pdf)
    out.flush()


def print_html(html: str, paper: str) -> bytes:
    """The PDF of the page, made in this process."""
    html = breakable(TURNS.sub("", html))
    return print_tagged(html, paper) if can_tag() else print_plain(html, paper)


@cache
def can_tag() -> bool:
    """Whether WeasyPrint is installed (extra `server`) and finds the libraries of Pango."""
    try:
        import weasyprint
    except (ImportError, OSError):
        return False
    return bool(weasyprint)


def print_tagged(html: str, paper: str) -> bytes:
    """The PDF of the page by WeasyPrint, tagged. Nothing is loaded from a network or disk."""
    from weasyprint import CSS, HTML
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcher

    write_languages()
    fetcher, fonts = URLFetcher(allowed_protocols={"data"}), FontConfiguration()
    sheet = TAGGED % {"paper": paper, "font": _far_font() if FAR.search(html) else ""}
    page = HTML(string=LAYOUT.sub(_as_div, html), url_fetcher=fetcher)
    style = CSS(string=sheet, font_config=fonts, url_fetcher=fetcher)
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


def _as_div(tag: re.Match[str]) -> str:
    """The tag of a table that is only a layout, as one that nobody takes for a table of data."""
    return "" if tag[2] == "tr" else f"<{tag[1]}div{tag[3].replace(PRESENTATION, ROW)}>"


def _far_font() -> str:
    """A font with the letters of many scripts, which MuPDF brings."""
    import pymupdf

    data = b64encode(pymupdf.Font("cjk").buffer).decode()
    return f'@font-face {{ font-family: far; src: url("data:font/ttf;base64,{data}") }}'


def print_plain(html: str, paper: str) -> bytes:
    """The PDF of the page by MuPDF, without tags."""
    import pymupdf  # after `confine`

    story = pymupdf.Story(html)
    file = BytesIO()
    positions = draw_sheets(story, pymupdf.DocumentWriter(file), pymupdf.paper_rect(paper))
    with pymupdf.open(stream=file) as document:
        pymupdf.Story.add_pdf_links(document, with_fewer_links(positions))
        finish(document, positions, html)
        document.subset_fonts()  # else a line of Chinese brings 3 MB
        return bytes(document.tobytes(garbage=GARBAGE, deflate=True, use_objstms=True))


def breakable(html: str) -> str:
    """The HTML with break opportunities in very long words, which would take MuPDF too long."""
    return LONG_WORD.sub(lambda found: found[0] if found[0].startswith("<") else f"{found[0]}&#8203;", html)


def draw_sheets(story: Any, writer: Any, sheet: Any) -> list[Position]:
    """Draw the whole story; return the positions of its elements, with page_num from 1."""
    left, top, right, foot = MARGINS
    room = sheet.__class__(left, top, sheet.x1 - right, sheet.y1 - foot)
    heights = heights_of_wholes(story, room)
    placed: list[Position] = []
    more, number = True, 0
    while more:
        number += 1
        device = writer.begin_page(sheet)
        more, here = place(story, room, heights, number)
        story.draw(device)
        writer.end_page()
        placed += here
    writer.close()
    return placed


def with_fewer_links(positions: Sequence[Position]) -> list[Position]:
    """The positions with at most MAX_LINKS links."""
    links = count()
    return [each for each in positions if not (each.href and each.open_close & OPENS) or next(links) < MAX_LINKS]


def heights_of_wholes(story: Any, room: Any) -> dict[str, float]:
    """The heights, in points, of the elements that should stay on one sheet, by id."""
    story.place((room.x0, 0, room.x1, ENDLESS))
    tall = {each.id: each.rect[3] - each.rect[1] for each in positions_of(story, 0) if is_whole(each)}
    story.reset()
    return tall


def place(story: Any, room: Any, heights: dict[str, float], number: int) -> tuple[bool, list[Position]]:
    """Place as much as fits on one sheet, ended where no element is split and no heading stands alone; return whether more is
    left, and the positions."""
    more, _ = story.place(room)
    here = positions_of(story, number)
    if more and (end := better_end(here, room, heights)):
        more, _ = story.place((room.x0, room.y0, room.x1, end))
        here = positions_of(story, number)
    return bool(more), here


def better_end(here: Sequence[Position], room: Any, heights: dict[str, float]) -> float | None:
    """The height from the sheet's top at which it should end instead, in points; None if the present end is good or
    unavoidable."""
    begun = [each for each in here if each.open_close & OPENS and not each.href]
    end = None
    if begun and is_parted(begun[-1], room, heights):
        end = begun.pop().rect[1]
    while begun and begun[-1].heading:
        end = begun.pop().rect[1]
    return end - 1 if end and end > room.y0 + 1 else None


def is_parted(position: Position, room: Any, heights: dict[str, float]) -> bool:
    """Whether the element continues on the next sheet, although it would fit on one."""
    _, top, _, bottom = position.rect  # one with a table in it goes on below the sheet's end, any other ends there
    return is_whole(position) and heights[position.id] <= room.height and top + heights[position.id] > min(bottom, room.y1) + 1


def positions_of(story: Any, number: int) -> list[Position]:
    """The positions of what was placed last, in reading order."""
    found: list[Position] = []

    def note(position: Position) -> None:
        found.append(position)

    story.element_positions(note, {"page_num": number})
    return found


def is_whole(position: Position) -> bool:
    """Whether the element should stay on one sheet."""
    return str(position.id or "").startswith(WHOLE)


def finish(document: Any, positions: Sequence[Position], html: str) -> None:
    """Add title, language, outline and sheet numbers."""
    headings = [each for each in positions if each.heading and each.open_close & OPENS]
    found = TITLE.search(html)
    title = unescape(found[1]) if found else ""
    outline = [[each.heading, title if each.heading == 1 else each.text, each.page_num] for each in headings]
    document.set_toc(outline)  # MuPDF runs words together where a heading has two lines: h1 is the title
    document.set_metadata({"title": title, "producer": "chapterverse"})
    document.set_language("en")
    for number, page in enumerate(document, start=1):
        place = (page.rect.width - MARGINS[2] - 30, page.rect.height - FOOT)
        page.insert_text(place, f"{number} / {document.page_count}", fontsize=NUMBER_SIZE, color=GREY)


if __name__ == "__main__":
    main()
