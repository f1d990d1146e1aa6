"""Lines of a paragraph to its text, with every character's place on the page kept."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

from chapterverse.core.book import Box
from chapterverse.library.pdf.flow import FlowLine
from chapterverse.library.pdf.model import Token
from chapterverse.library.pdf.notes import without_call
from chapterverse.library.pdf.words import HYPHENS, SOFT, Vocabulary, join_at_line_end

TALL = 2.0  # × the type size
DASHES = "—–"
SUSPENDED = frozenset({"and", "or", "to", "nor"})  # "two- and three-year": the hyphen stays, and a blank follows it


class BoxedText(NamedTuple):
    """Characters [start, end) of a text and their box on this page, in points; row tells lines apart."""

    start: int
    end: int
    page: int
    row: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph's text and its places on pages."""

    text: str
    pieces: tuple[BoxedText, ...]

    def pages(self, start: int, end: int) -> list[tuple[int, tuple[Box, ...]]]:
        """(page index, one box a line) for characters [start, end), in reading order."""
        rows = groupby(self.within(start, end), key=lambda piece: (piece.page, piece.row))
        boxes = [(page, hull(list(pieces))) for (page, _), pieces in rows]
        return [(page, tuple(box for _, box in group)) for page, group in groupby(boxes, key=lambda pair: pair[0])]

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
    marks: Mapping[int, frozenset[str]],
    restore: Callable[[list[Token]], list[Token]] | None = None,
) -> Prose:
    """The paragraph's text: words separated by one blank, broken words joined, calls of notes left out.

    marks: per page, the marks of its notes. restore: corrects the tokens of an opening (capitals, initials)."""
    builder = Builder(book)
    verse = is_verse(lines)
    for row, each in enumerate(lines):
        tokens = without_calls(each.line.tokens, marks.get(each.page, frozenset()))
        tokens = restore(tokens) if restore and row == 0 else tokens
        if tokens:
            builder.line(tokens, each.page, row, forced=verse)
    return builder.prose()


def is_verse(lines: Sequence[FlowLine]) -> bool:
    """Whether most lines end on purpose: the next word would have fitted."""
    return 2 * sum(was_ended(a, b) for a, b in pairwise(lines)) > len(lines) - 1


def was_ended(line: FlowLine, following: FlowLine) -> bool:
    first = following.line.tokens[0]
    return line.slack > first.x1 - first.x0 + line.line.size


def without_calls(tokens: Iterable[Token], marks: frozenset[str]) -> list[Token]:
    """The tokens that are text; a token glued to a removed call is glued to the word before it."""
    kept: list[Token] = []
    for token in tokens:
        text = without_call(token, kept[-1] if kept else None, marks)
        if text:
            kept.append(text)
    return kept


class Builder:
    """Builds a text line by line; the only place that decides where blanks go."""

    def __init__(self, book: Vocabulary) -> None:
        self.book = book
        self.text = ""
        self.pieces: list[BoxedText] = []

    def line(self, tokens: Sequence[Token], page: int, row: int, *, forced: bool) -> None:
        """Add a line, joined to the text so far. forced: lines end on purpose, as in verse."""
        first, *rest = tokens
        glued = self.join(leading_word(tokens), forced) if self.text else True
        texts, end = [self.text], len(self.text)
        for token in (first._replace(glued=glued), *rest):
            text = token.text[:-1].replace(SOFT, "") + token.text[-1:]
            start = end if token.glued else end + 1
            texts.append(text if token.glued else f" {text}")
            end = start + len(text)
            self.pieces.append(BoxedText(start, end, page, 2 * row + is_tall(token), token.x0, token.y0, token.x1, token.y1))
        self.text = "".join(texts)

    def join(self, word: str, forced: bool) -> bool:
        """Correct the end of the text before a line that begins with `word`; whether no blank goes between."""
        last = self.text.rpartition(" ")[2]
        if len(last) > 1 and last[-1] in HYPHENS and last[-2].isalnum() and word[:1].isalnum():
            joined = join_at_line_end(last, word, self.book)
            if word.casefold() in SUSPENDED and joined == last + word:
                return False
            self.drop(len(last) + len(word) - len(joined))
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
        """The built text; a soft hyphen at the very end is removed, and all hyphens are "-", whatever the font calls them."""
        return Prose(self.text.rstrip(SOFT).replace("\u2010", "-").replace("\u2011", "-"), tuple(self.pieces))


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
