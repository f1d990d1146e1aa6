"""Drop caps: the large first letter of a chapter goes back to its word, and the lines beside it to the margin."""

import re
from collections.abc import Sequence
from dataclasses import replace

from chapterverse.ingestion.marks import Line, Page, Token, line_of
from chapterverse.ingestion.words import frequency

LARGE = 1.6  # × the body's size
INITIAL = re.compile(r"^[“\"‘'(\[]*[^\W\d_]$")
NEAR = 1.5  # × the letter's width, and one size more: text beside an initial begins no further off
OWN_WORDS = frozenset("AIO")  # letters that are words
RARER = 0.002  # "A man", not "Aman": joined if the joined word is at least this share as frequent as the rest


def set_initials(pages: Sequence[Page], size: float) -> list[Page]:
    """Every page with its drop caps joined to the lines they begin. size: of the body type, in points."""
    return [set_page(page, size) for page in pages]


def set_page(page: Page, size: float) -> Page:
    """One page; most have none."""
    lines = list(page.lines)
    for cap in [line for line in lines if is_initial(line, size)]:
        beside = sorted((line for line in lines if is_beside(line, cap, size)), key=lambda line: line.baseline)
        if beside:
            joined = {id(line): replace(line, x0=cap.x0) for line in beside}
            joined[id(beside[0])] = with_initial(cap, beside[0])
            lines = [joined.get(id(line), line) for line in lines if line is not cap]
    return page.with_lines(lines) if len(lines) < len(page.lines) else page


def is_initial(line: Line, size: float) -> bool:
    """A single large letter, perhaps after a quotation mark."""
    return line.size >= LARGE * size and bool(INITIAL.match(line.text.replace(" ", "")))


def is_beside(line: Line, cap: Line, size: float) -> bool:
    """Whether a line of text stands to the right of the letter and within its height."""
    near = -0.3 * size <= line.x0 - cap.x1 <= size + NEAR * cap.width
    return near and line.size < LARGE * size and cap.y0 - 0.3 * size <= line.baseline <= cap.baseline + 0.6 * size


def with_initial(cap: Line, line: Line) -> Line:
    """The line with the letter put before it; it keeps its own baseline and style."""
    first, *rest = line.tokens
    letters = [token._replace(style=first.style) for token in cap.tokens]
    tokens = [*letters, first._replace(glued=belongs(cap.text[-1], first)), *rest]
    return replace(line_of(line.page, tokens, line.baseline), y0=line.y0, y1=line.y1)


def belongs(letter: str, first: Token) -> bool:
    """Whether the letter begins the word after it ("T" + "HE") or is a word itself ("A" + "MAN")."""
    rest = re.match(r"[^\W\d_]*", first.text)
    word = rest[0].casefold() if rest else ""
    if letter not in OWN_WORDS or not word:
        return word != "" or not first.text[:1].isalnum()
    return frequency(letter.casefold() + word) >= max(1, RARER * frequency(word))
