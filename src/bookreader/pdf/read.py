"""Bytes to an open PDF that can be read, or the reason why not; its outline; and its pages of lines by PyMuPDF, whose
dictionaries no other module knows. References: ISO 32000-1, PDF 1.7.

Lines come divided wherever MuPDF saw a wide gap (about 0.8 em); `flow` joins those that belong together. MuPDF's
blanks are corrected for letter-spacing (too many) and tight lines (too few)."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain, pairwise
from statistics import median
from typing import Any, NamedTuple

import pymupdf

from bookreader.book import Limits
from bookreader.errors import BadFile
from bookreader.messages import Message, message
from bookreader.pdf.characters import (
    NOT_EXACT,
    SUPERSCRIPTS,
    Char,
    Span,
    has_small_capitals,
    in_letters,
    in_small_capitals,
    is_fixed,
    is_unnamed,
    parts_of_word,
    place_of,
    put_right,
    width_of,
    with_own_codes,
    with_signs,
    without_guesses,
)
from bookreader.pdf.formulas import ADJACENT, DISPLAY, REACH, SHIFTED, SMALLER, common_size, in_rows, is_large_sign, ruling_span
from bookreader.pdf.model import Line, Matrix, PdfPage, Token, line_of
from bookreader.pdf.page_artefacts import artwork_on, rules_in
from bookreader.source import damaged, refuse_too_large, too_much_memory
from bookreader.text.entries import GOOGLE
from bookreader.text.language import frequency

SPACED = 0.12  # em: letters set further apart than half of this are spaced; a blank adds at least this
WIDER = 1.4  # × the usual gap between spaced letters: a wider one parts words
SIGN_SPACE = 0.03  # × the type size: a sign of mathematics is set off by so much on both sides …
TOUCHING = 0.015  # × the type size: what is so near touches
TIGHTEST, SPREAD = 0.09, 4  # × the type size, and × the usual gap between letters more: blanks are at least so wide
SIGNS = r"=+\u2212×÷±∓<>≤≥≠≈≡∼≃≅∝≪≫∈∉∋⊂⊆⊃⊇∪∩∧∨⊕⊗→←↔⇒⇐⇔↦"
BETWEEN = re.compile(rf"(?<=[^\s(\[{{,;:{SIGNS}])\s?(?P<sign>[{SIGNS}]\u0338?)(?=\s?[^\s)\]}},;:.])")
JOINED = re.compile(r"(?<=\S)\S")  # a letter after another one

# In the sketch of a line "~" is a blank that MuPDF made, " " a real one, "x" any other character: letters standing singly, with
# gaps between them.
SINGLES = re.compile(r"(?<!\S)(?=\S*x)(?=\S*~\S)(?:x?~)+x?(?!\S)")
FLAGS = pymupdf.TEXT_MEDIABOX_CLIP  # ligatures are expanded; a letter without Unicode is U+FFFD, which the report counts
BY_CODE = FLAGS | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE | pymupdf.TEXT_PRESERVE_WHITESPACE
RAISED_BY = 0.12  # × the line's size: a superscript stands at least so far above the baseline
INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
LIGATURE = re.compile(r"([^\W\d_]*f[fil]) (?=([^\W\d_]+))")
WORD = re.compile(r"\S+")
COVERED = 0.5  # share of a page under pictures that makes it a picture of a page
TaggedRows = Mapping[int, Sequence[tuple[float, float, tuple[int, ...]]]]  # by baseline: from where to where, and which block
HEADINGS = {f"H{level}" for level in ("", *range(1, 7))}
BLOCKS = HEADINGS | {"P", "LI", "TD", "TH", "TOCI", "Caption", "Note", "BlockQuote", "Formula", "Code"}
THIN = 1.5  # points: rules are no thicker, copies of a letter no further apart
SIGN = (-0.12, 0.12)  # × the type size: so far below the baseline is a rule that stands for "_" …
BLANK = (-0.05, 0.3)  # … or for a blank to fill in
BOND = -0.42  # × the type size: no further above the baseline is one that stands for "–"
SHORTEST, LONGEST = 0.2, 0.9  # × the type size: as wide is one that stands for "_" or "–"
TIGHT = 0.15  # × the type size: so near to such a sign are its neighbours
PARTED = 0.7  # em: MuPDF parts a line at wider gaps
NO_SIZE = 2.0  # points: no type is so small, but the pixels of which a font is made are
ASCENT, DESCENT = 0.69, 0.22  # × the type size: the height of "b" and the depth of "p" in most fonts
UPRIGHT = 0.9986  # cosine of 3 degrees: that of the direction of lines from left to right is larger
HEADER_WITHIN = 1024  # bytes; readers accept leading bytes before "%PDF-" up to here (PDF 1.7, appendix H.3, note 13)
# first bytes in small letters, what else the file must contain, name of the format
OTHER_FORMATS: Sequence[tuple[bytes | tuple[bytes, ...], bytes, str]] = (
    (b"pk\x03\x04", b"word/", "looks_word"),
    (b"pk\x03\x04", b"application/epub", "looks_epub"),
    (b"pk\x03\x04", b"opendocument", "looks_opendocument"),
    (b"pk\x03\x04", b"xl/", "looks_spreadsheet"),
    (b"pk\x03\x04", b"ppt/", "looks_presentation"),
    (b"pk\x03\x04", b"", "looks_zip"),
    (b"\xd0\xcf\x11\xe0", b"", "looks_old_office"),
    (b"{\\rtf", b"", "looks_rtf"),
    (b"{", GOOGLE, "looks_google"),
    (b"%!ps", b"", "looks_postscript"),
    ((b"\xff\xd8\xff", b"\x89png", b"gif8", b"ii*\x00", b"mm\x00*"), b"", "looks_picture"),
    ((b"<!doctype html", b"<html"), b"", "looks_web_page"),
    (b"<?xml", b"", "looks_xml"),
)
TEXT_LOST = (  # MuPDF's warnings when a page is incomplete; it continues with the rest
    "read error; treating as end of file",
    "premature end of data",
    "zlib error",  # also wrong checksums: then letters are wrong, or all text after a garbled operator is lost
    "non-page object in page tree",
)


def narrow_blanks(chars: Sequence[Char], text: str, size: float) -> frozenset[int]:
    """Characters before which a blank belongs that MuPDF does not see: apart, while letters elsewhere all but touch."""
    if not any(b["bbox"][0] - a["bbox"][2] >= TIGHTEST * size for a, b in pairwise(chars)):  # as in most lines
        return frozenset()
    pairs = ((i, chars[i]["origin"][1] - chars[i - 1]["origin"][1]) for i in (found.start() for found in JOINED.finditer(text)))
    gaps = {i: gap_before(chars, i) for i, rise in pairs if abs(rise) < TOUCHING * size}
    least = TIGHTEST * size + SPREAD * max(0.0, median(gaps.values() or (0.0,)))
    return frozenset(i for i, gap in gaps.items() if gap >= least and text[i] not in ".,;:!?…()[]")


def blanks_at_signs(chars: Sequence[Char], text: str, size: float) -> frozenset[int]:
    """Characters before which a blank belongs, because they are a sign of mathematics between two parts, or follow one.

    Such a sign is set apart on both sides, often by less than a blank; MuPDF sees at most one of them."""
    found: set[int] = set()
    for sign in BETWEEN.finditer(text):
        left, right = sign.span("sign")
        before = 1.0 if text[left - 1].isspace() else gap_before(chars, left) / size
        after = 1.0 if text[right].isspace() else gap_before(chars, right) / size
        if min(before, after) >= TOUCHING and (max(before, after) >= SPACED or before + after >= 2 * SIGN_SPACE):
            found |= {i for i, at in ((left, left - 1), (right, right)) if not text[at].isspace()}
    return frozenset(found)


def false_blanks(chars: Sequence[Char], text: str, size: float) -> frozenset[int]:
    """Gaps that MuPDF took for blanks between s p a c e d letters, and blanks after ligatures ("fi lm", of some programs)."""
    gaps = [i for i, letter in enumerate(text) if letter == " " and chars[i]["synthetic"]]
    ligatures = (found for found in LIGATURE.finditer(text) if not width_of(chars[found.end(1) - 1]))
    divided = frozenset(found.end(1) for found in ligatures if is_divided(found[1].lower(), found[2].lower()))
    if not gaps:
        return divided
    between = [gap_before(chars, found.start()) for found in JOINED.finditer(text)]
    spacing = median(between) if between else 0.0
    min_width = spacing + SPACED * size if spacing > SPACED / 2 * size else 0.0  # more than that between spaced letters
    inner = (i for i in gaps if text[i - 1 : i].isalpha() and text[i + 1 : i + 2].isalpha())
    return divided.union((i for i in inner if width_of(chars[i]) < min_width), between_letters(chars))


def is_divided(left: str, right: str) -> bool:
    """Whether two parts are one English word, and at least one of them is none."""
    return bool(frequency(left + right)) and not (frequency(left) and frequency(right))


def between_letters(chars: Sequence[Char]) -> Iterator[int]:
    """Gaps of about one width between single letters."""
    sketch = "".join(["~" if char["synthetic"] else " " if char["c"].isspace() else "x" for char in chars])
    for run in SINGLES.finditer(sketch):
        gaps = [i for i in range(*run.span()) if chars[i]["synthetic"]]
        widest = WIDER * median(width_of(chars[i]) for i in gaps)
        yield from (i for i in gaps if width_of(chars[i]) <= widest)


def gap_before(chars: Sequence[Char], i: int) -> float:
    """Points between a character and the one before it."""
    return float(chars[i]["bbox"][0] - chars[i - 1]["bbox"][2])


def read_pages(document: pymupdf.Document, progress: Callable[[int, int], None] | None = None) -> list[PdfPage]:
    """Every page with its upright lines. progress(done, total) is called after each page with text."""
    pages: list[PdfPage] = []
    done, total, bitmaps = 0, document.page_count, bitmaps_of(document)
    tagged = document.xref_get_key(document.pdf_catalog(), "StructTreeRoot")[0] != "null"
    for index in range(total):
        pages.append(read_page(document, index, bitmaps, tagged=tagged))
        done += bool(pages[-1].lines)
        if progress and pages[-1].lines:
            progress(done, total)
    return pages


def is_covered(page: pymupdf.Page) -> bool:
    """Whether pictures cover most of the page."""
    area = sum(abs((pymupdf.Rect(image["bbox"]) & page.rect).get_area()) for image in page.get_image_info())
    return bool(area >= COVERED * page.rect.get_area())


def read_page(document: pymupdf.Document, index: int, bitmaps: "Bitmaps", *, tagged: bool) -> PdfPage:
    """One page; text in another direction than most of the page (a diagonal watermark, a spine title) is left out."""
    found, to_display = upright_lines(page := document[index])
    drawn = page.get_bboxlog()
    if bitmaps.sizes:
        found = list(joined_at_kerns(found, bitmaps.sizes))
    raw = in_letters([[Span.of(span) for span in line["spans"] if span["chars"]] for line in printed_once(found)])
    if any(span.style.font in bitmaps.texts for each in raw for span in each):
        codes = codes_on(page, bitmaps.texts.keys())
        raw = [[with_own_codes(span, codes) if span.style.font in bitmaps.texts else span for span in each] for each in raw]
    spans = [put_right(with_signs(each)) for each in without_guesses(raw, bitmaps.texts, bitmaps.fixed)]
    if bitmaps.capitals:
        spans = [[in_small_capitals(span) if span.style.font in bitmaps.capitals else span for span in each] for each in spans]
    if need_rows(spans):
        spans = in_rows(spans)
    blocks = tagged_blocks(page) if tagged else {}
    size = page.rect.width, page.rect.height
    found_lines = with_blanks([line for each in spans for line in lines_of(each, index, blocks)], drawn)
    artwork, lines = artwork_on(size, drawn, found_lines)
    images, rules = len(page.get_images()), rules_in(drawn)
    return PdfPage(index, *size, page.get_label(), tuple(lines), images, to_display, artwork=artwork, rules=rules)


def tagged_blocks(page: pymupdf.Page) -> TaggedRows:
    """The text of a page with the blocks that a tagged PDF names for those who listen (PDF 1.7, 14.7)."""
    rows = defaultdict[int, list[tuple[float, float, tuple[int, ...]]]](list)
    read = page.get_textpage(flags=FLAGS | pymupdf.TEXT_COLLECT_STRUCTURE)
    for block, span in spans_in_blocks(read.extractDICT()["blocks"]):
        rows[round(span["origin"][1])].append((span["bbox"][0] - TOUCHING * span["size"], span["bbox"][2], block))
    return rows


def spans_in_blocks(found: Iterable[dict[str, Any]]) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    """Each span of MuPDF with the innermost block that holds it, however deep."""
    left: list[tuple[dict[str, Any], tuple[int, ...], tuple[int, ...]]] = [(each, (), ()) for each in reversed(list(found))]
    while left:
        each, path, block = left.pop()
        if "lines" in each and block:
            yield from ((block, span) for line in each["lines"] for span in line["spans"])
        elif "blocks" in each:
            own = (*path, each["index"])
            block = own if str(each["std"]) in BLOCKS else block
            left += [(inner, own, block) for inner in reversed(each["blocks"])]


def block_at(rows: TaggedRows, x: float, baseline: float) -> tuple[int, ...]:
    """The block of the text that begins, or goes on, at that place."""
    near = (row for step in (0, -1, 1) for row in rows.get(round(baseline) + step, ()))
    return next((block for x0, x1, block in near if x0 <= x < x1), ())


def printed_once(lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines without what is printed anew a hair beside itself, as some programs make bold type: lines, and their words."""
    places: defaultdict[str, list[tuple[float, ...]]] = defaultdict(list)
    letters: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    rows: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    new: list[dict[str, Any]] = []  # lines that are not in `letters` yet
    for line in lines:
        x0, y0, x1, y1 = line["bbox"]
        own = places[text_of(line)]
        level = [(a, c) for a, b, c, d in own if abs(b - y0) <= THIN and abs(d - y1) <= THIN]
        own.append(line["bbox"])
        if any(min(right, x1) - max(left, x0) > (x1 - x0) / 2 for left, right in level):
            continue
        row = round(y1 / THIN)
        if any(left < x1 and x0 < right for near in (row - 1, row, row + 1) for left, right in rows[near]):
            for char in (char for each in new for span in each["spans"] for char in span["chars"]):
                letters[char["c"]].append(char["origin"])
            new.clear()
            drop_copies(line, letters)
        rows[row].append((x0, x1))
        new.append(line)
        if line["spans"]:
            yield line


def text_of(line: dict[str, Any]) -> str:
    """What MuPDF reads in a line."""
    return "".join([char["c"] for span in line["spans"] for char in span["chars"]])


def drop_copies(line: dict[str, Any], letters: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Take the words from a line of which a letter is printed already: whole, lest a narrow letter be left of one."""
    chars = [char for span in line["spans"] for char in span["chars"]]
    known = [is_at(char, letters.get(char["c"], ())) for char in chars]
    words = [word.span() for word in WORD.finditer(text_of(line))]
    copied = {id(char) for start, end in words if any(known[start:end]) for char in chars[start:end]}
    for span in line["spans"]:
        span["chars"] = [char for char in span["chars"] if id(char) not in copied]
    line["spans"] = [span for span in line["spans"] if span["chars"]] if text_of(line).strip() else []


def is_at(char: Char, places: Iterable[tuple[float, float]]) -> bool:
    """Whether a letter stands, but for a hair, at one of these places."""
    (x, y), near = char["origin"], min(THIN, width_of(char) / 2)
    return any(abs(left - x) <= near and abs(baseline - y) <= THIN for left, baseline in places)


def with_blanks(lines: list[Line], drawn: Any) -> list[Line]:
    """The lines with "____" where a rule by itself is drawn beside words, a little below them, and nothing stands on it: a
    blank to fill in, not exact. A short one between two letters is "_", as TeX draws that sign, or, higher, the bond of a
    molecule, "–", not exact."""
    shapes, out = [box for kind, box in drawn if kind in ("fill-path", "stroke-path")], list(lines)
    for left, top, right, bottom in (box for box in shapes if box[3] - box[1] <= THIN and box[0] < box[2]):
        level = [at for at, line in enumerate(out) if BOND <= (bottom - line.baseline) / max(line.size, 1) <= BLANK[1]]
        off = {at: min(max(left - t.x1, t.x0 - right) for t in out[at].tokens) for at in level}
        beside = [at for at in level if -1 <= off[at] <= out[at].size]
        if not beside:
            continue
        at = min(beside, key=lambda at: (bottom < out[at].baseline + SIGN[0] * out[at].size, off[at]))
        line = out[at]
        before, after = ([t for t in line.tokens if (t.x0 > left) is later] for later in (False, True))
        low, width = ((length / max(line.size, 1)) for length in (bottom - line.baseline, right - left))
        inside = bool(before and after) and max(left - before[-1].x1, after[0].x0 - right) <= TIGHT * line.size
        is_sign = inside and SHORTEST <= width <= LONGEST and low <= SIGN[1]
        near = (a <= right + 1 and left <= c + 1 and b <= bottom + 1 and top <= d + 1 for a, b, c, d in shapes)
        if is_sign or (width >= 1 and low >= BLANK[0] and sum(near) == 1):
            after[:1] = [t._replace(glued=is_sign or t.text[0] in ".,;:!?)") for t in after[:1]]
            text = "–" if low < SIGN[0] else "_" if is_sign else "____"
            blank = Token(text, left, line.y0, right, line.y1, line.style, glued=is_sign, exact=text == "_")
            out[at] = line_of(line.page, [*before, blank, *after], line.baseline)
    return out


class Bitmaps(NamedTuple):
    """Fonts made of pixels or drawings, as old TeX files have them. sizes: in points, of those whose file gives the size of a
    pixel. texts: all that is set in each, by its codes. fixed: those of one width. capitals: those with small capitals."""

    sizes: Mapping[str, float]
    texts: Mapping[str, str]
    fixed: frozenset[str]
    capitals: frozenset[str]


def bitmaps_of(document: pymupdf.Document) -> Bitmaps:
    """The document's fonts made of pictures; sizes by the height of their letters."""
    heights: defaultdict[str, list[float]] = defaultdict(list)
    texts: defaultdict[str, list[str]] = defaultdict(list)
    steps: defaultdict[str, Counter[float]] = defaultdict(Counter)
    shapes: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for index in range(document.page_count):
        if any(kind == "Type3" for _, _, kind, *_ in document.get_page_fonts(index)):
            lines = raw_lines(document[index], BY_CODE | pymupdf.TEXT_ACCURATE_BBOXES)
            for span in (span for line in lines for span in line["spans"] if is_unnamed(span["font"].rpartition("+")[2])):
                font, chars = span["font"].rpartition("+")[2], span["chars"]
                texts[font] += [char["c"] for char in chars]
                steps[font].update(round(b["origin"][0] - a["origin"][0], 1) for a, b in pairwise(chars))
                shapes[font] |= {c["c"]: c["origin"][1] - c["bbox"][1] for c in chars}
                if span["size"] < NO_SIZE:
                    heights[span["font"]] += [char["origin"][1] - char["bbox"][1] for char in chars]
    sizes = {font: round(max(above) / ASCENT, 1) for font, above in heights.items() if max(above) > 0}
    fixed = frozenset(font for font, widths in steps.items() if is_fixed(widths))
    capitals = frozenset(font for font, shape in shapes.items() if has_small_capitals(shape))
    return Bitmaps(sizes, {font: "".join(text) for font, text in texts.items()}, fixed, capitals)


def joined_at_kerns(lines: Iterable[dict[str, Any]], sizes: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    """MuPDF's lines in their true sizes; those are joined that a kern or blank parted, which is wide for a size of a pixel."""
    last: dict[str, Any] | None = None
    for line in lines:
        for span in line["spans"]:
            set_size(span, sizes.get(span["font"], span["size"]))
        if last and (gap := gap_after(last["spans"][-1], line["spans"][0])) is not None:
            if gap >= SPACED:
                last["spans"][-1]["chars"].append(blank_between(last["spans"][-1], line["spans"][0]))
            last["spans"] += line["spans"]
            continue
        if last:
            yield last
        last = line
    if last:
        yield last


def gap_after(before: dict[str, Any], span: dict[str, Any]) -> float | None:
    """How far a span follows another on its baseline, in ems; None if MuPDF would part them in any type."""
    last, first, size = before["chars"][-1], span["chars"][0], max(before["size"], span["size"])
    gap = (first["bbox"][0] - last["bbox"][2]) / size
    level = abs(last["origin"][1] - first["origin"][1]) < TOUCHING * size
    return float(gap) if level and abs(gap) < PARTED else None


def blank_between(before: dict[str, Any], span: dict[str, Any]) -> Char:
    """The gap between two spans as MuPDF gives it within a line."""
    last, first = before["chars"][-1], span["chars"][0]
    x0, y0, x1, y1 = last["bbox"][2], last["bbox"][1], first["bbox"][0], last["bbox"][3]
    return {**last, "c": " ", "bbox": (x0, y0, x1, y1), "origin": (x0, last["origin"][1]), "synthetic": True}


def set_size(span: dict[str, Any], size: float) -> None:
    """Give a span of MuPDF that type size, and its characters the height of such type."""
    if size == span["size"]:
        return
    span["size"] = size
    for char in span["chars"]:
        x0, _, x1, _ = char["bbox"]
        char["bbox"] = (x0, char["origin"][1] - ASCENT * size, x1, char["origin"][1] + DESCENT * size)


def upright_lines(page: pymupdf.Page) -> tuple[list[dict[str, Any]], Matrix | None]:
    """The page's upright lines, and the matrix to the page as displayed if it is displayed rotated (/Rotate).

    A page that is sideways in the file and displayed upright is rotated first. Both change only our copy."""
    matrix = page.rotation_matrix
    page_matrix = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f) if page.rotation else None
    found = raw_lines(page)
    upright = [line for line in found if line["dir"][0] > UPRIGHT]
    if page_matrix is None or 2 * len(upright) > len(found):
        page.set_rotation(0)
        return upright, page_matrix
    page.remove_rotation()
    return [line for line in raw_lines(page) if line["dir"][0] > UPRIGHT], None


def raw_lines(page: pymupdf.Page, flags: int = FLAGS) -> list[dict[str, Any]]:
    """MuPDF's lines of text, in coordinates of the page before rotation."""
    blocks = page.get_textpage(flags=flags).extractRAWDICT()["blocks"]
    return [line for block in blocks if block["type"] == 0 for line in block["lines"]]


def need_rows(lines: Sequence[list[Span]]) -> bool:
    """Whether the lines of a page hold more than words and raised signs: only then they are put in rows."""
    ruled = [(ruling, spans) for spans in lines if (ruling := ruling_span(spans))]
    if any(holds_more(spans, ruling) for ruling, spans in ruled):
        return True
    largest = DISPLAY * common_size(ruling for ruling, _ in ruled) if ruled else 0.0
    ruled = [pair for pair in ruled if pair[0].size <= largest]
    ruled.sort(key=lambda pair: pair[0].baseline)
    for i, (ruling, spans) in enumerate(ruled):
        for other, others in ruled[i + 1 :]:
            if other.baseline - ruling.baseline > REACH * max(ruling.size, other.size):
                break
            if is_float_of(ruling, spans, other, others) or is_float_of(other, others, ruling, spans):
                return True
    return False


def holds_more(spans: Sequence[Span], ruling: Span) -> bool:
    """Whether a line holds a large sign, or a lowered run."""
    low = ruling.baseline + SHIFTED * ruling.size
    return any(
        (span.baseline > low and span.size <= SMALLER * ruling.size and span.text.strip()) or is_large_sign(span)
        for span in spans
    )


def is_float_of(small: Span, spans: Sequence[Span], large: Span, others: Sequence[Span]) -> bool:
    """Whether a line in small type is beside, above or below a line in larger type, nearer than lines are."""
    if small.size > SMALLER * large.size or abs(small.baseline - large.baseline) < SHIFTED * large.size:
        return False
    room = ADJACENT * large.size
    return edge(others, 0) - room <= edge(spans, 1) and edge(spans, 0) <= edge(others, 1) + room


def edge(spans: Sequence[Span], side: int) -> float:
    """The left (0) or right (1) edge of a line."""
    return float(spans[0].chars[0]["bbox"][0] if side == 0 else spans[-1].chars[-1]["bbox"][2])


def codes_on(page: pymupdf.Page, fonts: Container[str]) -> dict[tuple[float, float], str]:
    """The codes of all characters in these fonts, by their places: MuPDF gives them if asked for those of unknown glyphs."""
    spans = (span for line in raw_lines(page, BY_CODE) for span in line["spans"])
    return {place_of(c): c["c"] for span in spans if span["font"].rpartition("+")[2] in fonts for c in span["chars"]}


def lines_of(spans: list[Span], page: int, blocks: "TaggedRows") -> Iterator[Line]:
    """The line of these spans; nothing if it holds only blanks."""
    ruling = ruling_span(spans)
    if ruling is None:
        return
    tokens = list(tokens_of(corrected(spans, ruling.size), ruling, blocks))
    if tokens:
        yield line_of(page, tokens, ruling.baseline)


def corrected(spans: list[Span], size: float) -> list[Span]:
    """The spans of a line with blanks between words and without invisible characters."""
    line = list(chain.from_iterable(span.chars for span in spans))
    text = "".join([span.text for span in spans])
    starts = list(accumulate((len(span.chars) for span in spans), initial=0))
    missing = blanks_at_signs(line, text, size) | narrow_blanks(line, text, size)
    false = false_blanks(line, text, size)
    if not (missing or false or INVISIBLE.search(text)):
        return spans
    trimmed = [list(visible(span.chars, start, missing, false)) for span, start in zip(spans, starts, strict=False)]
    return [span.with_chars(chars) for span, chars in zip(spans, trimmed, strict=True)]


def visible(chars: Sequence[Char], start: int, missing: Container[int], false: Container[int]) -> Iterator[Char]:
    """The corrected characters of a span that begins at index `start` of its line, with missing and without false blanks."""
    for place, char in enumerate(chars, start):
        if place in missing:
            yield {"c": " "}
        if place not in false and not INVISIBLE.match(char["c"]):
            yield char


def tokens_of(spans: Sequence[Span], ruling: Span, blocks: "TaggedRows") -> Iterator[Token]:
    """The words of a line, divided also where the style changes within a word (then the second part is glued)."""
    goes_on = False
    for span in spans:
        chars, text, style, rise = *span[:2], span.style, ruling.baseline - span.baseline
        small = span.size <= SMALLER * ruling.size  # as superscripts and subscripts are
        raised, lowered = small and rise >= RAISED_BY * ruling.size, small and -rise >= SHIFTED * ruling.size
        for word in WORD.finditer(text):
            whole = ((*word.span(), False),)
            for start, end, is_call in whole if word[0].isalpha() else parts_of_word(chars, word, span.size):
                x0, x1, part = chars[start]["bbox"][0], chars[end - 1]["bbox"][2], text[start:end]
                exact = span.exact and (text.isascii() or not NOT_EXACT.search(part))
                part = part.translate(SUPERSCRIPTS) if is_call else part
                glued = start > word.start() or (goes_on and start == 0)
                own = block_at(blocks, x0, span.baseline) if blocks else ()
                yield Token(part, x0, span.y0, x1, span.y1, style, glued, raised or is_call, lowered, exact, block=own)
        goes_on = not text[-1].isspace() if text else goes_on


def open_pdf(pdf: bytes, limits: Limits) -> pymupdf.Document:
    """An open document with 1 to limits.pages pages, none of them known to be cut off.

    A file that needs no password for reading opens, even if it forbids printing or copying: only the user password prevents
    reading (PDF 1.7, 7.6.3.1). Whether the pages have text is not checked here. Switches MuPDF's messages off for the whole
    process. Raises BadFile: too_many_bytes, not_a_pdf, damaged, encrypted, no_pages, too_many_pages, too_much_memory."""
    refuse_too_large(len(pdf), limits)
    refuse_other_formats(pdf)
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with mupdf_errors_as_ours():
        document = pymupdf.open(stream=pdf, filetype="pdf")
        if document.needs_pass:
            raise BadFile("encrypted", "pdf_has_password")
        refuse_page_count(document.page_count, limits)
        # a file ends with %%EOF (PDF 1.7, 7.5.5); MuPDF repairs one that is cut off; other programs add data, but no objects
        if document.is_repaired and pdf.rfind(b"%%EOF") < pdf.rfind(b"endobj"):
            raise damaged("pdf_end_missing")
        refuse_lost_text(document)
    return document


@contextmanager
def mupdf_errors_as_ours() -> Iterator[None]:
    """Turn the errors of PyMuPDF 1.28 into BadFile: FileDataError, and MuPDF's RuntimeError, ValueError and the like."""
    try:
        yield
    except MemoryError as error:
        raise too_much_memory() from error
    except (RuntimeError, ValueError, IndexError, KeyError, TypeError, pymupdf.mupdf.FzErrorBase) as error:
        if "alloc (" in str(error):
            raise too_much_memory() from error
        raise damaged() from error


def refuse_other_formats(pdf: bytes) -> None:
    """Raises BadFile: not_a_pdf, with what the file looks like."""
    if not pdf:
        raise BadFile("not_a_pdf", "pdf_empty")
    if b"%PDF-" not in pdf[:HEADER_WITHIN]:
        raise BadFile("not_a_pdf", "not_a_pdf", looks_like=look_of(pdf))


def look_of(data: bytes) -> Message:
    """What the bytes seem to be: "a Word document"."""
    start = data[:HEADER_WITHIN].lstrip().lower()
    for magic, inside, name in OTHER_FORMATS:
        if start.startswith(magic) and inside in data:
            return message(name)
    return message("looks_plain_text" if b"\x00" not in data[:HEADER_WITHIN] and start.isascii() else "looks_unknown")


def refuse_page_count(pages: int, limits: Limits) -> None:
    """Raises BadFile: no_pages, too_many_pages."""
    if pages < 1:
        raise BadFile("no_pages", "pdf_without_pages")
    if pages > limits.pages:
        raise BadFile("too_many_pages", "pdf_too_many_pages", pages=pages, max_pages=limits.pages)


def refuse_lost_text(document: pymupdf.Document) -> None:
    """Unpack the content of each page, because text after a damaged place would be lost silently. Raises BadFile: damaged."""
    pymupdf.TOOLS.reset_mupdf_warnings()
    for number in range(document.page_count):
        contents = document[number].get_contents()
        whole = all(document.xref_is_stream(xref) and document.xref_stream(xref) is not None for xref in contents)
        warnings = pymupdf.TOOLS.mupdf_warnings()
        if not whole or any(words in warnings for words in TEXT_LOST):
            raise damaged("pdf_page_damaged", page=number + 1)
