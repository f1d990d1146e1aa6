"""Footnotes: smaller type at the foot of a page, told from quotations by how the book uses that type elsewhere.

A type size belongs to notes if body text hardly ever follows below it on a page. Where quotations and notes have the same size,
a block at the foot is a note if it begins with a mark (a number, an asterisk) or the mark of a call above it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bookreader.pdf.frame import Frame, Leaf, leaf_of, rows_of
from bookreader.pdf.model import Line, PdfPage, Token, text_of
from bookreader.pdf.words import frequency

SMALLER = 0.96  # of the body's size
OWN_SHARE = 0.85  # of a size's lines: so many at the foot of a page make it the notes' own
CLOSE = 1.45  # × the size: a note follows the end of another no further off
GAP = 1.6  # × the size: rows of one block are no further apart
MARK = re.compile(r"^[\[(]?(\d{1,3}|[*†‡§¶‖∗]{1,3}|[a-z])[\])]?[.:]?$")
STOPS = ".!?”’)"
SYMBOLS = "*†‡§¶‖∗"


def part_notes(pages: Sequence[PdfPage], frames: Mapping[Leaf, Frame]) -> list[PdfPage]:
    """Every page without its footnotes."""
    feet = [foot_blocks(page, frames[leaf_of(page)]) for page in pages]
    own = sizes_of_notes(pages, feet, frames)
    noted: list[PdfPage] = []
    for page, blocks in zip(pages, feet, strict=True):
        noted.append(part_page(page, blocks, own, noted[-1].notes if noted else ()))
    return noted


def part_page(page: PdfPage, blocks: Sequence[list[Line]], own: set[float], before: Sequence[Line]) -> PdfPage:
    """One page without its footnotes. before: the notes of the page before, of which the last may continue here."""
    notes = set_as_notes(blocks, own, goes_on=bool(before))
    for block in (block for block in blocks if key(block[0]) not in own):  # set in another type, with a raised mark
        notes += block if mark_of(block[0]) and block[0].tokens[0].raised else []
    text = [line for line in page.lines if line not in notes]
    if not text:
        return page
    return replace(page, lines=tuple(text), notes=tuple(notes), marks=frozenset(filter(None, map(mark_of, notes))))


def set_as_notes(blocks: Sequence[list[Line]], own: set[float], *, goes_on: bool) -> list[Line]:
    """The lines in the notes' type from the first mark on.

    What stands above the mark is the end of a note from the page before, or a quotation in type of the same size."""
    lines = [line for block in blocks if key(block[0]) in own for line in block]
    first = next((i for i, line in enumerate(lines) if mark_of(line)), len(lines))
    close = 0 < first < len(lines) and lines[first].baseline - lines[first - 1].baseline <= CLOSE * lines[first].size
    return lines if goes_on and (close or first in (0, len(lines))) else lines[first:]


def calls_on(lines: Iterable[Line]) -> set[str]:
    """The raised tokens on the lines, without brackets: marks of notes, and exponents."""
    return {token.text.strip("[]()") for line in lines for token in line.tokens if token.raised}


def mark_of(line: Line) -> str | None:
    """The mark at the beginning of a note's first line, without brackets; None if the line begins no note."""
    first = line.tokens[0]
    if len(line.tokens) < 2:
        return None
    found = MARK.match(first.text)
    letter = found is not None and found[1].isalpha()  # "a" and "p." are words of a sentence, "a)" and a raised a are marks
    if found and (first.raised or first.text[0] in "[(" or ")" in first.text or not letter):
        return found[1]
    return first.text[0] if first.text[0] in SYMBOLS else None


def key(line: Line) -> float:
    """A size in half points."""
    return round(line.size * 2) / 2


def foot_blocks(page: PdfPage, frame: Frame) -> list[list[Line]]:
    """The blocks of smaller type (or after a gap, with a mark) with no body line below them."""
    size = frame.size if any(line.size > SMALLER * frame.size for line in page.lines) else own_size(page)
    body = [line for line in page.lines if line.size > SMALLER * size]
    small = [line for line in page.lines if line.size <= SMALLER * size]
    foot = [line for line in small if not any(is_below(b, line) for b in body)]
    return blocks_of(foot)


def own_size(page: PdfPage) -> float:
    """The type size of most lines of a page, which may be set smaller than the body of the book; 0 without text."""
    sizes = Counter(line.size for line in page.lines)
    return max(sizes, key=lambda size: (sizes[size], size), default=0.0)


def is_below(other: Line, line: Line) -> bool:
    """Whether `other` is lower than `line` and shares some of its width."""
    overlap = min(other.x1, line.x1) - max(other.x0, line.x0)
    return other.baseline > line.baseline + 1 and overlap > 0.1 * min(other.width, line.width)


def blocks_of(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines of one size that follow each other closely, top to bottom; parts at the same height stay together."""
    blocks: list[list[Line]] = []
    for row in rows_of(lines):
        last = blocks[-1][-1] if blocks else None
        if last and key(last) == key(row[0]) and row[0].baseline - last.baseline <= GAP * row[0].size:
            blocks[-1] += row
        else:
            blocks.append(list(row))
    return blocks


def sizes_of_notes(pages: Sequence[PdfPage], feet: Sequence[list[list[Line]]], frames: Mapping[Leaf, Frame]) -> set[float]:
    """The sizes smaller than the body's whose lines are almost always at the foot of a page with text, and whose blocks often
    begin with a mark (continued notes do not)."""
    total: Counter[float] = Counter()
    at_foot: Counter[float] = Counter()
    marked: set[float] = set()
    for page, blocks in zip(pages, feet, strict=True):
        size = frames[leaf_of(page)].size
        small = [line for line in page.lines if line.size <= SMALLER * size]
        total.update(key(line) for line in small)
        if len(small) < len(page.lines):
            at_foot.update(key(line) for block in blocks for line in block)
            marked |= {key(block[0]) for block in blocks if mark_of(block[0])}
    return {size for size, n in total.items() if size in marked and at_foot[size] >= OWN_SHARE * n}


def without_call(token: Token, before: Sequence[Token], after: Token | None, marks: frozenset[str]) -> Token | None:
    """The token without a note's call: None if it is one, shorter if it ends in one ("us.*").

    before: the line's tokens before it; after: the next one. marks: of the page's notes."""
    if is_call(token, before, after, marks):
        return None
    bare = token.text.rstrip(SYMBOLS)
    if token.text[len(bare) :] in marks and bare:
        return token._replace(text=bare)
    return token


RAISED = re.compile(r"^(?:\d[\d,;–-]*|[*†‡§¶‖∗]+|[a-z])$")  # several calls may stand together: "32,33"
BASE = re.compile(r"(?![AI]$)[A-Z][a-z]?$|[α-ωΑ-Ω]$")


def is_call(token: Token, before: Sequence[Token], after: Token | None, marks: frozenset[str]) -> bool:
    """Whether a token is the call of a note: raised and a number or symbol, but not a power ("x²", "10³") or part of a sign of
    a chemical element ("¹⁴C").

    A raised letter, and a call that is not raised, count only as the mark of a note on the same page, the latter in brackets or
    a symbol. In doubt a raised number stays in the text, as it is printed."""
    if not (token.raised or token.glued):
        return False
    bare = token.text.strip("[]().,;")
    if token.raised and RAISED.match(bare):
        if bare.isalpha() and bare not in marks:
            return False
        return not before or not (belongs_to(token, after) or is_base(before, bare, called=bare in marks))
    return token.glued and bare in marks and (token.text.startswith(("[", "(")) or bare[0] in SYMBOLS)


def belongs_to(token: Token, after: Token | None) -> bool:
    """Whether a raised number belongs to what follows it: a small fraction ("1/2", or one above the other), a sign that it
    stands before ("¹⁴C")."""
    if after is None or not after.glued:
        return False
    return after.lowered or after.text in ("/", "⁄") or (not token.glued and BASE.match(after.text) is not None)


LETTERS = re.compile(r"[^\W\d_]+$")
DIGITS = re.compile(r"[\d.,]*\d$")
UNITS = frozenset(["km", "cm", "mm", "dm", "nm", "μm", "µm", "ft", "yd", "mi", "sec"])
FUNCTION = re.compile(r"(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?|log|ln|exp|det|dim")
PRODUCT = 3  # letters at most that are factors and no word: "mc²"
YEAR = 3  # digits: so long a number rather bears a call than a power
PROSE = re.compile(r"[^\W\d_]{3,}|\d{3,}")
STOPPED = ".,;:!?\"'’”»…—–-"


def is_base(before: Sequence[Token], bare: str, *, called: bool) -> bool:
    """Whether the text before a raised `bare` can carry it as an exponent: a number, a single letter, a unit, a function, a
    formula in brackets, a sign of mathematics. called: whether a note on the page has this mark."""
    last = before[-1]
    if last.raised or last.lowered:
        return True
    if found := DIGITS.search(last.text):
        return not (called and len(found[0]) >= YEAR)
    if found := LETTERS.search(last.text):
        unit = found[0] in UNITS and bare in ("2", "3") and (not called or is_number(before[:-1]))
        product = len(found[0]) <= PRODUCT and found[0].islower() and not called and not frequency(found[0])
        return len(found[0]) == 1 or unit or product or FUNCTION.fullmatch(found[0]) is not None
    if last.text[-1] in ")]}":
        return not PROSE.search(bracketed(before))
    return last.text[-1] not in STOPPED


def is_number(tokens: Sequence[Token]) -> bool:
    """Whether the tokens end in a number."""
    return bool(tokens) and tokens[-1].text[-1].isdigit()


def bracketed(tokens: Sequence[Token]) -> str:
    """The text between the last bracket and the one that opens it; the whole line where none does."""
    text, depth = text_of(tokens), 0
    for i in range(len(text) - 1, -1, -1):
        depth += (text[i] in ")]}") - (text[i] in "([{")
        if depth == 0:
            return text[i:]
    return text
