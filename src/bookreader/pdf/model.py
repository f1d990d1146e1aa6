"""Tokens, lines and pages as they stand in the PDF, not yet interpreted. Coordinates: PDF points from the top left."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from bookreader.book import Kind

Matrix = tuple[float, ...]  # (a, b, c, d, e, f): x' = a x + c y + e, y' = b x + d y + f (PDF 1.7, 8.3.3)
Item = TypeVar("Item")


class TextStyle(NamedTuple):
    """How a run of text looks. size in points, rounded to 0.1; color as 0xRRGGBB."""

    font: str
    size: float
    bold: bool
    italic: bool
    color: int


class Token(NamedTuple):
    """A piece of a word in one style. glued: no blank before it ("S" + "MALL"). raised, lowered: set above or below the line,
    and smaller. exact: whether the text is what is printed; False for signs without Unicode and parts of formulas. confidence:
    of the text recognition, 0 to 1; None for text of the file. block: its place in the structure that a tagged PDF names.

    A tuple, as is its style: a book has a hundred thousand, and a frozen dataclass takes four times as long to make."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    style: TextStyle
    glued: bool = False
    raised: bool = False
    lowered: bool = False
    exact: bool = True
    confidence: float | None = None
    block: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """Tokens on one baseline, left to right, never empty. text: of the tokens. style: of most characters."""

    page: int
    tokens: tuple[Token, ...]
    baseline: float
    style: TextStyle
    x0: float
    y0: float
    x1: float
    y1: float
    text: str = field(init=False, compare=False)  # stored, because nearly every step reads it

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", text_of(self.tokens))

    @property
    def size(self) -> float:
        return self.style.size

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    def divided(self, is_parted: Callable[[Token, Token], bool]) -> "list[Line]":
        """The line in parts. is_parted: whether a part ends with one token and another one begins with the next, a new word."""
        parts = in_groups(self.tokens, lambda part, token: token.glued or not is_parted(part[-1], token))
        return [line_of(self.page, part, self.baseline) for part in parts] if len(parts) > 1 else [self]


class Area(NamedTuple):
    """A place on a page: its edges, in points from the left and the top."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class PdfPage:
    """One page, rotated so that its text is upright.

    label: the PDF's own, "" if it has none. lines: in no particular order. to_display: matrix (a, b, c, d, e, f) to the page as
    displayed; None if they are the same. recognized: whether the lines were read by text recognition. artwork: the places of
    its pictures. rules: level and upright lines.

    What steps take out of the lines: artefacts; numbers of lines and paragraphs in the margins; sidenotes; notes at the foot,
    from top to bottom, with their marks ("3", "*"); extras, each a table, a text in one, or the lettering of a picture."""

    index: int
    width: float
    height: float
    label: str
    lines: tuple[Line, ...]
    images: int = 0
    to_display: Matrix | None = None
    recognized: bool = False
    artwork: tuple[Area, ...] = ()
    rules: tuple[Area, ...] = ()
    artefacts: tuple[Line, ...] = ()
    numbers: tuple[Line, ...] = ()
    sidenotes: tuple[Line, ...] = ()
    notes: tuple[Line, ...] = ()
    marks: frozenset[str] = frozenset()
    extras: tuple[tuple[Kind, tuple[Line, ...]], ...] = ()

    def with_lines(self, lines: Iterable[Line]) -> "PdfPage":
        """The page with other lines."""
        return replace(self, lines=tuple(lines))


def line_of(page: int, tokens: Sequence[Token], baseline: float) -> Line:
    """A line from tokens that share a baseline; its vertical extent is that of its commonest style, not of a stray glyph."""
    weight: defaultdict[TextStyle, int] = defaultdict(int)
    for token in tokens:
        weight[token.style] += len(token.text)
    style = max(weight, key=lambda s: (weight[s], s.size))
    ruling = [token for token in tokens if token.style == style]
    return Line(
        page=page,
        tokens=tuple(tokens),
        baseline=baseline,
        style=style,
        x0=min([token.x0 for token in tokens]),
        y0=min([token.y0 for token in ruling]),
        x1=max([token.x1 for token in tokens]),
        y1=max([token.y1 for token in ruling]),
    )


def text_of(tokens: Iterable[Token]) -> str:
    """The tokens' text with a blank before each that is not glued to the one before it."""
    return "".join([token.text if token.glued else f" {token.text}" for token in tokens]).strip()


def in_groups(items: Iterable[Item], belongs: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """The items in groups: one that belongs to the group before it joins that, another one begins the next."""
    groups: list[list[Item]] = []
    for item in items:
        if groups and belongs(groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def whole_words(tokens: Iterable[Token]) -> list[list[Token]]:
    """Each token with those glued to it: the parts of one word stay together."""
    return in_groups(tokens, lambda _, token: token.glued)


class PageMark(NamedTuple):
    """The beginning of a printed page in an e-book: its place on a set page, in points from top and left, and its label."""

    page: int
    y: float
    x: float
    label: str


class BlockMark(NamedTuple):
    """The beginning of a block of an e-book's text. kind: a Kind, or "h1" to "h6" for a heading. item: what stands before an
    item of a list, "*" for a bullet; empty for any other block."""

    page: int
    y: float
    kind: str
    item: str


class EbookMarks(NamedTuple):
    """What an e-book's own files say about the set pages, each in order. calls: the texts of the links to its notes."""

    pages: tuple[PageMark, ...]
    blocks: tuple[BlockMark, ...]
    calls: frozenset[str]
