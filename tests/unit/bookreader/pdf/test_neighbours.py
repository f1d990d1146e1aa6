"""A sentence whose lines do not follow each other on the page is not quoted, whatever put them together."""

from dataclasses import replace

import pytest

from bookreader.book import Chapter, Kind
from bookreader.pdf.addresses import joints_broken
from bookreader.pdf.flow import FlowLine
from bookreader.pdf.kinds import TextBlock
from bookreader.pdf.model import Line, PdfPage, TextStyle, Token, line_of

STYLE = TextStyle("Serif", 10.0, False, False, 0)


def a_line(row: int, page: int = 0, left: float = 50, size: float = 10.0) -> Line:
    """A line of 200 points in a row of 12 points."""
    y = 100.0 + 12 * row
    return line_of(page, [Token("words", left, y - 8, left + 200, y, STYLE._replace(size=size))], y)


def replace_text(line: Line, text: str) -> Token:
    """The word of that line as another one."""
    return line.tokens[0]._replace(text=text)


def broken(block: list[Line], printed: list[Line], apart: list[Line] | None = None, kind: Kind = Kind.CAPTION) -> bool:
    """Whether the paragraph of those lines is broken among all that are printed."""
    chapter = Chapter(-1, None, None)
    blocks = [
        TextBlock(each, chapter, (), tuple(FlowLine(line, 50, 250, None, None) for line in lines))
        for each, lines in ((Kind.SENTENCE, block), (kind, apart or []))
        if lines
    ]
    pages = [PdfPage(n, 600, 800, "", tuple(line for line in printed if line.page == n)) for n in (0, 1)]
    return 0 in joints_broken(blocks, pages)


def test_lines_that_follow_each_other_are_neighbours() -> None:
    lines = [a_line(row) for row in range(4)]

    assert not broken(lines[:2], lines)


def test_a_line_of_the_text_between_two_breaks_them() -> None:
    first, between, last = (a_line(row) for row in range(3))

    assert broken([first, last], [first, between, last])


def test_smaller_print_and_what_is_known_as_a_caption_do_not() -> None:
    first, between, last = (a_line(row) for row in range(3))
    small = a_line(1, size=6.0)

    assert not broken([first, last], [first, small, last])
    assert not broken([first, last], [first, between, last], apart=[between])
    assert broken([first, last], [first, between, last], apart=[between], kind=Kind.FORMULA)


def test_the_other_column_does_not_stand_between() -> None:
    left, right = [a_line(row) for row in range(3)], [a_line(row, left=300) for row in range(3)]

    assert not broken(left, [*left, *right])
    assert not broken([left[2], right[0]], [*left, *right])


def test_a_line_that_goes_on_elsewhere_is_the_last_of_its_column() -> None:
    left, right = [a_line(row) for row in range(3)], [a_line(row, left=300) for row in range(3)]
    over = [a_line(row, page=1) for row in range(3)]

    assert broken([left[1], right[0]], [*left, *right])
    assert not broken([left[2], over[0]], [*left, *over])
    assert broken([left[2], over[1]], [*left, *over])


def test_parts_of_a_row_are_neighbours() -> None:
    line = a_line(0)
    part = replace(line, x0=120.0)

    assert not broken([line, part], [line, part])


@pytest.mark.parametrize(
    ("words", "after"),
    [(["The", "And", "Boats –"], True), (["The", "And", "Boats."], False), (["The", "and", "Boats;"], False)],
)
def test_a_stanza_that_goes_on_in_the_next_breaks_it(words: list[str], after: bool) -> None:
    lines = [line_of(0, [replace_text(a_line(row), text)], a_line(row).baseline) for row, text in enumerate(words)]
    blocks = [
        TextBlock(Kind.SENTENCE, Chapter(-1, None, None), (), tuple(FlowLine(line, 50, 250) for line in own))
        for own in (lines, [a_line(9)])
    ]

    assert (-1 in joints_broken(blocks, []).get(1, frozenset())) is after
