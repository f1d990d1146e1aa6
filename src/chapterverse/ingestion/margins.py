"""What stands beside the text: side notes are kept as such; line and paragraph numbers are dropped."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chapterverse.ingestion.frame import Frame, Leaf, is_number, leaf_of
from chapterverse.ingestion.marks import Line, Page, Token, line_of, whole_words

OUTSIDE = 0.25  # of the type size: so far beyond the frame's edge a token stands in the margin
SET_OFF = 0.45  # of the type size: a blank so wide parts margin and text, a narrower one is within a line that hangs out
SMALLER = 0.95  # of the type size: a side note is set no larger than this


@dataclass(frozen=True, slots=True)
class Margined:
    """A page with what stood in its margins taken out. numbers: line and paragraph numbers."""

    page: Page
    sidenotes: tuple[Line, ...]
    numbers: tuple[Line, ...]


def part_margins(pages: Sequence[Page], frames: Mapping[Leaf, Frame]) -> list[Margined]:
    """Every page without its margins."""
    return [part_page(page, frames[leaf_of(page)]) for page in pages]


def part_page(page: Page, frame: Frame) -> Margined:
    """A line that reaches over the frame's edge is cut there first."""
    text: list[Line] = []
    notes: list[Line] = []
    numbers: list[Line] = []
    for piece in (piece for line in page.lines for piece in cut_at_edges(line, frame)):
        if inside(piece, frame):
            text.append(piece)
        elif is_number(piece.text):
            numbers.append(piece)
        else:
            (notes if piece.size <= SMALLER * frame.size else text).append(piece)
    return Margined(page.with_lines(text), tuple(notes), tuple(numbers))


def cut_at_edges(line: Line, frame: Frame) -> Iterator[Line]:
    """The line, in pieces where its words pass from margin to text and a wide blank sets them off there."""
    if all(side_of(token, frame) == 0 for token in line.tokens):
        yield line
        return
    piece: list[Token] = []
    for word in whole_words(line.tokens):  # a hyphen that hangs into the margin stays with its word
        if piece and side_of(piece[-1], frame) != side_of(word[0], frame) and word[0].x0 - piece[-1].x1 >= SET_OFF * line.size:
            yield line_of(line.page, piece, line.baseline)
            piece = []
        piece += word
    yield line_of(line.page, piece, line.baseline)


def side_of(token: Token, frame: Frame) -> int:
    """-1 left of the frame, 1 right of it, 0 for what touches it."""
    slack = OUTSIDE * frame.size
    return -int(token.x1 < frame.left - slack) or int(token.x0 > frame.right + slack)


def inside(line: Line, frame: Frame) -> bool:
    """Whether any of the line stands in the frame."""
    return line.x1 >= frame.left - OUTSIDE * frame.size and line.x0 <= frame.right + OUTSIDE * frame.size
