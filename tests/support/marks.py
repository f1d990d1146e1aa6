"""Pages, lines and flows made by hand, in type whose letters are all half as wide as high."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from bookreader.pdf.flow import FlowLine
from bookreader.pdf.model import Line, PdfPage, TextStyle, Token, line_of

WIDTH, HEIGHT = 400.0, 600.0
LEFT, RIGHT, TOP, LEADING = 50.0, 350.0, 60.0, 12.0
SIZE = 10.0
WORDS = ["river", "boats", "lamps", "winter", "garden", "letter", "the", "of", "and", "never", "stood", "wrote", "under"]
SCRIPT = 0.6  # of the size: of raised tokens


def a_style(size: float = SIZE, *, bold: bool = False, italic: bool = False, color: int = 0) -> TextStyle:
    return TextStyle("Times", size, bold, italic, color)


def a_token(text: str, x0: float = 0, baseline: float = TOP, style: TextStyle | None = None, **flags: bool) -> Token:
    style = style or a_style()
    return Token(
        text, x0, baseline - 0.8 * style.size, x0 + width_of(text, style.size), baseline + 0.2 * style.size, style, **flags
    )


def width_of(text: str, size: float = SIZE) -> float:
    return 0.5 * size * len(text)


def a_line(text: str, x0: float = LEFT, baseline: float = TOP, page: int = 0, style: TextStyle | None = None) -> Line:
    """Words parted by blanks; "word^1" has a raised 1 glued to it, and "^1" stands raised alone."""
    style = style or a_style()
    tokens, x = list[Token](), x0
    for word in text.split():
        stem, _, call = word.partition("^")
        if stem:
            tokens.append(a_token(stem, x, baseline, style))
            x = tokens[-1].x1
        if call:
            small = style._replace(size=round(SCRIPT * style.size, 1))
            tokens.append(a_token(call, x, baseline - 0.35 * style.size, small, glued=bool(stem), raised=True))
            x = tokens[-1].x1
        x += 0.5 * style.size
    return line_of(page, tokens, baseline)


def full_line(
    baseline: float = TOP, x0: float = LEFT, x1: float = RIGHT, page: int = 0, style: TextStyle | None = None
) -> Line:
    """Words that fill the measure exactly; another line of the book has others."""
    random, letters = Random(f"{page} {baseline}"), round((x1 - x0) / (0.5 * (style or a_style()).size))
    text = random.choice(WORDS)
    while len(text) < letters - 8:
        text += f" {random.choice(WORDS)}"
    return a_line(f"{text} {'harbours'[: letters - len(text) - 1]}", x0, baseline, page, style)


def lines_down(*texts: str, x0: float = LEFT, top: float = TOP, leading: float = LEADING, page: int = 0) -> list[Line]:
    """One line below the other."""
    return [a_line(text, x0, top + i * leading, page) for i, text in enumerate(texts)]


def full_lines(count: int, top: float = TOP, x0: float = LEFT, x1: float = RIGHT, page: int = 0) -> list[Line]:
    return [full_line(top + i * LEADING, x0, x1, page) for i in range(count)]


def a_page(*lines: Line, index: int = 0, label: str = "", images: int = 0) -> PdfPage:
    """The lines, put on this page."""
    return PdfPage(index, WIDTH, HEIGHT, label, tuple(replace(line, page=index) for line in lines), images)


def some_pages(count: int, *extra: Sequence[Line], lines: int = 30) -> list[PdfPage]:
    """Pages full of text; extra[i] stands on page i besides, and the last one on all that follow."""
    more = [extra[min(i, len(extra) - 1)] if extra else () for i in range(count)]
    return [a_page(*full_lines(lines, page=i), *more[i], index=i) for i in range(count)]


def flowing(line: Line, above: float | None = 1.0, below: float | None = 1.0) -> FlowLine:
    """A line in a column as wide as the page's text."""
    return FlowLine(line, LEFT, RIGHT, above, below)


def a_flow(*rows: tuple[str, float] | str, page: int = 0) -> list[FlowLine]:
    """Lines closely one below the other: a text at the left edge, or (text, indent). "" leaves a line free."""
    flow, y, free = list[FlowLine](), TOP, False
    for row in rows:
        text, indent = row if isinstance(row, tuple) else (row, 0.0)
        y += LEADING
        if not text:
            free = True
            continue
        above = (2.0 if free else 1.0) if flow else None
        if flow:
            flow[-1] = replace(flow[-1], below=above)
        flow.append(flowing(a_line(text, LEFT + indent, y, page), above, None))
        free = False
    return flow
