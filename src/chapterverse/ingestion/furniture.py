"""Running heads, folios, repeated footers, watermarks: what a press puts around or under the text, taken off every page.

Two kinds of evidence, and no rule that knows a style: a line stands outside the frame at a height where many pages have one,
or the same words come back at the same place on many pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chapterverse.ingestion.frame import Frame, Leaf, leaf_of
from chapterverse.ingestion.marks import Line, Page

OUTSIDE = 0.6  # of the leading: so far above the first or below the last line of a full page, a row is outside the frame
BAND_SHARE = 0.08  # of the pages: so many have a row at this height outside the frame
REPEAT_SHARE = 0.3  # of the pages: so many carry the same words at the same place anywhere on the page
NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
FOLIO = re.compile(r"^\W*(?:(?:page|p\.?|pp\.?)\s*)?(?:\d{1,4}|[ivxlcdm]{1,9})(?:\s*(?:of|/)\s*\d+)?\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A page without its furniture, and the furniture (the folios are read off it)."""

    page: Page
    furniture: tuple[Line, ...]


class Bands(NamedTuple):
    """Heights at which many pages have a line above or below the frame, and beside it (side notes stand at any height)."""

    outside: set[int]
    beside: set[int]


def take_off_furniture(pages: Sequence[Page], frames: Mapping[Leaf, Frame]) -> list[Cleaned]:
    """Every page parted into text and furniture, in order."""
    bands = common_bands(pages, frames)
    repeated = repeated_lines(pages)
    return [part(page, frames[leaf_of(page)], bands, repeated) for page in pages]


def part(page: Page, frame: Frame, bands: Bands, repeated: set[tuple[str, int, int]]) -> Cleaned:
    """One page: a line is furniture if it stands in a common band outside the frame, is a lone folio there, or comes back."""
    furniture = []
    for line in page.lines:
        outside = side_of(line, frame) != 0
        in_band = band_of(line) in (bands.outside if outside else bands.beside if is_beside(line, frame) else ())
        if place_of(line) in repeated or in_band or (outside and FOLIO.match(line.text)):
            furniture.append(line)
    kept = [line for line in page.lines if line not in furniture]
    return Cleaned(page.with_lines(kept), tuple(furniture))


def side_of(line: Line, frame: Frame) -> int:
    """-1 above the frame, 1 below it, 0 within."""
    if line.baseline < frame.top - OUTSIDE * frame.leading:
        return -1
    return int(line.baseline > frame.bottom + OUTSIDE * frame.leading)


def band_of(line: Line) -> int:
    """Heights in steps of 4 points."""
    return round(line.baseline / 4)


def is_beside(line: Line, frame: Frame) -> bool:
    """Whether a line stands in the left or right margin."""
    return line.x1 < frame.left - 1 or line.x0 > frame.right + 1


def common_bands(pages: Sequence[Page], frames: Mapping[Leaf, Frame]) -> Bands:
    """Where the book's furniture stands."""
    outside: Counter[int] = Counter()
    beside: Counter[int] = Counter()
    for page in pages:
        frame = frames[leaf_of(page)]
        outside.update({band_of(line) for line in page.lines if side_of(line, frame)})
        beside.update({band_of(line) for line in page.lines if is_beside(line, frame) and not side_of(line, frame)})
    return Bands(frequent(outside, BAND_SHARE * len(pages)), frequent(beside, REPEAT_SHARE * len(pages)))


def frequent(counts: Counter[int], share: float) -> set[int]:
    """The bands with so many pages (at least two), and the steps next to them."""
    enough = max(2.0, share)
    return {band + step for band, n in counts.items() if n + counts[band + 1] >= enough for step in (-1, 0, 1, 2)}


def place_of(line: Line) -> tuple[str, int, int]:
    """A line's words, numbers aside, with its height and size: equal for the same running head on another page."""
    return NUMBER.sub("#", line.text.casefold()), round(line.baseline / 4), round(line.size)


def repeated_lines(pages: Sequence[Page]) -> set[tuple[str, int, int]]:
    """The places whose words come back at one height on many pages (at least three): footers, watermarks, stamps."""
    seen: dict[tuple[str, int, int], set[int]] = defaultdict(set)
    for page in pages:
        for line in page.lines:
            seen[place_of(line)].add(page.index)
    enough = max(3, REPEAT_SHARE * len(pages))
    return {place for place, on in seen.items() if len(on) >= enough and place[0].strip("# ")}
