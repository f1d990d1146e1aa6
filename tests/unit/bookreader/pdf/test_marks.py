from dataclasses import replace

from bookreader.pdf.model import line_of, text_of
from tests.support.marks import a_line, a_page, a_style, a_token


def test_a_glued_token_has_no_blank_before_it() -> None:
    assert text_of([a_token("S"), a_token("MALL", glued=True), a_token("boats")]) == "SMALL boats"


def test_a_line_looks_and_stands_as_most_of_its_letters_do() -> None:
    large, small = a_style(20), a_style(10)

    line = line_of(0, [a_token("A", 50, style=large), a_token("harbour", 62, style=small)], 60)

    assert line.style == small
    assert (line.y0, line.y1) == (52, 62)
    assert (line.x0, line.x1) == (50, 97)


def test_a_line_with_other_tokens_reads_as_they_do() -> None:
    line = a_line("It rained.")

    assert replace(line, tokens=line.tokens[1:]).text == "rained."


def test_a_page_with_other_lines_is_the_same_page() -> None:
    page = a_page(a_line("It rained."), index=3, label="iv", images=2)

    assert page.with_lines([]) == replace(page, lines=())
