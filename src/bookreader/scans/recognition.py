"""Pages that are pictures of text: which they are, and their lines, read by text recognition (OCR).

A page is turned until its lines are level, so all later steps see it as they see any other; `PdfPage.to_display` leads back to
the page as it is shown. One page more than there are threads is held in memory."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from math import cos, radians, sin
from statistics import median
from typing import NamedTuple

import numpy as np
import pymupdf

from bookreader.errors import BadFile, RecognitionFailed
from bookreader.ocr import Picture, RecognizedWord, TextRecognizer
from bookreader.pdf.addresses import SURE
from bookreader.pdf.ebook import ebook_marks
from bookreader.pdf.model import Matrix, PdfPage
from bookreader.pdf.prose import HYPHENS, is_known, is_word
from bookreader.pdf.read import is_covered
from bookreader.scans import type_sizes
from bookreader.scans.type_sizes import UNSURE, RawLine, ink_of
from bookreader.text.language import frequency, is_language

Words = list[list[RecognizedWord]]

FEW_LETTERS = 20  # on a page: less is a stamp or a folio
UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x1f]")
MUCH_UNREADABLE = 0.2  # share of a page's letters
WORDLIKE = re.compile(r"(?i)^\W*(?=[^\W\d_]*[aeiouyäöüàâáéèêëíîïóôúûœæ])[^\W\d_]{2,24}(?:[-'’][^\W\d_]+)*\W*$")
LETTERED = re.compile(r"[^\W\d_]{2}")
FEW_WORDLIKE = 0.5  # share of the words of a page, below which its text is none
ENOUGH_WORDS = 20  # for a share of them to tell
# Where so many pages have unreadable text and no picture, the file's fonts are broken. On fewer pages it is formulas, and
# recognized pages among others would spoil the statistics of the book's type.
BROKEN_SHARE = 0.5
ON_MANY_PAGES = 0.5  # share of the pages: a line on so many is a stamp, e.g. of the library that made the scan

COARSE_DPI = 75  # to see how the lines lie
MAX_PIXELS = 40_000_000  # of a picture: a page of 55 × 55 cm
AT_ONCE = 2  # pages that are read at a time
WRONG_WAY_UP = 0.6  # a page read with less mean confidence is tried upside down
NOISE = 0.4  # lines read with less mean confidence are no text: specks, figures
SMALL_WORDS = {
    "en": frozenset(["the", "and", "of", "to", "in", "is", "that"]),
    "de": frozenset(["der", "die", "und", "das", "ist", "nicht", "den"]),
}
SURE_OF_LANGUAGE = 10  # small words
FIRST = 5  # pages that are read one at a time until the language of the book is known


class UprightPicture(NamedTuple):
    """A page drawn with level lines. x, y: its left upper corner, in pixels; scale: pixels per point. width, height: of the
    page in points; to_page: from its points to those of the page."""

    pixels: Picture
    x: float
    y: float
    scale: float
    width: float
    height: float
    to_page: Matrix


def read_scans(
    document: pymupdf.Document,
    pages: Sequence[PdfPage],
    recognizer: TextRecognizer | None,
    begin: Callable[[int], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> Sequence[PdfPage]:
    """All pages, those of `pages_to_recognize` with the lines that the recognizer found; as they are without one, for processes
    that leave text recognition to others.

    begin: called with the number of these, if any; progress(done, total): after each of them, of all pages."""
    wanted = pages_to_recognize(document, pages)
    if wanted:
        begin(len(wanted))
    if recognizer is None:
        return pages
    read: list[tuple[PdfPage, list[RawLine]]] = []
    for one in recognized(document, [pages[index] for index in wanted], recognizer):
        read.append(one)
        progress(len(pages) - len(wanted) + len(read), len(pages))
    read = doubted(aligned(read))
    lines = type_sizes.lines_from([(page.index, found) for page, found in read])
    new = {page.index: page.with_lines(lines[page.index]) for page, _ in read}
    return [new.get(page.index, page) for page in pages]


def pages_to_recognize(document: pymupdf.Document, pages: Sequence[PdfPage]) -> list[int]:
    """Indices of the pages that show text which they do not hold: pictures with hardly a letter or with a text layer that is no
    text; where most pages are unreadable, also pages without a picture whose letters have no Unicode; where few are, only those
    on which lines of text are to be seen, so no covers and plates."""
    if ebook_marks(document):  # it has its text, and its cover is a picture
        return []
    seen = Counter(text for page in pages for text in {line.text for line in page.lines})
    stamps = frozenset(text for text, count in seen.items() if count > max(1, ON_MANY_PAGES * len(pages)))
    doubtful = [page for page in pages if is_unreadable(page, stamps)]
    if len(doubtful) > BROKEN_SHARE * len(pages):
        show = (page for page in doubtful if is_covered(document[page.index]) or has_signs(page, stamps) or is_garbage(page))
    else:
        show = (page for page in doubtful if is_covered(document[page.index]) and is_text(document[page.index]))
    return [page.index for page in show]


def is_unreadable(page: PdfPage, stamps: frozenset[str]) -> bool:
    """Whether the page's lines are none, or no text."""
    texts = [line.text for line in page.lines if line.text not in stamps]
    letters = "".join(texts).replace(" ", "")
    if len(letters) < FEW_LETTERS or len(UNREADABLE.findall(letters)) > MUCH_UNREADABLE * len(letters):
        return True
    if is_garbage(page):
        return True
    words = [word for text in texts for word in text.split() if LETTERED.search(word)]
    return len(words) >= ENOUGH_WORDS and sum(map(is_wordlike, words)) < FEW_WORDLIKE * len(words)


def is_garbage(page: PdfPage) -> bool:
    """Whether the page's text is in no language, because a font gives wrong letters."""
    return not is_language("\n".join(line.text for line in page.lines))


def is_wordlike(word: str) -> bool:
    """Whether letters could be a word of any language in Latin letters: with a vowel, without capitals inside."""
    return bool(WORDLIKE.match(word)) and (word.isupper() or not any(map(str.isupper, word.lstrip("\"'“‘([")[1:])))


def has_signs(page: PdfPage, stamps: frozenset[str]) -> bool:
    """Whether the page has many signs that have no Unicode: it shows text, whether or not it is a picture."""
    return sum(len(UNREADABLE.findall(line.text)) for line in page.lines if line.text not in stamps) >= FEW_LETTERS


def is_text(page: pymupdf.Page) -> bool:
    """Whether lines of text are to be seen on the page, however it lies."""
    ink = ink_of(upright_picture(page, COARSE_DPI).pixels)
    return any(type_sizes.has_lines(strip) for strip in np.array_split(ink, type_sizes.STRIPS, axis=1))


def recognized(
    document: pymupdf.Document, pages: Sequence[PdfPage], recognizer: TextRecognizer
) -> Iterator[tuple[PdfPage, list[RawLine]]]:
    """Each page, turned upright, and its lines. MuPDF draws in this thread, the recognizer reads in others."""
    language = ""
    with ThreadPoolExecutor(AT_ONCE) as readers:
        waiting: deque[tuple[PdfPage, UprightPicture, Future[Words]]] = deque()
        for number, page in enumerate(pages):
            rendered = upright_picture(document[page.index], recognizer.dpi)
            waiting.append((page, rendered, readers.submit(recognizer.lines, rendered.pixels, language)))
            is_last = number == len(pages) - 1
            while waiting and (is_last or len(waiting) > AT_ONCE or (not language and number < FIRST)):
                one, language = finished(document, waiting.popleft(), recognizer, language)
                yield one


def finished(
    document: pymupdf.Document, job: tuple[PdfPage, UprightPicture, "Future[Words]"], recognizer: TextRecognizer, language: str
) -> tuple[tuple[PdfPage, list[RawLine]], str]:
    """A page with its lines, read upside down if that is surer; and the language of the book, "" while it is not known."""
    page, rendered, reading = job
    words = words_of(page, recognizer, reading.result)
    if (sure := confidence_of(words)) < WRONG_WAY_UP:
        rotated = upright_picture(document[page.index], recognizer.dpi, upside_down=True)
        other = words_of(page, recognizer, partial(recognizer.lines, rotated.pixels, language))
        if confidence_of(other) > sure:
            rendered, words = rotated, other
    ink = ink_of(rendered.pixels)
    text = [[without_call(word) for word in each] for each in words if confidence_of([each]) >= NOISE]
    placed = type_sizes.in_points(text, ink, (rendered.x, rendered.y), rendered.scale)
    lines = [line for each in placed for line in type_sizes.raw_lines_of(each)]
    to_display = after(rendered.to_page, page.to_display or IDENTITY)
    upright = replace(page, lines=(), width=rendered.width, height=rendered.height, to_display=to_display, recognized=True)
    return (upright, lines), language or language_of(words)


def words_of(page: PdfPage, recognizer: TextRecognizer, lines: Callable[[], Words]) -> Words:
    """The lines of a page. Raises BadFile: not_recognized, because a page without its text would be missed by nobody."""
    try:
        return lines()
    except RecognitionFailed as error:
        raise BadFile(
            "not_recognized", "page_not_recognized", page=page.index + 1, engine=recognizer.engine, cause=error.message
        ) from error


def confidence_of(lines: Sequence[Sequence[RecognizedWord]]) -> float:
    """Mean confidence of all letters; 0 without any."""
    letters = sum(len(word.text) for line in lines for word in line)
    return sum(len(word.text) * word.confidence for line in lines for word in line) / letters if letters else 0.0


def language_of(lines: Words) -> str:
    """The language whose small words are the most; "" if there are few."""
    words = Counter(word.text.casefold() for line in lines for word in line)
    counts = {language: sum(words[each] for each in small) for language, small in SMALL_WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= SURE_OF_LANGUAGE else ""


def without_call(word: RecognizedWord) -> RecognizedWord:
    """The word without signs behind its stop or comma that the figure of a note is read as: "thieves.!"."""
    found = MISREAD_CALL.match(word.text)
    return word._replace(text=found[1]) if found else word


MISREAD_CALL = re.compile(
    r"(?!\W*(?:etc|co|inc|ltd|jr|sr|al)\.)"
    r"(.*(?:[^\W\d_]{2}\)?[.,;:][\"”]?(?=[!?®©™°*])|(?<!\bchap)(?<!\bsect)(?<=[a-zß-ÿ]{4})[.,;:][\"”]?(?=\d)))"
    r"(?:[!?®©™°*]|\d){1,2}[\d*°?]?$",
    re.IGNORECASE,
)
NO_WORD = 0.0  # confidence of a word that does not look like one
CORE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
INNER_CAPITAL = re.compile(r"[a-zß-ÿ](?!(?<=^Mc)|(?<=^Mac)|(?<=^d['’])|(?<=^l['’]))[A-Z]|[A-Z]{2}[a-z]{2}")
WITH_DIGIT = re.compile(r"(?!\d+(?:st|nd|rd|th|s|d)\b)(?=.*\d)(?=.*[^\W\d_])")
STRAY = re.compile(r"[^\W\d][®©™°]|[^\w\s][®©™°]$|\d-\d|[^\W\d_]{3}[.,;][\"”]?[\d!?*]|[^\W\d][_|~*]|[_|~][^\W\d]")
"""Signs that the figure of a note, a dash or a blot is read as."""
CLOSED = re.compile(r"[^\W\d_]{3}(?<![snoSNO])’$")  # a quotation's end without its beginning: the figure of a note, too
LONE = frozenset("aAIOoVXC")  # letters that are words or numerals
ARTICLES = ("a", "I")  # letters that the blank beside them is often lost of: "Iam", "hada"
COMMONER = 500  # × as frequent is the rest of such a word
LITTLE = 1_000_000  # frequency of a little word: a scan loses the blank behind it more than once
ACCENTED = re.compile("[À-ÿ]")  # in English: accents are easily mistaken
OFTEN = 3  # times that a word is in the book if it is one
UNKNOWN_SURE = 0.9  # confidence of a word that neither the dictionary nor the book has elsewhere
WORN = 0.02  # of a page's words: with more doubtful ones, one of two sentences holds one
FEW_DOUBTS = 3  # words of a page, e.g. of a heading, that do not make it worn
RARER_SURE = 0.93  # confidence of a word for which a much commoner one may be meant
RARER = 30  # × as frequent is that one
CONFUSED = {  # letters, and those that worn type makes of them
    **{"a": "os", "b": "h", "c": "eot", "d": "a", "e": "co", "f": "tl", "g": "q", "h": "bk", "i": "lt", "k": "h", "l": "itf"},
    **{"m": "n", "n": "um", "o": "ace", "q": "g", "r": "t", "s": "a", "t": "rfcil", "u": "na", "v": "y", "w": "v", "y": "v"},
}
STOPPED = re.compile(r"^\W*[^\W\d_]{4,}\.[\"'”’]?$")  # more than an abbreviation


def doubted(pages: Sequence[tuple[PdfPage, list[RawLine]]]) -> list[tuple[PdfPage, list[RawLine]]]:
    """The pages; words that look wrong beside the dictionary and the rest of the book have no confidence, and on a worn page no
    word is sure: where many are doubtful, others are wrong."""
    texts = [word.text for _, lines in pages for line in lines for word in line.words]
    cores = Counter(core for text in texts for core in CORE.findall(text))
    english = language_of([[word for _, lines in pages for line in lines for word in line.words]]) == "en"
    return [(page, if_not_worn(list(marked(lines, cores, english=english)))) for page, lines in pages]


def marked(lines: Sequence[RawLine], cores: Counter[str], *, english: bool) -> Iterator[RawLine]:
    """The lines of a page, doubtful words without confidence."""
    for i, line in enumerate(lines):
        divided = i == 0 or lines[i - 1].words[-1].text[-1:] in HYPHENS  # the first word is perhaps the rest of one
        yield RawLine(tuple(surely(line.words, cores, divided=divided, english=english)))


def if_not_worn(lines: list[RawLine]) -> list[RawLine]:
    """The lines of a page; if a part of its words is doubtful, none is sure."""
    sure = [word.confidence >= SURE for line in lines for word in line.words]
    if sure.count(False) <= max(FEW_DOUBTS, WORN * len(sure)):
        return lines
    return [RawLine(tuple(w._replace(confidence=min(w.confidence, UNSURE)) for w in line.words)) for line in lines]


def surely(words: Sequence[RecognizedWord], cores: Counter[str], *, divided: bool, english: bool) -> Iterator[RecognizedWord]:
    """The words of a line, doubtful ones without confidence."""
    texts = ["", *(word.text for word in words), ""]
    opened = any("‘" in text for text in texts)
    for i, word in enumerate(words):
        part = (i == 0 and divided) or word.text[-1:] in HYPHENS
        unopened = not opened and CLOSED.search(word.text) is not None
        doubtful = english and is_doubtful(word, texts[i], texts[i + 2], cores, part=part)
        wrong = unopened or doubtful or is_misshapen(word.text)
        yield word._replace(confidence=NO_WORD) if wrong else word


def is_misshapen(text: str) -> bool:
    """Whether a word has a capital or a digit inside that words do not have, or a sign that another is often read as."""
    misshapen = any(INNER_CAPITAL.search(core) or WITH_DIGIT.match(core) for core in CORE.findall(text))
    return misshapen or STRAY.search(text) is not None


def is_doubtful(word: RecognizedWord, before: str, after: str, cores: Counter[str], *, part: bool) -> bool:
    """Whether an English word is likely another one: with an accent, unknown, short and none, without the blank beside an
    article, a small letter read as a capital, an "l" as an exclamation mark, a comma as a stop. part: perhaps half a word."""
    found = CORE.findall(word.text)
    if any(ACCENTED.search(core) and cores[core] < OFTEN for core in found) or is_misread_stop(word.text, after):
        return True
    if len(found) != 1:
        return not part and any(core.isalpha() and len(core) > 2 and is_rare(core, word.confidence, cores) for core in found)
    [core] = found
    abbreviated = word.text.rstrip("”’)")[-1:] == "."
    if len(core) == 1:
        return core.isalpha() and core not in LONE and not abbreviated
    if part or not core.isalpha():
        return False
    if len(core) < 3:
        return cores[core] < OFTEN and not (is_word(core.casefold()) or abbreviated or core.isupper())
    alike = core[0] in type_sizes.ALIKE and core[1:].islower() and before[-1:].islower()
    raised = alike and cores[core] == 1 and cores[core.casefold()] >= OFTEN  # a word that the book has with a small letter
    return raised or is_rare(core, word.confidence, cores)


def is_misread_stop(text: str, after: str) -> bool:
    """Whether a word before a small letter ends in a stop, or in an exclamation mark that may be an "l"."""
    bare = text.strip("“”\"‘’'(!").casefold()
    return after[:1].islower() and bool(STOPPED.match(text) or (text.endswith("!") and frequency(bare + "l")))


def is_rare(core: str, confidence: float, cores: Counter[str]) -> bool:
    """Whether a word of letters is rarer than what it may be misread from, or the book's only one that no dictionary has."""
    small = core.casefold()
    rests = [small[1:]] * (core[0] in ARTICLES) + [small[:-1]] * (core[-1] in ARTICLES)
    if core.islower() and core[-1] == "a" and frequency(core[:-1]) > max(LITTLE, COMMONER * frequency(core)):  # "ina"
        return True
    if cores[core] < OFTEN and any(is_word(rest) and frequency(rest) > COMMONER * frequency(small) for rest in rests):
        return True
    if core.islower() and is_another(core, confidence):
        return True
    return cores[core] == 1 and not is_known(core, Counter()) and confidence < UNKNOWN_SURE


def is_another(word: str, confidence: float) -> bool:
    """Whether a word may be one with a letter that looks alike: it is none ("vour"), or far rarer and not surely read."""
    own = frequency(word) if is_known(word, Counter()) else 0
    if own and confidence >= RARER_SURE:
        return False
    variants = (word[:i] + other + word[i + 1 :] for i, letter in enumerate(word) for other in CONFUSED.get(letter, ""))
    return any(frequency(variant) > RARER * own for variant in variants)


def aligned(pages: Sequence[tuple[PdfPage, list[RawLine]]]) -> list[tuple[PdfPage, list[RawLine]]]:
    """The pages moved so that their text stands where it does on most right or left pages: no two lie alike in a scanner, and
    the steps after this compare where the text stands."""
    steps = steps_to_common([(page.index % 2, edges_of(lines)) for page, lines in pages])
    return [moved(page, lines, step) for (page, lines), step in zip(pages, steps, strict=True)]


def moved(page: PdfPage, lines: list[RawLine], step: tuple[float, float]) -> tuple[PdfPage, list[RawLine]]:
    """The page with its lines moved, and the way back in its matrix."""
    dx, dy = step
    back = after((1.0, 0.0, 0.0, 1.0, -dx, -dy), page.to_display or IDENTITY)
    shifted = [
        RawLine(tuple(w._replace(x0=w.x0 + dx, x1=w.x1 + dx, y0=w.y0 + dy, y1=w.y1 + dy) for w in line.words)) for line in lines
    ]
    return replace(page, to_display=back), shifted


IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def upright_picture(page: pymupdf.Page, dpi: int, *, upside_down: bool = False) -> UprightPicture:
    """The page drawn so that its lines are level."""
    flat = render(page, IDENTITY, COARSE_DPI / 72)
    angle = type_sizes.direction_of(ink_of(flat[0])) + 180 * upside_down
    sideways = round(angle / 90) % 2 == 1
    width, height = page.rect.width, page.rect.height
    across, down = (height, width) if sideways else (width, height)
    turn = rotation(-angle, (width / 2, height / 2), (across / 2, down / 2))
    scale = min(dpi / 72, (MAX_PIXELS / (width * height)) ** 0.5)
    pixels, x, y = render(page, turn, scale)
    return UprightPicture(pixels, x, y, scale, across, down, rotation(angle, (across / 2, down / 2), (width / 2, height / 2)))


def render(page: pymupdf.Page, turn: Matrix, scale: float) -> tuple[Picture, float, float]:
    """The page in grey, after a matrix and at a scale; and where its left upper corner is, in pixels."""
    matrix = pymupdf.Matrix(*turn) * pymupdf.Matrix(scale, scale)
    pixmap = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, annots=False)
    rows = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)
    return np.ascontiguousarray(rows[:, : pixmap.width]), pixmap.x, pixmap.y


def rotation(degrees: float, around: tuple[float, float], to: tuple[float, float]) -> Matrix:
    """The matrix that turns clockwise and moves the centre to another place."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    (x, y), (u, v) = around, to
    return (c, s, -s, c, u - c * x + s * y, v - s * x - c * y)


def after(first: Matrix, second: Matrix) -> Matrix:
    """The matrix of one, then another."""
    return tuple(pymupdf.Matrix(*first) * pymupdf.Matrix(*second))


ONE_EDGE = 4  # lines that begin one above the other, within …
EDGE_WIDTH = 2.0  # … points
FURTHEST = 40.0  # points that a page is moved
NEAREST = 12.0  # points: running heads and folios stand further from the text
EDGE_LETTERS = 20  # of a line that shows where the text begins


TextEdges = tuple[float, float, float]
"""Where a page's text begins at the left, and its upper and lower edge."""


def edges_of(lines: Sequence[RawLine]) -> TextEdges | None:
    """The leftmost x at which lines begin one above the other, the highest top and the lowest bottom; None for few lines."""
    firsts = [line.words[0] for line in lines]
    starts = sorted(line.words[0].x0 for line in lines if line.letters >= EDGE_LETTERS)
    left = next((a for a, b in zip(starts, starts[ONE_EDGE - 1 :], strict=False) if b - a <= EDGE_WIDTH), None)
    return None if left is None else (left, min(word.y0 for word in firsts), max(word.y1 for word in firsts))


def steps_to_common(edges: Sequence[tuple[Hashable, TextEdges | None]]) -> list[tuple[float, float]]:
    """How far to move each page so that its text begins where it does on most pages of its kind: to the right, and down by
    the step at its head or its foot that is the smaller, as a page may lack one of them. edges: kind and edges of the pages."""
    by_kind: dict[Hashable, list[TextEdges]] = defaultdict(list)
    for kind, own in edges:
        if own:
            by_kind[kind].append(own)
    common = {kind: [median(values) for values in zip(*all_of, strict=True)] for kind, all_of in by_kind.items()}
    return [step_to(common[kind], own) if own else (0.0, 0.0) for kind, own in edges]


def step_to(common: Sequence[float], own: TextEdges) -> tuple[float, float]:
    """How far to move one page; none if it is too far. Where the steps at head and foot go apart by more than NEAREST, the
    page lacks both its head and its folio, and is not moved down."""
    left, head, foot = (there - here for there, here in zip(common, own, strict=True))
    down = min(head, foot, key=abs)
    lacks_both = head * foot < 0 and abs(down) > NEAREST
    return (left if abs(left) <= FURTHEST else 0.0), (0.0 if lacks_both or abs(down) > FURTHEST else down)
