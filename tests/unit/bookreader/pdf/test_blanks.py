from dataclasses import replace

import pymupdf
import pytest

from bookreader.pdf.read import read_pages
from tests.support.ink import Ink, Run, draw, ink_of, width_of, words_of


def read_line(*inks: Ink) -> str:
    """The one line of a page with these runs."""
    with pymupdf.open() as document:
        draw(document.new_page(width=500, height=200), inks)
        [page] = read_pages(document)
    return " ".join(line.text for line in page.lines)


def spaced(text: str, by: float, size: float = 10) -> list[Ink]:
    """Letter by letter, moved apart by so many points; blanks are only gaps."""
    inks, x = list[Ink](), 50.0
    for letter in text:
        run = Run(letter, size)
        if letter != " ":
            inks.append(Ink(x, 80, run))
        x += run.width + by
    return inks


@pytest.mark.parametrize("by", [0, 0.5, 1, 2])
def test_letters_set_apart_make_words(by: float) -> None:
    assert read_line(*spaced("THE OLD HARBOUR", by)) == "THE OLD HARBOUR"


@pytest.mark.parametrize("text", ["Ripples in the stone", "The storm", "There is ice... and fog"])
def test_blanks_half_as_wide_as_usual_part_words(text: str) -> None:
    words = words_of(text, 10)

    assert read_line(*ink_of(words, 50, 80, stretched_to=width_of(words) - 1.25 * (len(words) - 1))) == text


def test_what_is_printed_twice_to_look_bold_is_read_once() -> None:
    inks = ink_of(words_of("The old harbour", 10), 50, 80)

    assert read_line(*inks, *(replace(ink, x=ink.x + 0.25) for ink in inks)) == "The old harbour"


def test_words_within_a_line_printed_twice_are_read_once() -> None:
    inks = [*ink_of(words_of("So what will be the most now?", 10), 50, 80)]
    anew = [replace(ink, x=ink.x - 0.3, y=80.2) for ink in inks]

    assert read_line(*inks[:7], *anew[2:7], *anew[2:], *anew[9:]) == "So what will be the most now?"


@pytest.mark.parametrize(("wider", "moved"), [(1.005, 0), (1.02, 0), (1, 1.4), (1, 2)])
def test_a_line_under_recognized_text_is_read_once(wider: float, moved: float) -> None:
    text = "It rained all winter, and the little lamps still stood along the walls of the old hall"
    inks = [*ink_of(words_of(text, 10), 50, 80)]
    anew = [replace(ink, x=50 + moved + wider * (ink.x - 50)) for ink in ink_of(words_of(text, 10 * wider), 50, 80)]

    assert read_line(*inks, *anew) == text


def test_no_narrow_letter_is_left_of_a_word_that_is_printed_anew() -> None:
    inks = [*ink_of(words_of("It rained all winter, and it still stood", 10), 50, 80)]
    anew = [replace(ink, x=ink.x + 1.4) for ink in inks]

    assert read_line(*inks, *anew[3:4], *anew[6:]) == "It rained all winter, and it still stood"


@pytest.mark.parametrize("width", [200, 230, 270])
def test_words_of_a_justified_line_are_parted_however_wide(width: float) -> None:
    words = "It rained all day, and nobody came to the quay"

    assert read_line(*ink_of(words_of(words, 10), 50, 80, stretched_to=width)) == words


def test_single_letters_with_wide_gaps_stay_apart() -> None:
    assert read_line(*ink_of(words_of("so did I a year ago", 10), 50, 80)) == "so did I a year ago"
