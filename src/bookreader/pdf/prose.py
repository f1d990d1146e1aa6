"""Lines of a paragraph to its text, with every character's place on the page kept."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

from bookreader.book import Box
from bookreader.pdf.characters import has_capitals, lowered_form, raised_form
from bookreader.pdf.flow import FlowLine
from bookreader.pdf.model import Token
from bookreader.pdf.notes import without_call
from bookreader.pdf.words import HYPHENS, SOFT, SUSPENDED, Vocabulary, is_surely_joined, join_at_line_end

TALL = 2.0  # × the type size
THIN = 0.2  # × the type size: a raised or lowered letter that stands so near to a word is part of it
DASHES = "—–"
FRACTION = "⁄"
CALLS = re.compile(r"[\d,;–*†‡§-]+")
WITHIN_URL = re.compile(r"(?:https?://|www\.)\S*[/._?=&%#-]$")


class BoxedText(NamedTuple):
    """Characters [start, end) of a text and their box on this page, in points; row tells lines apart. confidence: as the
    token's."""

    start: int
    end: int
    page: int
    row: int
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph's text and its places on pages. inexact: [start, end) of passages that are not what is printed."""

    text: str
    pieces: tuple[BoxedText, ...]
    inexact: tuple[tuple[int, int], ...] = ()

    def is_exact(self, start: int, end: int) -> bool:
        """Whether characters [start, end) are what is printed."""
        return not any(first < end and start < last for first, last in self.inexact)

    def pages(self, start: int, end: int) -> list[tuple[int, tuple[Box, ...]]]:
        """(page index, one box a line) for characters [start, end), in reading order."""
        rows = groupby(self.within(start, end), key=lambda piece: (piece.page, piece.row))
        boxes = [(page, hull(list(pieces))) for (page, _), pieces in rows]
        return [(page, tuple(box for _, box in group)) for page, group in groupby(boxes, key=lambda pair: pair[0])]

    def confidence(self, start: int, end: int) -> tuple[float, float] | None:
        """Confidence of the recognized characters of [start, end): the mean, and that of the least sure word; None if there are
        none."""
        known = [
            (piece.confidence, piece.end - piece.start) for piece in self.within(start, end) if piece.confidence is not None
        ]
        letters = sum(count for _, count in known)
        if not letters:
            return None
        return sum(confidence * count for confidence, count in known) / letters, min(known)[0]

    def within(self, start: int, end: int) -> Iterator[BoxedText]:
        """The pieces of [start, end); a divided piece gives its share of the width."""
        first = bisect_right(self.pieces, start, key=lambda piece: piece.end)
        for piece in takewhile(lambda piece: piece.start < end, self.pieces[first:]):
            yield cut(piece, max(start, piece.start), min(end, piece.end))


def cut(piece: BoxedText, start: int, end: int) -> BoxedText:
    """The part of a piece with characters [start, end)."""
    if (start, end) == (piece.start, piece.end):
        return piece
    step = (piece.x1 - piece.x0) / (piece.end - piece.start)
    x0, x1 = piece.x0 + step * (start - piece.start), piece.x1 - step * (piece.end - end)
    return piece._replace(start=start, end=end, x0=x0, x1=x1)


def hull(pieces: Sequence[BoxedText]) -> Box:
    """The smallest box around all boxes."""
    return Box(
        round(min([piece.x0 for piece in pieces]), 2),
        round(min([piece.y0 for piece in pieces]), 2),
        round(max([piece.x1 for piece in pieces]), 2),
        round(max([piece.y1 for piece in pieces]), 2),
    )


def prose_of(
    lines: Sequence[FlowLine],
    book: Vocabulary,
    marks: Mapping[int, frozenset[str]] | None,
    restore: Callable[[list[Token]], list[Token]] | None = None,
) -> Prose:
    """The paragraph's text: words separated by one blank, broken words joined, calls of notes left out.

    marks: per page, the marks of its notes; None where nothing calls one. restore: corrects the tokens of an opening (capitals,
    initials)."""
    builder = Builder(book)
    verse = is_verse(lines)
    for row, each in enumerate(lines):
        own = each.line.tokens
        tokens = list(own) if marks is None else without_calls(own, marks.get(each.page, frozenset()))
        tokens = restore(tokens) if restore and row == 0 else tokens
        if tokens:
            builder.line(as_printed(tokens), each.page, row, forced=verse)
    return builder.prose()


def is_verse(lines: Sequence[FlowLine]) -> bool:
    """Whether most lines end on purpose: the next word would have fitted."""
    return 2 * sum(was_ended(a, b) for a, b in pairwise(lines)) > len(lines) - 1


def was_ended(line: FlowLine, following: FlowLine) -> bool:
    """Whether the next line's first word would have fitted into a line."""
    first = following.line.tokens[0]
    return line.slack > first.x1 - first.x0 + line.line.size


def without_calls(tokens: Sequence[Token], marks: frozenset[str]) -> list[Token]:
    """The tokens that are text; a token glued to a removed call is glued to the word before it."""
    result: list[Token] = []
    called = False  # the last token was a raised call: "3,4" may be three tokens
    for token, after in pairwise([*tokens, None]):
        assert token is not None  # noqa: S101 - for the type checker: only the last is None
        called = called and token.raised and token.glued and CALLS.fullmatch(token.text) is not None
        text = None if called else without_call(token, result, after, marks)
        if text:
            result.append(text)
        called = called or (text is None and token.raised)
    return result


def as_printed(tokens: list[Token]) -> list[Token]:
    """The tokens with raised and lowered characters as Unicode has them: "x²", "H₂O"; but "19th", and "1/2" set small. Small
    capitals within a line are capitals.

    Where Unicode has none, "^" or "_" stands before them, and they are not exact."""
    capitals = [has_capitals(token.style.font) for token in tokens]
    if any(capitals) and not all(capitals):
        tokens = [
            token._replace(text=token.text.upper()) if is_small and "ß" not in token.text else token
            for token, is_small in zip(tokens, capitals, strict=True)
        ]
    if not any(token.raised or token.lowered for token in tokens):
        return tokens
    return [shifted(tokens, i) if token.raised or token.lowered else token for i, token in enumerate(tokens)]


def shifted(tokens: Sequence[Token], i: int) -> Token:
    """Token i, which is raised or lowered, as it is printed."""
    token, before = tokens[i], tokens[i - 1] if i else None
    if is_numerator(tokens, i):
        mixed = before is not None and before.text[-1].isdigit()
        return token._replace(glued=token.glued and not mixed)
    glued = before is not None and (token.glued or token.x0 - before.x1 <= THIN * before.style.size)
    if is_numerator(tokens, i - 2) or is_logo(tokens, i):
        return token
    if not (glued or token.text[0].isdigit()):  # the beginning of a formula, if letters follow that are set as high
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        goes_on = after is not None and after.glued and (after.raised, after.lowered) == (token.raised, token.lowered)
        return token._replace(exact=token.exact and not goes_on)
    form = raised_form(token.text, before.text if before and glued else "") if token.raised else lowered_form(token.text)
    if form is not None:
        return token._replace(text=form, glued=glued)
    goes_on = before is not None and (before.raised, before.lowered) == (token.raised, token.lowered)
    sign = "" if goes_on else "^" if token.raised else "_"
    return token._replace(text=sign + token.text, exact=False)


def is_logo(tokens: Sequence[Token], i: int) -> bool:
    """Whether token i is the raised letter of "LaTeX"."""
    return 0 < i < len(tokens) - 1 and (tokens[i - 1].text[-1:], tokens[i].text, tokens[i + 1].text[:1]) == ("L", "A", "T")


def is_numerator(tokens: Sequence[Token], i: int) -> bool:
    """Whether token i is the upper number of a small fraction: "1/2" with a raised 1 and a small 2."""
    if not 0 <= i < len(tokens) - 2 or not tokens[i].raised:
        return False
    above, stroke, below = tokens[i : i + 3]
    small = below.lowered or below.style.size < stroke.style.size or stroke.text == FRACTION
    return stroke.text in ("/", FRACTION) and stroke.glued and below.glued and small and above.text.isdecimal()


class Builder:
    """Builds a text line by line; the only place that decides where blanks go."""

    def __init__(self, book: Vocabulary) -> None:
        self.book = book
        self.text = ""
        self.pieces: list[BoxedText] = []
        self.inexact: list[int] = []  # indices of pieces
        self.doubtful = False  # whether the word that was joined last may be written otherwise
        self.guessed = False  # whether an address that was joined last may end where its line does

    def line(self, tokens: Sequence[Token], page: int, row: int, *, forced: bool) -> None:
        """Add a line, joined to the text so far. forced: lines end on purpose, as in verse."""
        first, *rest = tokens
        self.doubtful = self.guessed = False
        glued = self.join(leading_word(tokens), forced) if self.text else True
        if self.guessed or (self.doubtful and first.confidence is not None):  # a text layer has more to tell from
            self.inexact.append(len(self.pieces))
        texts, end = [self.text], len(self.text)
        for token in (first._replace(glued=glued), *rest):
            text = token.text[:-1].replace(SOFT, "") + token.text[-1:]
            start = end if token.glued else end + 1
            texts.append(text if token.glued else f" {text}")
            end = start + len(text)
            if not token.exact:
                self.inexact.append(len(self.pieces))
            row_of_token, box = 2 * row + is_tall(token), (token.x0, token.y0, token.x1, token.y1)
            self.pieces.append(BoxedText(start, end, page, row_of_token, *box, token.confidence))
        self.text = "".join(texts)

    def join(self, word: str, forced: bool) -> bool:
        """Correct the end of the text before a line that begins with `word`; whether no blank goes between."""
        last = self.text.rpartition(" ")[2]
        if WITHIN_URL.match(last.lstrip("(<[“")) and word[:1].isalnum() and not (last[-1] == "." and word[0].isupper()):
            self.guessed = last[-1] == "/" and word.isalpha()
            if last.endswith("/-"):
                self.drop(1)
            return True
        if len(last) > 1 and last[-1] in HYPHENS and last[-2].isalnum() and word[:1].isalnum():
            joined = join_at_line_end(last, word, self.book)
            self.doubtful = not is_surely_joined(last[:-1], word, self.book)
            if word.casefold() in SUSPENDED and joined == last + word:
                return False
            self.drop(len(last) + len(word) - len(joined))
            return True
        if len(last) > 1 and last[-1] == "/" and not forced:
            return True
        dash = (len(last) > 1 and last[-1] in DASHES) or (len(word) > 1 and word[0] in DASHES)
        return dash and not forced and not self.book.spaced_dashes

    def drop(self, n: int) -> None:
        """Remove the last n characters from the text and the pieces; the box keeps the hyphen that is on the page."""
        if n <= 0:
            return
        self.text = self.text[:-n]
        end = len(self.text)
        for i in range(len(self.pieces) - 1, -1, -1):
            piece = self.pieces[i]
            if piece.end <= end:
                break
            self.pieces[i] = piece._replace(start=min(piece.start, end), end=end)

    def prose(self) -> Prose:
        """The built text; a soft hyphen at the very end is removed, and all kinds of hyphens are "-"."""
        inexact = tuple((self.pieces[i].start, self.pieces[i].end) for i in self.inexact)
        return Prose(self.text.rstrip(SOFT).replace("\u2010", "-").replace("\u2011", "-"), tuple(self.pieces), inexact)


def is_tall(token: Token) -> bool:
    """Whether a token is a drop cap, which has a box of its own."""
    return token.y1 - token.y0 > TALL * token.style.size


def leading_word(tokens: Sequence[Token]) -> str:
    """The first word of a line with all that is glued to it."""
    word = tokens[0].text
    for token in tokens[1:]:
        if not token.glued:
            break
        word += token.text
    return word
