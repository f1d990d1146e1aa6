"""The press of `typeset`: lines one below the other, column after column, page after page, in the look of a design."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pymupdf

from bookreader.numerals import to_roman
from tests.support.ink import Ink, Run, Word, draw, ink_of, width_of, words_of, wrap

NOTE_SIZE = 0.78  # of the body's
RULE = 12  # points between text and notes


def numbered(front: int = 0, first: int = 1) -> Callable[[int], str]:
    """Page index → what a press prints: roman for so many pages of front matter, then arabic from `first`."""
    return lambda index: to_roman(index + 1) if index < front else str(index - front + first)


ARABIC = numbered()


@dataclass(frozen=True)
class Design:
    """How a book looks. top, bottom: baselines of the first and last line of a page; indent, space: of new paragraphs.

    head: running head of all but opening pages; folio: where the page number stands (head, foot or ""), with folios its text;
    line_numbers: every how many lines one is printed."""

    width: float = 360
    height: float = 520
    left: float = 50
    right: float = 50
    top: float = 66
    bottom: float = 456
    size: float = 10
    leading: float = 13
    font: str = "tiro"
    justified: bool = True
    indent: float = 14
    space: float = 0
    columns: int = 1
    gutter: float = 18
    hyphen: str = "-"
    head: str = ""
    folio: str = ""
    folios: Callable[[int], str] = ARABIC
    footer: str = ""
    watermark: str = ""
    line_numbers: int = 0

    @property
    def measure(self) -> float:
        """The width of a column."""
        return (self.width - self.left - self.right - (self.columns - 1) * self.gutter) / self.columns


PLAIN = Design()


@dataclass
class Sheet:
    """A page in the making. strokes: lines drawn on it, from point to point. opens: whether a chapter begins on it."""

    label: str = ""
    inks: list[Ink] = field(default_factory=list)
    strokes: list[tuple[float, float, float, float]] = field(default_factory=list)
    opens: bool = False
    scanned: bool = False
    lines: int = 0


@dataclass(frozen=True)
class Announced:
    """A heading and where it came to stand, for the outline and the contents page."""

    level: int
    text: str
    index: int


class Press:
    """Sets lines one below the other, column after column, page after page."""

    def __init__(self, design: Design, announced: Sequence[Announced]) -> None:
        self.design, self.announced = design, announced
        self.asked = False  # somebody wanted to know where the headings stand
        self.sheets: list[Sheet] = []
        self.headings: list[Announced] = []
        self.fresh = True  # nothing stands on the page yet
        self.new_page()

    @property
    def sheet(self) -> Sheet:
        return self.sheets[-1]

    @property
    def left(self) -> float:
        return self.design.left + self.column * (self.design.measure + self.design.gutter)

    def new_page(self) -> Sheet:
        """Begin a page; the notes of the one before are put at its foot."""
        if self.sheets:
            self.set_notes()
        self.sheets.append(Sheet())
        self.column, self.after_heading, self.fresh = 0, True, True
        self.ceiling = self.design.top - self.design.leading
        self.begin_column()
        return self.sheet

    def clear(self) -> Sheet:
        """A page with nothing on it."""
        return self.sheet if self.fresh else self.new_page()

    def begin_column(self) -> None:
        self.y, self.floor = self.ceiling, self.design.bottom
        self.notes: list[list[Word]] = []

    def next_column(self) -> None:
        if self.column + 1 == self.design.columns:
            self.new_page()
            return
        self.set_notes()
        self.column += 1
        self.begin_column()

    def space(self, points: float) -> None:
        """Leave room, but not at the top of a column."""
        if self.y > self.ceiling:
            self.y += points

    def need(self, points: float) -> None:
        """Go to the next column where less is left."""
        if self.y + points > self.floor + 0.01:
            self.next_column()

    def line(self, words: Sequence[Word], x: float, leading: float, stretched_to: float | None = None) -> None:
        """One line below the last, x points into the column."""
        self.need(leading)
        self.y += leading
        self.fresh = False
        self.sheet.inks += ink_of(words, self.left + x, self.y, stretched_to)

    def centred(self, text: str, size: float, font: str, width: float, x: float = 0) -> None:
        """Lines in the middle of a width that begins x points into the column."""
        for words in wrap(words_of(text, size, font), lambda _: width):
            self.line(words, x + (width - width_of(words)) / 2, 1.25 * size)

    def note_lines(self, mark: str, text: str) -> list[list[Word]]:
        words = words_of(f"^{mark} {text}", NOTE_SIZE * self.design.size)
        return wrap(words, lambda _: self.design.measure, self.design.hyphen)

    def room_of(self, notes: Sequence[list[Word]]) -> float:
        """Points that lines of footnotes take at the foot of this column."""
        return 1.2 * NOTE_SIZE * self.design.size * len(notes) + (RULE if notes and not self.notes else 0)

    def note(self, lines: Sequence[list[Word]]) -> None:
        """Keep lines of footnotes for the foot of this column, and their room free."""
        self.floor -= self.room_of(lines)
        self.notes += lines

    def set_notes(self) -> None:
        step = 1.2 * NOTE_SIZE * self.design.size
        for i, words in enumerate(reversed(self.notes)):
            self.sheet.inks += ink_of(words, self.left, self.design.bottom - i * step)
        self.notes = []

    def aside(self, text: str, x: float, size: float) -> None:
        """Lines beside the text, the first one level with the last line set."""
        for i, words in enumerate(wrap(words_of(text, size), lambda _: 42)):
            self.sheet.inks += ink_of(words, x, self.y + 1.1 * i * size)

    def announce(self, level: int, text: str) -> None:
        self.headings.append(Announced(level, text, len(self.sheets) - 1))


Element = Callable[[Press], None]


def print_sheet(document: pymupdf.Document, sheet: Sheet, index: int, design: Design) -> None:
    """Put the text on a page, and what the design adds around it."""
    paper = document.new_page(width=design.width, height=design.height)
    if sheet.scanned:
        picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 36, 52), False)
        picture.clear_with(200)
        paper.insert_image(paper.rect, pixmap=picture)
        return
    draw(paper, [*sheet.inks, *around(sheet, index, design)])
    for x0, y0, x1, y1 in sheet.strokes:
        paper.draw_line((x0, y0), (x1, y1), width=0.5)


def around(sheet: Sheet, index: int, design: Design) -> Iterator[Ink]:
    """Running head, folio, footer, watermark; opening pages have no head, nor a folio in it."""
    small, right = 0.85 * design.size, design.width - design.right
    head, foot = design.top - 24, design.bottom + 26
    folio = Run(design.folios(index), small)
    if design.head and not sheet.opens:
        yield Ink(design.left + 60, head, Run(design.head, small))
    if design.folio == "foot":
        yield Ink((design.width - folio.width) / 2, foot, folio)
    if design.folio == "head" and not sheet.opens:
        yield Ink(design.left if index % 2 else right - folio.width, head, folio)
    if design.footer:
        yield Ink(design.left, foot + 14, Run(design.footer, 6))
    if design.watermark:
        yield Ink(design.width / 4, design.height * 0.7, Run(design.watermark, 54, "helv", color=(0.8, 0.8, 0.8)), rotation=45)
