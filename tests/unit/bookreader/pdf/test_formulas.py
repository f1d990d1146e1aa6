"""Lines with formulas in them, set as TeX sets them: each piece at its own place."""

from collections.abc import Sequence

import pymupdf
import pytest

from bookreader.pdf.characters import LARGE_SIGNS
from bookreader.pdf.model import PdfPage, Token
from bookreader.pdf.prose import as_printed
from bookreader.pdf.read import read_pages
from tests.support.ink import Ink, Run, draw

SIZE, SMALL, BASE = 10.0, 7.0, 100.0


def page_of(pieces: Sequence[tuple[str, float]], after: str = " stood there for a long time.") -> PdfPage:
    """One page with a line: "Here " and the pieces, each with its rise in points, those that are raised or lowered in small
    type. A piece "|" goes back to where the piece before it began."""
    inks, x, last = [], 50.0, 50.0
    furthest = 0.0
    for text, rise in [("Here ", 0.0), *pieces, (after, 0.0)]:
        if text == "|":
            x = last
            continue
        run = Run(text, SMALL if rise else SIZE)
        x = x if rise else max(x, furthest)
        inks.append(Ink(x, BASE - rise, run))
        last, x = x, x + run.width
        furthest = max(furthest, x)
    with pymupdf.open() as document:
        page = document.new_page(width=360, height=520)
        draw(page, [*inks, Ink(50, BASE + 14, Run("The next line of the page is set in the same type as it.", SIZE))])
        [read] = read_pages(document)
    return read


def tokens_of(page: PdfPage) -> list[Token]:
    line = next(line for line in page.lines if line.text.startswith("Here"))
    return as_printed(list(line.tokens))


def text_of(page: PdfPage) -> str:
    return "".join(token.text if token.glued else f" {token.text}" for token in tokens_of(page)).strip()


def is_exact(page: PdfPage) -> bool:
    return all(token.exact for token in tokens_of(page))


@pytest.mark.parametrize(
    ("pieces", "text", "exact"),
    [
        ([("x", 0), ("2", 3.6)], "x²", True),
        ([("10", 0), ("–3", 3.6)], "10⁻³", True),
        ([("H", 0), ("2", -1.5), ("O", 0)], "H₂O", True),
        ([("a", 0), ("n", -1.5)], "aₙ", True),
        ([("(x – x", 0), ("2", 3.6), (")", 0), ("0", 3.6)], "(x – x²)⁰", True),
        ([("on the 19", 0), ("th", 3.6)], "on the 19th", True),
        ([("the harbour", 0), ("3", 3.6)], "the harbour³", True),
        ([("1", 3.6), ("/", 0), ("2", -0.9)], "¹/₂", True),
        ([("H", 0), ("2", -1.5), ("O and x", 0), ("2", 3.6)], "H₂O and x²", True),
        ([("x", 0), ("q", 3.6)], "x^q", False),
        ([("P", 0), ("M", -1.5)], "P_M", False),
    ],
)
def test_raised_and_lowered_characters_are_written_as_such(pieces: list[tuple[str, float]], text: str, exact: bool) -> None:
    page = page_of(pieces)

    assert text_of(page) == f"Here {text} stood there for a long time."
    assert is_exact(page) is exact


@pytest.mark.parametrize(
    "pieces",
    [
        [("a", 0), ("2", 4), ("|", 0), ("i", -2.5)],
        [("2", 0), ("1", 4.3), ("|", 0.0), ("6", -3.8)],
        [(" ", 0), ("n", 4.3), ("|", 0), ("k", -3.8)],
    ],
)
def test_what_stands_above_each_other_is_one_line_that_is_not_exact(pieces: list[tuple[str, float]]) -> None:
    page = page_of(pieces)

    assert not is_exact(page)
    assert len(page.lines) == 2


def test_large_type_bears_no_floats() -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=360, height=520)
        body = [Ink(70, 110 + 12 * i, Run("The old harbour had been quiet all through that winter.", SIZE)) for i in range(4)]
        draw(page, [Ink(50, 122, Run("T", 26)), *body])
        [read] = read_pages(document)

    assert sorted(len(line.text) for line in read.lines)[0] == 1
    assert len(read.lines) == 5


def test_fonts_of_large_signs_are_known_by_name_and_typewriters_are_none() -> None:
    assert all(map(LARGE_SIGNS.match, ("CMEX10", "cmex10", "EUEX10")))
    assert not any(map(LARGE_SIGNS.match, ("CMTEX10", "CMTT10")))
