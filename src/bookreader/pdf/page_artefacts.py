"""Page artefacts: running heads, folios, repeated footers and watermarks, taken off every page.

Two kinds of evidence, without rules for styles: a line stands outside the frame at a height where many pages have one, or the
same words recur at the same place on many pages.

Also what stands within the frame and is no prose either: licences, imprints, the heads of forms, and lists (references, an
index, contents). A section of these is known by its heading, and believed if its entries look like what it says; what stands
without a heading is known by its own words."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bookreader.book import Kind
from bookreader.pdf.displays.names import DIVISION_ONLY
from bookreader.pdf.displays.tables import LEADER
from bookreader.pdf.flow import APART, FlowLine
from bookreader.pdf.frame import (
    Frame,
    Leaf,
    is_body_size,
    is_margin_number,
    leaf_of,
)
from bookreader.pdf.model import Line, PdfPage

OUTSIDE = 0.6  # of the leading: so far above the first or below the last line of a full page, a row is outside the frame
BAND_SHARE = 0.08  # of the pages: so many have a row at this height outside the frame
REPEAT_SHARE = 0.3  # of the pages: so many carry the same words at the same place around the text …
STAMP_SHARE = 0.6  # … or within it
FEW_NUMBERS = 2  # in a side margin: more are line numbers, not folios
DISPLAY = 1.25  # × the body's size: running heads are not set so large
LONG = 0.5  # of a full line: a line so long is text
NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
FOLIO = re.compile(r"^\W*(?:(?:page|p\.?|pp\.?)\s*)?(?:\d{1,4}|[ivxlcdm]{1,9})(?:\s*(?:of|/)\s*\d+)?\W*$", re.IGNORECASE)


class MarginText(NamedTuple):
    """Words at a height (in steps of 4 points), in type of a size."""

    words: str
    height: int
    size: int


class Bands(NamedTuple):
    """Heights at which many pages have a line: above or below the frame, and in the side margins. numbers: left edges of those
    in the margins, in points, that are too many on a page for folios."""

    outside: set[int]
    margins: set[int]
    numbers: set[int]


def remove_artefacts(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> list[PdfPage]:
    """Every page without its artefacts, from which folios are read."""
    bands = common_bands(pages, frames)
    repeated = repeated_lines(pages, frames)
    heads = chapter_heads(pages, frames)
    return [part(page, frames[leaf_of(page)], bands, repeated, heads.get(page.index, ())) for page in pages]


def numbered_edges(page: PdfPage, frame: Frame) -> set[int]:
    """Left edges of the numbers in the margins of a page, in points, if they are too many for folios."""
    numbers = [line for line in page.lines if is_companion(line, frame) and is_margin_number(line.text)]
    return {round(line.x0) for line in numbers} if len(numbers) > FEW_NUMBERS else set()


def chapter_heads(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> dict[int, list[Line]]:
    """The heading of a chapter by page index, where it stands as high as running heads do and each page has one: a name like
    "CHAPTER IV" that the book prints only there, and the lines from it to the text, which does not begin within a sentence."""
    names = Counter(line.text.casefold() for page in pages for line in page.lines)
    found: dict[int, list[Line]] = {}
    for page in pages:
        frame = frames[leaf_of(page)]
        heads = sorted((line for line in page.lines if side_of(line, frame) == -1), key=lambda line: line.baseline)
        named = [i for i, line in enumerate(heads) if DIVISION_ONLY.match(line.text) and names[line.text.casefold()] == 1]
        text = [line for line in page.lines if not side_of(line, frame) and is_body_size(line, frame.size)]
        first = min(text, key=lambda line: line.baseline, default=None)
        if named and first and not first.text[:1].islower():
            found[page.index] = [line for line in heads[named[0] :] if not FOLIO.match(line.text)]
    return found


def part(page: PdfPage, frame: Frame, bands: Bands, repeated: set[MarginText], text: Sequence[Line]) -> PdfPage:
    """One page divided: a line is an artefact if it is in a common band outside the frame, a lone folio there, or recurs.
    text: lines that are none."""
    lined = bool(numbered_edges(page, frame))
    artefacts = []
    for line in page.lines:
        listed = lined or (is_margin_number(line.text) and round(line.x0) in bands.numbers)
        around = is_around(line, page, frame, bands) and not (listed and is_companion(line, frame))
        if line not in text and (around or spot_of(line, frame) in repeated):
            artefacts.append(line)
    remaining = [line for line in page.lines if line not in artefacts]
    return replace(page, lines=tuple(remaining), artefacts=tuple(artefacts))


def precedes(line: Line, page: PdfPage, frame: Frame) -> bool:
    """Whether a line within the frame stands one leading below a line."""
    below = (other for other in page.lines if 0 < other.baseline - line.baseline <= 1.1 * frame.leading)
    return any(not side_of(other, frame) for other in below)


def follows(line: Line, page: PdfPage, frame: Frame) -> bool:
    """Whether a line of body type stands one leading below another that it lies under: text, however low."""
    if not is_body_size(line, frame.size):
        return False
    above = (other for other in page.lines if 0 < line.baseline - other.baseline <= 1.1 * frame.leading)
    return any(is_body_size(other, frame.size) and other.width > LONG * frame.full_line for other in above)


def is_around(line: Line, page: PdfPage, frame: Frame, bands: Bands) -> bool:
    """Whether a line is around the text where many pages have one; one of the text's type that closely follows the text, or
    leads into it, is not."""
    if not side_of(line, frame):
        return is_companion(line, frame) and band_of(line) in bands.margins
    display = line.size > DISPLAY * frame.size  # a chapter's head, however high it stands
    text = follows(line, page, frame) or (is_body_size(line, frame.size) and precedes(line, page, frame))
    return bool(FOLIO.match(line.text)) or (band_of(line) in bands.outside and not display and not text)


def side_of(line: Line, frame: Frame) -> int:
    """-1 above the frame, 1 below it, 0 within."""
    if line.baseline < frame.top - OUTSIDE * frame.leading:
        return -1
    return int(line.baseline > frame.bottom + OUTSIDE * frame.leading)


def band_of(line: Line) -> int:
    """Heights in steps of 4 points."""
    return round(line.baseline / 4)


def is_companion(line: Line, frame: Frame) -> bool:
    """Whether a line stands in the left or right margin."""
    return line.x1 < frame.left - 1 or line.x0 > frame.right + 1


def common_bands(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> Bands:
    """Where the book's page artefacts stand."""
    outside: Counter[int] = Counter()
    margins: Counter[int] = Counter()
    for page in pages:
        frame = frames[leaf_of(page)]
        outside.update({band_of(line) for line in page.lines if side_of(line, frame)})
        margins.update({band_of(line) for line in page.lines if is_companion(line, frame) and not side_of(line, frame)})
    numbers = {edge for page in pages for edge in numbered_edges(page, frames[leaf_of(page)])}
    return Bands(frequent(outside, BAND_SHARE * len(pages)), frequent(margins, REPEAT_SHARE * len(pages)), numbers)


def frequent(counts: Counter[int], share: float) -> set[int]:
    """The bands with so many pages (at least two), and the steps next to them."""
    enough = max(2.0, share)
    return {band + step for band, n in counts.items() if n + counts[band + 1] >= enough for step in (-1, 0, 1, 2)}


def spot_of(line: Line, frame: Frame) -> MarginText:
    """A line's words with its height and size, equal for the same words on another page.

    Around the text, where folios change, numbers are ignored; within it they count (notes like "Ibid., p. 36" differ only in
    them)."""
    text = line.text.casefold()
    return MarginText(NUMBER.sub("#", text) if side_of(line, frame) else text, round(line.baseline / 4), round(line.size))


def repeated_lines(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> set[MarginText]:
    """The spots whose words recur at one height: around the text on many pages (at least three): footers; within it on most
    pages (at least six): watermarks, stamps."""
    around: dict[MarginText, set[int]] = defaultdict(set)
    within: dict[MarginText, set[int]] = defaultdict(set)
    for page in pages:
        frame = frames[leaf_of(page)]
        for line in page.lines:
            (around if side_of(line, frame) else within)[spot_of(line, frame)].add(page.index)
    frequent = on_many(around, max(3, REPEAT_SHARE * len(pages))) | on_many(within, max(6, STAMP_SHARE * len(pages)))
    return {spot for spot in frequent if any(c.isalpha() for c in spot.words)}


def on_many(spots: Mapping[MarginText, set[int]], enough: float) -> set[MarginText]:
    """The spots met on so many pages."""
    return {spot for spot, on in spots.items() if len(on) >= enough}


STARTS = re.compile(r"\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)
ENDS = re.compile(r"(?:\*\*\*\s*|^)END OF (?:THE |THIS )?PROJECT GUTENBERG", re.IGNORECASE)
FRONT_PAGES = 10  # on which the words before a Project Gutenberg text, and imprints, stand


def without_licence(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """The pages without what Project Gutenberg prints before and after a book."""
    places = [(page.index, line) for page in pages for line in page.lines]
    start = next(
        ((index, line.baseline) for index, line in places if index < FRONT_PAGES and STARTS.search(line.text)), (-1, 0.0)
    )
    end = next(((index, line.baseline) for index, line in places if ENDS.search(line.text)), (len(pages), 0.0))
    if start[0] < 0 and end[0] == len(pages):
        return list(pages)
    return [page.with_lines(line for line in page.lines if start < (page.index, line.baseline) < end) for page in pages]


SECTIONS = (
    (
        Kind.REFERENCE,
        re.compile(
            r"^(?:(?:list of |selected |select |annotated |general )*(?:references|bibliograph(?:y|ies))"
            r"|(?:\w+ ){1,3}bibliography"
            r"|works (?:cited|consulted)"
            r"|(?:literature|sources|references) cited|literatur(?:verzeichnis)?|quellen(?:verzeichnis)?"
            r"|(?:short |long |select(?:ed)? )?literature(?: list)?|list of literature"
            r"|(?:references|bibliography) (?:and|&|to|for) .*)$"
        ),
    ),
    (
        Kind.INDEX,
        re.compile(
            r"^(?:(?:general |subject |author |name )*ind(?:ex|ices|exes)(?: (?:of|to) .*)?"
            r"|(?:sach|personen|namen|stichwort)*register|stichwortverzeichnis)$"
        ),
    ),
    (
        Kind.CONTENTS,
        re.compile(
            r"^(?:(?:brief |detailed |short |table of |list of )?contents|inhalt(?:sverzeichnis)?"
            r"|(?:list|table) of (?:figures|tables|illustrations|maps|plates|boxes|exhibits|listings|algorithms|abbreviations)"
            r"|illustrations|(?:abbildungs|tabellen)verzeichnis|transcriber['’]?s['’]? notes?|copyright(?: page)?|colophon"
            r"|imprint|impressum|key ?words|index terms|general terms|categories and subject descriptors|ccs concepts"
            r"|acm reference format)$"
        ),
    ),
)
CITED = re.compile(
    r"\b(?:1[5-9]|20)\d\d[a-z]?\b|\bpp?\.\s?\d|\bvol\.|\beds?\.|\b(?:Press|Proceedings|Journal|Verlag)\b|https?:|\bdoi\b|arXiv"
    r"|^\[[\w+.’'-]{1,12}\]"
)
INDEXED = re.compile(r"[, ]\s?\d{1,4}(?:[-–]\d{1,4})?(?:ff?\.?|n)?[,.]?$|\bsee(?: also)? |^\W*\w\W*$")
CITED_SHARE, INDEXED_SHARE = 0.4, 0.4  # of a section's paragraphs, or lines, at least
HEADED = re.compile(r"^\[(?:\d{1,3}|[A-Z][\w+.’'-]{1,11})\]\s+\W?[A-Z]")
SOURCE = re.compile(
    r"[A-Z]\w+(?: \w+)?: [A-Z][\w&.’' ]+, (?:1[5-9]|20)\d\d(?:, (?:pp?|chs?|vol)\. ?[\dIVXLCivxlc–, -]+f{0,2})?\.?$"
)
SOURCE_LINE = re.compile(
    r"^(?:(?:sources?|quellen?|data sources?|(?:adapted|reprinted|taken|excerpted|abridged) from): \S"
    r"|(?:adapted|reprinted|excerpted|abridged) from )",
    re.IGNORECASE,
)
LONGEST_SOURCE = 40  # words: the line below a text that says where it is from
ENTRY_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")


def section_kind(title: str | None) -> Kind | None:
    """What a section of this title may hold instead of prose."""
    name = " ".join((title or "").casefold().strip(" .:—–-").split())
    return next((kind for kind, pattern in SECTIONS if pattern.match(name)), None)


def holds(kind: Kind, paragraphs: Sequence[Sequence[FlowLine]]) -> bool:
    """Whether a section's entries are what its title says: a chapter may be called "References" or "Index" and be prose."""
    if not paragraphs:
        return False
    if kind is Kind.REFERENCE:
        cited = sum(any(CITED.search(each.text) for each in lines) for lines in paragraphs)
        return cited >= CITED_SHARE * len(paragraphs)
    if kind is Kind.INDEX:
        texts = [each.text for lines in paragraphs for each in lines]
        return sum(bool(INDEXED.search(text)) for text in texts) >= INDEXED_SHARE * len(texts)
    return True


def own_kind(lines: Sequence[FlowLine]) -> Kind | None:
    """The kind of a paragraph that shows it by itself: an entry "[12] Knuth, D. … 1973", lines with leaders."""
    text = " ".join(each.text for each in lines)
    if KEYWORDS.match(text):
        return Kind.CONTENTS
    if len(text.split()) <= LONGEST_SOURCE and (SOURCE.search(text) or SOURCE_LINE.match(text)):
        return Kind.REFERENCE
    if HEADED.match(text) and ENTRY_YEAR.search(text):
        return Kind.REFERENCE
    return Kind.CONTENTS if sum(bool(LEADER.search(each.text)) for each in lines) > 0.5 * len(lines) else None


KEYWORDS = re.compile(
    r"^(?:Categories and Subject Descriptors|General Terms|CCS Concepts|ACM Reference Format"
    r"|(?:Key ?words|Index Terms)\b(?: and [Pp]hrases)?(?:\s*[:—–.-]| (?![a-z])))"
)


def is_same_block(a: FlowLine, b: FlowLine) -> bool:
    """Whether two lines stand together in type of one size."""
    return b.above is not None and b.above <= APART and a.line.size == b.line.size


LED_SHARE, LED_LINES = 0.4, 5  # of the lines of a contents page, at least, have leaders


def contents_pages(flow: Sequence[FlowLine]) -> frozenset[int]:
    """The pages on which many lines have leaders, whatever their heading."""
    lines = Counter(each.page for each in flow)
    led = Counter(each.page for each in flow if LEADER.search(each.text))
    return frozenset(page for page, n in led.items() if n >= max(LED_LINES, LED_SHARE * lines[page]))
