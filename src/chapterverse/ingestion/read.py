"""PDF → pages of lines, by PyMuPDF. The only module here that knows the library's dictionaries.

Lines come back cut wherever MuPDF saw a wide gap (about 0.8 em); `reading_order` joins those that belong together."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, NamedTuple, Self

import pymupdf

from chapterverse.ingestion.blanks import Blanks, Char, blanks_of
from chapterverse.ingestion.marks import Line, Matrix, Page, Style, Token, line_of

FLAGS = pymupdf.TEXT_MEDIABOX_CLIP  # ligatures are expanded; a letter without Unicode is U+FFFD, which the report counts
RAISED_SIZE = 0.86  # a superscript is at most this share of its line's size …
RAISED_BY = 0.12  # … and stands at least this share of it above the baseline
INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
WORD = re.compile(r"\S+")
BLANK: Char = {"c": " "}
BOLD, ITALIC = 16, 2  # MuPDF's span flags
STYLES = 1024  # remembered: far more than a book has


class Span(NamedTuple):
    """A run of characters in one style. text: theirs, a letter each. baseline, y0, y1: of its last character, because MuPDF
    gives a blank after a superscript the height of the superscript."""

    chars: Sequence[Char]
    text: str
    style: Style
    size: float
    baseline: float
    y0: float
    y1: float

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Self:
        """MuPDF's own span, which holds at least one character."""
        chars = raw["chars"]
        style = style_of(raw["font"], raw["size"], raw["flags"], raw["color"])
        _, y0, _, y1 = chars[-1]["bbox"]
        return cls(chars, text_of(chars), style, raw["size"], chars[-1]["origin"][1], y0, y1)


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
    spans = [Span.of(span) for span in raw["spans"] if span["chars"]]
    worded = [span for span in spans if span.text.strip()]
    if not worded:
        return
    ruling = max(worded, key=lambda span: (len(span.chars), span.size))
    tokens = list(tokens_of(corrected(spans, ruling.size), ruling))
    if tokens:
        yield line_of(page, tokens, ruling.baseline)


def corrected(spans: list[Span], size: float) -> list[Span]:
    """The spans of a line with blanks where its words part, and without characters that nobody sees."""
    line = list(chain.from_iterable(span.chars for span in spans))
    text = "".join([span.text for span in spans])
    blanks = blanks_of(line, text, size)
    if not any(blanks) and not INVISIBLE.search(text):
        return spans
    starts = accumulate((len(span.chars) for span in spans), initial=0)
    kept = [list(visible(span.chars, start, blanks)) for span, start in zip(spans, starts, strict=False)]
    return [span._replace(chars=chars, text=text_of(chars)) for span, chars in zip(spans, kept, strict=True)]


def visible(chars: Sequence[Char], start: int, blanks: Blanks) -> Iterator[Char]:
    """The characters of a span as corrected; it begins at place `start` of its line, where no blank is ever missing: a gap
    between two styles is that before the call of a note."""
    for place, char in enumerate(chars, start):
        if place in blanks.missing and place > start:
            yield BLANK
        if place not in blanks.false and not INVISIBLE.match(char["c"]):
            yield char


def tokens_of(spans: Sequence[Span], ruling: Span) -> Iterator[Token]:
    """The words of a line, cut also where the style changes within a word (then the second part is glued)."""
    goes_on = False
    for span in spans:
        chars, text, style, raised = span.chars, span.text, span.style, is_raised(span, ruling)
        for word in WORD.finditer(text):
            start, end = word.span()
            x0, x1 = chars[start]["bbox"][0], chars[end - 1]["bbox"][2]
            yield Token(word[0], x0, span.y0, x1, span.y1, style, goes_on and start == 0, raised)
        goes_on = not text[-1].isspace() if text else goes_on


def text_of(chars: Sequence[Char]) -> str:
    """One letter a character."""
    return "".join([char["c"] for char in chars])


@lru_cache(STYLES)
def style_of(font: str, size: float, flags: int, color: int) -> Style:
    """A span's look; a font's subset prefix ("ABCDEF+") says nothing and is dropped."""
    name = font.rpartition("+")[2]
    bold = bool(flags & BOLD) or "bold" in name.lower()
    italic = bool(flags & ITALIC) or "italic" in name.lower() or "oblique" in name.lower()
    return Style(name, round(size, 1), bold, italic, color)


def is_raised(span: Span, ruling: Span) -> bool:
    """Whether a span is set as a superscript of its line, of which another one rules."""
    return span.size <= RAISED_SIZE * ruling.size and ruling.baseline - span.baseline >= RAISED_BY * ruling.size
