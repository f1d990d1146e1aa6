"""PDF → pages of lines, by PyMuPDF. The only module here that knows the library's dictionaries.

Lines come back cut wherever MuPDF saw a wide gap (about 0.8 em); `reading_order` joins those that belong together."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pymupdf

from chapterverse.ingestion.blanks import Blanks, blanks_of
from chapterverse.ingestion.marks import Line, Matrix, Page, Style, Token, line_of

FLAGS = pymupdf.TEXT_MEDIABOX_CLIP  # ligatures are expanded; a letter without Unicode is U+FFFD, which the report counts
RAISED_SIZE = 0.86  # a superscript is at most this share of its line's size …
RAISED_BY = 0.12  # … and stands at least this share of it above the baseline
INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
SOFT_HYPHEN = "\u00ad"
BOLD, ITALIC = 16, 2  # MuPDF's span flags


class Glyph(NamedTuple):
    """A character with its horizontal extent."""

    char: str
    x0: float
    x1: float


def read_pages(document: pymupdf.Document, progress: Callable[[int, int], None] | None = None) -> list[Page]:
    """Every page with its upright lines. progress(done, total) is called after each page."""
    pages = []
    total = document.page_count
    for index in range(total):
        pages.append(read_page(document, index))
        if progress:
            progress(index + 1, total)
    return pages


def read_page(document: pymupdf.Document, index: int) -> Page:
    """One page; text that does not run the way most of the page does (a diagonal watermark, a spine title) is left out."""
    page = document[index]
    found, shown = upright_lines(page)
    lines = [line for each in found for line in lines_of(each, index)]
    width, height = page.rect.width, page.rect.height
    return Page(index, width, height, page.get_label(), tuple(lines), len(page.get_images()), shown)


def upright_lines(page: pymupdf.Page) -> tuple[list[dict[str, Any]], Matrix | None]:
    """The page's upright lines, and how to get from them to the page as displayed, if it is displayed turned (/Rotate).

    A page that lies sideways in the file and is displayed upright is turned first. Both change only our copy."""
    matrix = page.rotation_matrix
    turned = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f) if page.rotation else None
    found = raw_lines(page)
    upright = [line for line in found if is_upright(line)]
    if turned is None or 2 * len(upright) > len(found):
        page.set_rotation(0)
        return upright, turned
    page.remove_rotation()
    return [line for line in raw_lines(page) if is_upright(line)], None


def raw_lines(page: pymupdf.Page) -> list[dict[str, Any]]:
    """MuPDF's lines of text; their places are those of the page before it is turned."""
    blocks = page.get_textpage(flags=FLAGS).extractRAWDICT()["blocks"]
    return [line for block in blocks if block["type"] == 0 for line in block["lines"]]


def is_upright(line: dict[str, Any]) -> bool:
    """Whether the line runs from left to right, within 3 degrees."""
    cosine, _ = line["dir"]
    return bool(cosine > 0.9986)


def lines_of(raw: dict[str, Any], page: int) -> Iterator[Line]:
    """The line, or nothing if it holds only blanks."""
    spans = [span for span in raw["spans"] if any(not char["c"].isspace() for char in span["chars"])]
    if not spans:
        return
    ruling = max(spans, key=lambda span: (len(span["chars"]), span["size"]))
    baseline = last_of(ruling)["origin"][1]
    tokens = list(tokens_of(raw["spans"], ruling["size"], baseline))
    if tokens:
        yield line_of(page, tokens, baseline)


def tokens_of(spans: list[dict[str, Any]], size: float, baseline: float) -> Iterator[Token]:
    """The words of a line, cut also where the style changes within a word (then the second part is glued)."""
    glued = False
    blanks = blanks_of([char for span in spans for char in span["chars"]], size)
    for span in (span for span in spans if span["chars"]):
        style = style_of(span)
        raised = is_raised(span, size, baseline)
        _, y0, _, y1 = last_of(span)["bbox"]
        for word, ends_in_blank in words_of(span["chars"], blanks):
            if word:
                text = "".join(glyph.char for glyph in word)
                yield Token(text, word[0].x0, y0, word[-1].x1, y1, style, glued, raised)
            glued = not ends_in_blank and (bool(word) or glued)


def last_of(span: dict[str, Any]) -> dict[str, Any]:
    """The span's last character: MuPDF gives a blank after a superscript the height of the superscript."""
    last: dict[str, Any] = span["chars"][-1]
    return last


def words_of(chars: list[dict[str, Any]], blanks: Blanks) -> Iterator[tuple[list[Glyph], bool]]:
    """Runs of visible characters, each with whether a blank follows it; a leading blank gives an empty run."""
    word: list[Glyph] = []
    for char in chars:
        text = char["c"]
        if id(char) in blanks.false:
            continue
        if text.isspace() or (id(char) in blanks.missing and word):
            yield word, True
            word = []
        if not text.isspace() and (text not in INVISIBLE or text == SOFT_HYPHEN):
            x0, _, x1, _ = char["bbox"]
            word.append(Glyph(text, x0, x1))
    if word:
        yield word, False


def style_of(span: dict[str, Any]) -> Style:
    """The span's look; a font's subset prefix ("ABCDEF+") says nothing and is dropped."""
    font = span["font"].split("+")[-1]
    bold = bool(span["flags"] & BOLD) or "bold" in font.lower()
    italic = bool(span["flags"] & ITALIC) or "italic" in font.lower() or "oblique" in font.lower()
    return Style(font, round(span["size"], 1), bold, italic, span["color"])


def is_raised(span: dict[str, Any], size: float, baseline: float) -> bool:
    """Whether a span is set as a superscript of its line."""
    origin: float = last_of(span)["origin"][1]
    return bool(span["size"] <= RAISED_SIZE * size and baseline - origin >= RAISED_BY * size)
