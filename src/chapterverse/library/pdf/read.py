"""Pages of lines from a PDF by PyMuPDF. The only module that knows the library's dictionaries.

Lines come divided wherever MuPDF saw a wide gap (about 0.8 em); `reading_order` joins those that belong together. MuPDF's
blanks are corrected for letter-spacing (too many) and tight lines (too few).

Characters are PyMuPDF's dictionaries: "c" the character, "bbox" its box, "synthetic" whether MuPDF made it from a gap. A line
has its characters and its text, letter by letter; an index counts in both."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from statistics import median
from typing import Any, NamedTuple, Self

import pymupdf

from chapterverse.library.pdf.model import Line, Matrix, PdfPage, TextStyle, Token, line_of

Char = dict[str, Any]
SPACED = 0.12  # em: letters set further apart than half of this are spaced; a blank adds at least this
WIDER = 1.4  # × the usual gap between spaced letters: a wider one parts words
TIGHT = 0.6  # × the line's usual blank: a gap after a stop that is at least so wide is one
AFTER_STOP = re.compile(r"(?<=[.,;:!?”’)…])\S")
JOINED = re.compile(r"(?<=\S)\S")  # a letter after another one

# In the sketch of a line "x" is a letter and "~" a blank that MuPDF made: letters standing singly, with gaps between them.
SINGLES = re.compile(r"(?<!\S)(?=\S*x)(?=\S*~\S)(?:x?~)+x?(?!\S)")


class Blanks(NamedTuple):
    """Corrections of a line, by index of characters. false: not a blank. missing: a blank belongs before these."""

    false: frozenset[int]
    missing: frozenset[int]


def blanks_of(chars: Sequence[Char], text: str, size: float) -> Blanks:
    """The corrections for one line of characters in type of `size` points."""
    return Blanks(false_blanks(chars, text, size), missing_blanks(chars, text, size))


def missing_blanks(chars: Sequence[Char], text: str, size: float) -> frozenset[int]:
    """Characters after a stop nearly as far from it as this line's words are apart: tight lines lose such blanks."""
    after = [found.start() for found in AFTER_STOP.finditer(text)]
    if not after:
        return frozenset()
    usual = [width_of(char) for char, letter in zip(chars, text, strict=True) if letter == " "]
    min_width = max(SPACED * size, TIGHT * median(usual)) if len(usual) > 1 else size
    return frozenset(i for i in after if gap_before(chars, i) >= min_width)


def false_blanks(chars: Sequence[Char], text: str, size: float) -> frozenset[int]:
    """Gaps that MuPDF took for blanks between s p a c e d letters."""
    gaps = [i for i, letter in enumerate(text) if letter == " " and chars[i]["synthetic"]]
    if not gaps:
        return frozenset()
    min_width = min_blank(chars, text, size)
    inner = (i for i in gaps if text[i - 1 : i].isalpha() and text[i + 1 : i + 2].isalpha())
    return frozenset([*(i for i in inner if width_of(chars[i]) < min_width), *between_letters(chars)])


def min_blank(chars: Sequence[Char], text: str, size: float) -> float:
    """Minimum width of a blank in points: in a line with spaced letters, more than the spacing."""
    gaps = [gap_before(chars, found.start()) for found in JOINED.finditer(text)]
    spacing = median(gaps) if gaps else 0.0
    return spacing + SPACED * size if spacing > SPACED / 2 * size else 0.0


def between_letters(chars: Sequence[Char]) -> Iterator[int]:
    """Gaps of about one width between single letters."""
    for run in SINGLES.finditer(sketch_of(chars)):
        gaps = [i for i in range(*run.span()) if chars[i]["synthetic"]]
        widest = WIDER * median(width_of(chars[i]) for i in gaps)
        yield from (i for i in gaps if width_of(chars[i]) <= widest)


def sketch_of(chars: Iterable[Char]) -> str:
    """A line with "~" for each gap that MuPDF took for a blank, a blank for each real one, and "x" for any other character."""
    return "".join(["~" if char["synthetic"] else " " if char["c"].isspace() else "x" for char in chars])


def gap_before(chars: Sequence[Char], i: int) -> float:
    """Points between a character and the one before it."""
    return float(chars[i]["bbox"][0] - chars[i - 1]["bbox"][2])


def width_of(char: Char) -> float:
    return float(char["bbox"][2] - char["bbox"][0])


FLAGS = pymupdf.TEXT_MEDIABOX_CLIP  # ligatures are expanded; a letter without Unicode is U+FFFD, which the report counts
RAISED_SIZE = 0.86  # a superscript is at most this share of its line's size …
RAISED_BY = 0.12  # … and stands at least this share of it above the baseline
INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
WORD = re.compile(r"\S+")
BLANK: Char = {"c": " "}
BOLD, ITALIC = 16, 2  # MuPDF's span flags
STYLES = 1024  # cached: far more than a book has


class Span(NamedTuple):
    """A run of characters in one style. text: one letter each. baseline, y0, y1: of its last character, because MuPDF gives a
    blank after a superscript the height of the superscript."""

    chars: Sequence[Char]
    text: str
    style: TextStyle
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


def read_pages(document: pymupdf.Document, progress: Callable[[int, int], None] | None = None) -> list[PdfPage]:
    """Every page with its upright lines. progress(done, total) is called after each page."""
    pages = []
    total = document.page_count
    for index in range(total):
        pages.append(read_page(document, index))
        if progress:
            progress(index + 1, total)
    return pages


def read_page(document: pymupdf.Document, index: int) -> PdfPage:
    """One page; text in another direction than most of the page (a diagonal watermark, a spine title) is left out."""
    page = document[index]
    found, to_display = upright_lines(page)
    lines = [line for each in found for line in lines_of(each, index)]
    width, height = page.rect.width, page.rect.height
    return PdfPage(index, width, height, page.get_label(), tuple(lines), len(page.get_images()), to_display)


def upright_lines(page: pymupdf.Page) -> tuple[list[dict[str, Any]], Matrix | None]:
    """The page's upright lines, and the matrix to the page as displayed if it is displayed rotated (/Rotate).

    A page that is sideways in the file and displayed upright is rotated first. Both change only our copy."""
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
    """MuPDF's lines of text, in coordinates of the page before rotation."""
    blocks = page.get_textpage(flags=FLAGS).extractRAWDICT()["blocks"]
    return [line for block in blocks if block["type"] == 0 for line in block["lines"]]


def is_upright(line: dict[str, Any]) -> bool:
    """Whether the line runs from left to right, within 3 degrees."""
    cosine, _ = line["dir"]
    return bool(cosine > 0.9986)


def lines_of(raw: dict[str, Any], page: int) -> Iterator[Line]:
    """The line; nothing if it holds only blanks."""
    spans = [Span.of(span) for span in raw["spans"] if span["chars"]]
    worded = [span for span in spans if span.text.strip()]
    if not worded:
        return
    ruling = max(worded, key=lambda span: (len(span.chars), span.size))
    tokens = list(tokens_of(corrected(spans, ruling.size), ruling))
    if tokens:
        yield line_of(page, tokens, ruling.baseline)


def corrected(spans: list[Span], size: float) -> list[Span]:
    """The spans of a line with blanks between words and without invisible characters."""
    line = list(chain.from_iterable(span.chars for span in spans))
    text = "".join([span.text for span in spans])
    blanks = blanks_of(line, text, size)
    if not any(blanks) and not INVISIBLE.search(text):
        return spans
    starts = accumulate((len(span.chars) for span in spans), initial=0)
    kept = [list(visible(span.chars, start, blanks)) for span, start in zip(spans, starts, strict=False)]
    return [span._replace(chars=chars, text=text_of(chars)) for span, chars in zip(spans, kept, strict=True)]


def visible(chars: Sequence[Char], start: int, blanks: Blanks) -> Iterator[Char]:
    """The corrected characters of a span that begins at index `start` of its line.

    No blank is missing at its beginning: a gap between two styles is the one before the call of a note."""
    for place, char in enumerate(chars, start):
        if place in blanks.missing and place > start:
            yield BLANK
        if place not in blanks.false and not INVISIBLE.match(char["c"]):
            yield char


def tokens_of(spans: Sequence[Span], ruling: Span) -> Iterator[Token]:
    """The words of a line, divided also where the style changes within a word (then the second part is glued)."""
    goes_on = False
    for span in spans:
        chars, text, style, raised = span.chars, span.text, span.style, is_raised(span, ruling)
        for word in WORD.finditer(text):
            start, end = word.span()
            x0, x1 = chars[start]["bbox"][0], chars[end - 1]["bbox"][2]
            yield Token(word[0], x0, span.y0, x1, span.y1, style, goes_on and start == 0, raised)
        goes_on = not text[-1].isspace() if text else goes_on


def text_of(chars: Sequence[Char]) -> str:
    """The characters as text, one letter each."""
    return "".join([char["c"] for char in chars])


@lru_cache(STYLES)
def style_of(font: str, size: float, flags: int, color: int) -> TextStyle:
    """A span's style; the font's subset prefix ("ABCDEF+") is dropped."""
    name = font.rpartition("+")[2]
    bold = bool(flags & BOLD) or "bold" in name.lower()
    italic = bool(flags & ITALIC) or "italic" in name.lower() or "oblique" in name.lower()
    return TextStyle(name, round(size, 1), bold, italic, color)


def is_raised(span: Span, ruling: Span) -> bool:
    """Whether a span is a superscript in its line, whose main span is given."""
    return span.size <= RAISED_SIZE * ruling.size and ruling.baseline - span.baseline >= RAISED_BY * ruling.size
