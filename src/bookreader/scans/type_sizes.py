"""The picture of a page, seen without reading it: which pixels are ink, and how the lines lie; and recognized words to lines of
type: capitals, the size of the type and the baseline, from how high the letters are.

Pictures are grey values, (height, width); ink is true where a pixel is dark. The steps after this compare type sizes, so lines
of one size must have the same one: the whole book shows how high its letters are, and all lines are grouped by size."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import median

import numpy as np
import numpy.typing as npt

from bookreader.ocr import Picture, RecognizedWord
from bookreader.pdf.addresses import SURE
from bookreader.pdf.flow import runs_of
from bookreader.pdf.model import Line, TextStyle, Token, in_groups, line_of
from bookreader.pdf.prose import spaces_dashes

Ink = npt.NDArray[np.bool_]

STEEPEST = 5.0  # degrees: a page in a scanner lies straighter
STEPS = (0.5, 0.1)  # degrees between the angles tried, first all over, then around the best
LEVEL = 0.1  # degrees: a page that is straighter is not turned, which would blur it
MAX_POINTS = 60_000  # pixels of ink that angles are tried on
SIDEWAYS = 2.0  # × as sharp lines across as along: the page lies on its side

# How lines of text look in a strip of a level page at 75 dpi:
STRIPS = 6  # of a page's width: a column, or a part of one
LINE_PIXELS = (2, 14)  # height of their ink
LINE_INK = (0.08, 0.7)  # share of ink in their rows
EMPTY_ROW = 0.04  # share of ink: less is a gap between lines
EVEN = 0.25  # × the distance of two lines, by which that of the next two differs at most
LINES = 6  # so many evenly one below the other are text; covers and plates have fewer


def ink_of(picture: Picture) -> Ink:
    """The dark pixels: below the value that parts the grey values best (Otsu 1979); none on a page of one grey."""
    counts = np.bincount(picture.reshape(-1), minlength=256).astype(float)
    values = np.arange(256)
    below, above = np.cumsum(counts), counts.sum() - np.cumsum(counts)
    sums = np.cumsum(counts * values)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = below * above * (sums / below - (sums[-1] - sums) / above) ** 2
    return picture <= int(np.argmax(np.nan_to_num(apart))) if np.ptp(picture) else np.zeros(picture.shape, bool)


def direction_of(ink: Ink) -> float:
    """Degrees, clockwise, that the lines of text are turned: a few, or a few more or less than 90.

    Whether a page is upside down cannot be seen here."""
    rows, columns = np.nonzero(ink)
    step = max(1, len(rows) // MAX_POINTS)  # evenly thinned out
    ys, xs = rows[::step].astype(float), columns[::step].astype(float)
    if not len(ys):
        return 0.0
    level, sharpness = steepness_of(xs, ys)
    upright, other = steepness_of(-ys, xs)
    angle = 90.0 + upright if other > SIDEWAYS * sharpness else level
    return angle if abs(angle) >= LEVEL else 0.0


def steepness_of(along: npt.NDArray[np.float64], across: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The angle in degrees at which the lines are sharpest, and how sharp they are: the change from row to row of the ink, as
    rows of text and the gaps between them alternate (Postl 1986)."""

    def sharpness(degrees: float) -> float:
        rows = (across - along * np.tan(np.radians(degrees))).astype(int)
        counts = np.bincount(rows - rows.min()).astype(float)
        return float(np.square(np.diff(counts)).sum())

    best = 0.0
    for step, reach in zip(STEPS, (STEEPEST, STEPS[0]), strict=True):
        count = round(reach / step)
        angles = sorted((best + step * i for i in range(-count, count + 1)), key=lambda angle: abs(angle - best))
        best = max(angles, key=sharpness)  # of equals the one nearest to the last
    return best, sharpness(best)


def has_lines(strip: Ink) -> bool:
    """Whether a strip shows lines of text: LINES bands of a line's height and darkness at even distances."""
    shares = strip.mean(axis=1)
    (low, high), (least, most) = LINE_PIXELS, LINE_INK
    middles: list[float] = []
    for top, bottom in runs_of(shares > EMPTY_ROW):
        like_text = low <= bottom - top <= high and least <= shares[top:bottom].mean() <= most
        middles = [*middles, (top + bottom) / 2] if like_text else []
        steps = np.diff(middles[-LINES:])
        if len(steps) == LINES - 1 and np.ptp(steps) <= EVEN * steps.min():
            return True
    return False


def extent_of(ink: Ink, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """The box (x0, y0, x1, y1), in pixels, without empty rows and columns at its edges; as it is if it holds no ink."""
    left, top, right, bottom = (max(0, round(edge)) for edge in box)
    part = ink[top:bottom, left:right]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(rows):
        return box
    return left + float(columns[0]), top + float(rows[0]), left + float(columns[-1]) + 1, top + float(rows[-1]) + 1


def height_of_first(ink: Ink, box: tuple[float, float, float, float], widest: float) -> float:
    """How high the first letter of the word in a box is, in pixels: its ink up to the first empty column or `widest`."""
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in box)
    part = ink[y0:y1, x0 : min(x1, x0 + round(widest))]
    filled = part.any(axis=0)
    gaps = np.flatnonzero(~filled & (np.cumsum(filled) > 0))
    rows = np.flatnonzero(part[:, : gaps[0] if len(gaps) else None].any(axis=1))
    return float(rows[-1] - rows[0] + 1) if len(rows) else 0.0


# Kinds of letters, and shares of the type size that words of them reach above the baseline in most book types.
ASCENDING, CAPITAL, DOTTED, CROSSED = "bdfhklßäöü", "A-ZÄÖÜ0-9", "ij", "t"
TOPS = tuple(
    (re.compile(f"[{letters}]"), top) for letters, top in ((ASCENDING, 0.69), (CAPITAL, 0.66), (DOTTED, 0.66), (CROSSED, 0.57))
)
X_HEIGHT = 0.46
DEEP = re.compile(r"[gjpqyQ]")
DESCENT = 0.22
LINE_ASCENT = 0.9  # of the box of a line

LETTERS = re.compile(r"[^\W_]+")
HANGS = re.compile(r"[,;()\[\]{}|/§$]")  # signs that reach below the baseline
SUPERSCRIPTS = str.maketrans("¹²³⁰⁴⁵⁶⁷⁸⁹", "1230456789")
CALL = re.compile(r"(?<=\S)[¹²³⁰⁴⁵⁶⁷⁸⁹]+$")
RAISED_SIZE = 0.6  # × the type size
PARTED = 1.5  # × the type size: words further apart are two lines, as they are in the text layer of a PDF
FULL = 30  # letters of a line that shows how high the letters are
ENOUGH = 10  # words of a kind to learn from
BINS = 100  # per doubling of the size
BLUR = 3.0  # bins, about 2 %
APART = 7  # bins between two sizes, about 5 %
RARE = 0.0005  # share of the letters: a smaller group of sizes joins its neighbour
LETTERS_TO_TELL = 5  # of a line that may have a size of its own
FAR = 3.0  # × the spread: a line further from all groups is in none of them
SPREAD = (2.0, 30.0)  # bins by which a line's own size is off: of a long line, and over the root of its letters

SMALL = re.compile(r"[acemnorsuvwxz]+")  # words as high as an x
LOW = 1.15  # × the height of an x: a capital is higher
ALIKE = frozenset("COSUVWXZ")  # capitals that differ from small letters in their size only
UNSURE = SURE - 0.01
Edges = tuple[float, float, float, float]


def in_points(
    lines: Sequence[Sequence[RecognizedWord]], ink: Ink, corner: tuple[float, float], scale: float
) -> Iterator[list[RecognizedWord]]:
    """The words of each line, with their boxes as tight as the ink in them, in points of the upright page. corner: the left
    upper one of the picture there, in pixels; scale: pixels per point."""
    boxed = [[(word, extent_of(ink, (word.x0, word.y0, word.x1, word.y1))) for word in words] for words in lines]
    common = x_height_of([word for words in boxed for word in words])
    x, y = corner
    for words in boxed:
        own = x_height_of(words)
        yield [
            with_first_letter(word, ink, box, own, common)._replace(
                x0=(box[0] + x) / scale, y0=(box[1] + y) / scale, x1=(box[2] + x) / scale, y1=(box[3] + y) / scale
            )
            for word, box in words
        ]


def x_height_of(words: Sequence[tuple[RecognizedWord, Edges]]) -> float:
    """The median height of words as high as an x, in pixels; 0 without any."""
    return median([box[3] - box[1] for word, box in words if SMALL.fullmatch(word.text)] or [0.0])


def with_first_letter(word: RecognizedWord, ink: Ink, box: Edges, own: float, common: float) -> RecognizedWord:
    """The word; a capital as low as an x on its line is a small letter if it differs from one in size only. Another one, or one
    on a line that does not tell, is not sure. own, common: height of an x on the line and on the page, 0 if unknown."""
    first, rest = word.text[0], word.text[1:]
    lowest = LOW * own or common  # smaller type has lower capitals
    if not (first.isupper() and rest[:1].islower()) or height_of_first(ink, box, own or common) > lowest:
        return word
    if own and first in ALIKE:
        return word._replace(text=first.lower() + rest)
    return word._replace(confidence=min(word.confidence, UNSURE))


Heights = Mapping[float, float]
"""How high words reach that have the kinds of letters in TOPS, by the share given there; X_HEIGHT for all others."""

TYPICAL: Heights = {share: share for share in (*(top for _, top in TOPS), X_HEIGHT)}


@dataclass(frozen=True, slots=True)
class RawLine:
    """Words on one baseline, left to right, in points."""

    words: tuple[RecognizedWord, ...]

    @property
    def letters(self) -> int:
        return sum(len(word.text) for word in self.words)

    def size(self, heights: Heights) -> float:
        """The type size of its words together, in points."""
        lettered = [word for word in self.words if LETTERS.fullmatch(word.text)] or self.words
        shares = (heights[kind_of(word.text)] + (DESCENT if DEEP.search(word.text) else 0.0) for word in lettered)
        return sum(word.y1 - word.y0 for word in lettered) / sum(shares)

    def baseline(self, size: float) -> float:
        """Of words of which no letter reaches below it, if there are any."""
        level = [word.y1 for word in self.words if not DEEP.search(word.text) and not HANGS.search(word.text)]
        return median(level or [word.y1 - DESCENT * size for word in self.words])


def raw_lines_of(words: Sequence[RecognizedWord]) -> Iterator[RawLine]:
    """The line of these words, divided where a gap is wide."""
    ordered = sorted(words, key=lambda word: word.x0)
    wide = PARTED * RawLine(tuple(ordered)).size(TYPICAL)
    for own in in_groups(ordered, lambda line, word: word.x0 - line[-1].x1 <= wide):
        yield RawLine(tuple(own))


def kind_of(text: str) -> float:
    """The share of TOPS that the word's highest letter reaches."""
    return next((top for letters, top in TOPS if letters.search(text)), X_HEIGHT)


def heights_in(lines: Sequence[RawLine]) -> Heights:
    """How high the letters of this book are, from its full lines."""
    seen: defaultdict[float, list[float]] = defaultdict(list)
    for line in lines:
        if line.letters >= FULL:
            size = line.size(TYPICAL)
            for word in line.words:
                if LETTERS.fullmatch(word.text) and not DEEP.search(word.text):
                    seen[kind_of(word.text)].append((word.y1 - word.y0) / size)
    return {kind: median(seen[kind]) if len(seen[kind]) >= ENOUGH else kind for kind in TYPICAL}


def lines_from(pages: Sequence[tuple[int, Sequence[RawLine]]]) -> dict[int, list[Line]]:
    """The lines of each page, by index, in sizes that are the same for type of the same size."""
    spaced = spaces_dashes(" ".join(word.text for word in line.words) for _, lines in pages for line in lines)
    pages = [(index, in_columns(lines if spaced else [without_gaps(line) for line in lines])) for index, lines in pages]
    everything = [line for _, lines in pages for line in lines]
    heights = heights_in(everything)
    groups = size_groups([(line.size(heights), line.letters) for line in everything])
    return {index: [typeset(index, line, grouped(line, heights, groups)) for line in lines] for index, lines in pages}


def without_gaps(line: RawLine) -> RawLine:
    """The line without the blanks that were read beside dashes: "them—" and "who" become one word."""
    words = list(line.words[:1])
    for word in line.words[1:]:
        last = words[-1]
        if BEFORE_GAP.search(last.text) if word.text[0].isalnum() else AFTER_GAP.match(word.text) and last.text[-1].isalnum():
            y0, y1, confidence = min(last.y0, word.y0), max(last.y1, word.y1), min(last.confidence, word.confidence)
            words[-1] = RecognizedWord(last.text + word.text, last.x0, y0, word.x1, y1, confidence)
        else:
            words.append(word)
    return RawLine(tuple(words))


BEFORE_GAP = re.compile(r"[\w,;:!?)”’]—$")
AFTER_GAP = re.compile(r"—\w")


def in_columns(lines: Sequence[RawLine]) -> list[RawLine]:
    """The lines as a text layer has them: column after column, each from top to bottom."""
    columns: list[list[RawLine]] = []
    for line in sorted(lines, key=lambda line: line.words[0].y1):
        above = [column for column in columns if is_below(line, column[-1])]
        if above:
            max(above, key=lambda column: column[-1].words[0].y1).append(line)
        else:
            columns.append([line])
    return [line for column in columns for line in column]


def is_below(line: RawLine, other: RawLine) -> bool:
    """Whether the lines overlap sideways, by half of the narrower one."""
    left, right = max(line.words[0].x0, other.words[0].x0), min(line.words[-1].x1, other.words[-1].x1)
    narrower = min(each.words[-1].x1 - each.words[0].x0 for each in (line, other))
    return right - left >= narrower / 2


def size_groups(sizes: Sequence[tuple[float, int]]) -> dict[float, float]:
    """The sizes in points around which the lines' own gather, the peaks of their distribution, with their share of the letters.

    sizes: (size, letters) of each line."""
    if not sizes:
        return {}
    places = np.array([bin_of(size) for size, _ in sizes])
    letters = np.array([count for _, count in sizes], float)
    first = int(places.min()) - 10
    histogram = np.bincount(np.round(places).astype(int) - first, letters, int(places.max()) - first + 11) / letters.sum()
    reach = np.arange(-10, 11)
    smooth = np.convolve(histogram, np.exp(-((reach / BLUR) ** 2) / 2), mode="same")
    chosen: dict[int, float] = {}
    for place in sorted(range(len(smooth)), key=lambda place: -smooth[place]):
        if smooth[place] < RARE and chosen:
            break
        beside = smooth[max(place - 1, 0) : place + 2]
        if all(abs(place - other) >= APART for other in chosen) and smooth[place] == beside.max():
            chosen[place] = float(smooth[place])
    groups = {round(2 ** ((place + first) / BINS), 1): share for place, share in chosen.items()}
    far = [(size, count) for size, count in sizes if is_far(size, count, groups)]
    part = sum(count for _, count in far) / letters.sum()
    return {**{size: part * share for size, share in size_groups(far).items()}, **groups}


def is_far(size: float, letters: int, groups: Mapping[float, float]) -> bool:
    """Whether a line is surely of another size than all groups: rare as it is, it is no ill-read line of one of them."""
    off = min(abs(bin_of(size) - bin_of(other)) for other in groups)
    return letters >= LETTERS_TO_TELL and off > FAR * spread_of(letters)


def spread_of(letters: int) -> float:
    """Bins by which the size of a line with so many letters is off."""
    sure, unsure = SPREAD
    return float(sure + unsure / letters**0.5)


def bin_of(size: float) -> float:
    return BINS * log2(max(size, 1.0))


def grouped(line: RawLine, heights: Heights, groups: Mapping[float, float]) -> float:
    """The likeliest size of a line: near its own, the nearer the longer the line is, and common in the book."""
    place, spread = bin_of(line.size(heights)), spread_of(line.letters)
    return max(groups, key=lambda size: np.log(groups[size]) - ((place - bin_of(size)) / spread) ** 2 / 2)


def typeset(page: int, line: RawLine, size: float) -> Line:
    """The line as one of the text layer is: every word as high as its type."""
    style, baseline = TextStyle("", size, False, False, 0), line.baseline(size)
    y0, y1 = baseline - LINE_ASCENT * size, baseline + DESCENT * size
    return line_of(page, [token for word in line.words for token in tokens_of(word, style, y0, y1)], baseline)


def tokens_of(word: RecognizedWord, style: TextStyle, y0: float, y1: float) -> Iterator[Token]:
    """The word; figures that are set high are a token of their own, the call of a note."""
    call = CALL.search(word.text)
    if not call:
        yield Token(word.text, word.x0, y0, word.x1, y1, style, confidence=word.confidence)
        return
    raised = len(call[0]) * RAISED_SIZE
    end = word.x1 - (word.x1 - word.x0) * raised / (call.start() + raised)
    small = style._replace(size=round(style.size * RAISED_SIZE, 1))
    yield Token(word.text[: call.start()], word.x0, y0, end, y1, style, confidence=word.confidence)
    figures = call[0].translate(SUPERSCRIPTS)
    yield Token(figures, end, y0, word.x1, (y0 + y1) / 2, small, glued=True, raised=True, confidence=word.confidence)
