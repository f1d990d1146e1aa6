"""Page artefacts: running heads, folios, repeated footers and watermarks, taken off every page.

Two kinds of evidence, without rules for styles: a line stands outside the frame at a height where many pages have one, or the
same words recur at the same place on many pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chapterverse.library.pdf.frame import Frame, Leaf, folio_runs, is_body_size, is_number, leaf_of, numbers_at_edges
from chapterverse.library.pdf.model import Line, PdfPage
from chapterverse.library.pdf.notes import GAP, calls_on, mark_of

OUTSIDE = 0.6  # of the leading: so far above the first or below the last line of a full page, a row is outside the frame
BAND_SHARE = 0.08  # of the pages: so many have a row at this height outside the frame
REPEAT_SHARE = 0.3  # of the pages: so many carry the same words at the same place around the text …
STAMP_SHARE = 0.6  # … or within it
FEW_NUMBERS = 2  # in a side margin: more are line numbers, not folios
FOLIO_SHARE = 0.5  # of the pages: so many carry a number that grows with them, where they are numbered
DISPLAY = 1.25  # × the body's size: running heads are not set so large
LONG = 0.5  # of the frame's width: a line so long is text
NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
FOLIO = re.compile(r"^\W*(?:(?:page|p\.?|pp\.?)\s*)?(?:\d{1,4}|[ivxlcdm]{1,9})(?:\s*(?:of|/)\s*\d+)?\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageWithArtefacts:
    """A page without its artefacts, and the artefacts, from which folios are read."""

    page: PdfPage
    artefacts: tuple[Line, ...]


class MarginText(NamedTuple):
    """Words at a height (in steps of 4 points), in type of a size."""

    words: str
    height: int
    size: int


class Bands(NamedTuple):
    """Heights at which many pages have a line: above or below the frame, and in the side margins."""

    outside: set[int]
    margins: set[int]


def remove_artefacts(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> list[PageWithArtefacts]:
    """Every page divided into text and artefacts, in order."""
    bands = common_bands(pages, frames)
    repeated = repeated_lines(pages, frames)
    runs = folio_runs([(page.index, [[line] for line in page.lines]) for page in pages], FOLIO_SHARE)
    notes = [called_notes(page, frames[leaf_of(page)], {run + page.index for run in runs}) for page in pages]
    return [part(page, frames[leaf_of(page)], bands, repeated, own) for page, own in zip(pages, notes, strict=True)]


def part(page: PdfPage, frame: Frame, bands: Bands, repeated: set[MarginText], notes: Sequence[Line]) -> PageWithArtefacts:
    """One page divided: a line is an artefact if it is in a common band outside the frame, a lone folio there, or recurs."""
    lined = sum(is_companion(line, frame) and is_number(line.text) for line in page.lines) > FEW_NUMBERS
    artefacts = []
    for line in page.lines:
        around = is_around(line, page, frame, bands) and not (lined and is_companion(line, frame))
        if line not in notes and (around or spot_of(line, frame) in repeated):
            artefacts.append(line)
    kept = [line for line in page.lines if line not in artefacts]
    return PageWithArtefacts(page.with_lines(kept), tuple(artefacts))


def called_notes(page: PdfPage, frame: Frame, folios: Collection[int]) -> list[Line]:
    """The lines of footnotes below the frame: one begins with the mark of a call on the page, the others follow closely.

    A line with the page's folio is not one of them."""
    calls = calls_on(page.lines)
    notes: list[Line] = []
    for line in sorted(page.lines, key=lambda line: line.baseline):
        close = bool(notes) and line.size == notes[-1].size and line.baseline - notes[-1].baseline <= GAP * line.size
        if (mark_of(line) in calls or close) and not numbers_at_edges([line]) & set(folios):
            notes.append(line)
    return [line for line in notes if side_of(line, frame) == 1]


def is_around(line: Line, page: PdfPage, frame: Frame, bands: Bands) -> bool:
    """Whether a line is around the text where many pages have one; a last line that closely follows the text is not."""
    if not side_of(line, frame):
        return is_companion(line, frame) and band_of(line) in bands.margins
    display = line.size > DISPLAY * frame.size  # a chapter's head, however high it stands
    return bool(FOLIO.match(line.text)) or (band_of(line) in bands.outside and not display and not follows(line, page, frame))


def follows(line: Line, page: PdfPage, frame: Frame) -> bool:
    """Whether a line of body type stands one leading below another that it lies under: text, however low."""
    if not is_body_size(line, frame.size):
        return False
    above = (other for other in page.lines if 0 < line.baseline - other.baseline <= 1.1 * frame.leading)
    return any(is_body_size(other, frame.size) and other.width > LONG * frame.width for other in above)


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
    return Bands(frequent(outside, BAND_SHARE * len(pages)), frequent(margins, REPEAT_SHARE * len(pages)))


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
