import re
from collections import Counter
from dataclasses import replace

import pytest

from bookreader.pdf.flow import FlowLine
from bookreader.pdf.model import line_of
from bookreader.pdf.prose import (
    Prose,
    Vocabulary,
    is_one_word,
    join_at_line_end,
    lower_opening,
    prose_of,
    vocabulary_of,
    without_calls,
)
from tests.support.marks import LEFT, TOP, a_flow, a_line, a_style, a_token, flowing, full_lines, lines_down
from tests.support.reading import read
from tests.support.typeset import page


def words_of_book(*lines: FlowLine) -> Vocabulary:
    """The lines' own words, in a words_of_book that breaks others."""
    broken = lines_down("a mother-in-law, a cit-", "izen, the pas-", "sage of a pris-", "oner with his knowl-", "edge of the")
    return vocabulary_of([*broken, *(each.line for each in lines)])


def set_in_lines(*texts: str, marks: frozenset[str] = frozenset()) -> Prose:
    """Lines one below the other, set so wide that they are full."""
    widest = max(map(len, texts))
    flow = [
        FlowLine(each.line, LEFT, each.line.x1, each.above, each.below) for each in a_flow(*(t.ljust(widest) for t in texts))
    ]
    return prose_of(flow, words_of_book(*flow), {0: marks})


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("It rained all day and all the night—", "or so I think."), "It rained all day and all the night—or so I think."),
        (("They bought two-", "and three-year bonds."), "They bought two- and three-year bonds."),
        (("The har\u00adbour froze.",), "The harbour froze."),
        (("They rowed over it again, 7/", "n times in the year."), "They rowed over it again, 7/n times in the year."),
        (("They rowed over it again, /", "n times in the year."), "They rowed over it again, / n times in the year."),
        (("See https://example.org/", "page now."), "See https://example.org/page now."),
    ],
)
def test_lines_are_joined_by_a_blank_unless_a_dash_a_slash_or_an_address_goes_on(lines: tuple[str, ...], text: str) -> None:
    assert set_in_lines(*lines).text == text


def test_calls_are_left_out_and_powers_kept_and_what_has_no_form_is_inexact() -> None:
    assert set_in_lines("The harbour^1 froze.^2 It is 10^3 sp^2 yards. ➠").text == "The harbour froze. It is 10³ sp² yards."
    line = a_line("harbour^3")
    small = line.tokens[-1]
    tokens = (*line.tokens, small._replace(text=","), small._replace(text="4"))
    assert [token.text for token in without_calls(tokens, frozenset())] == ["harbour"]
    numbered = (line.tokens[0], small._replace(glued=False), line.tokens[0]._replace(text="Nobody", glued=True))
    assert [token.glued for token in without_calls(numbered, frozenset())] == [False, False]

    built = set_in_lines("It is 10^q yards long.")
    assert built.text == "It is 10^q yards long."
    assert not built.is_exact(0, 10)
    assert built.is_exact(10, len(built.text))


def test_every_line_of_a_span_has_one_box_and_of_a_joined_word_each_half() -> None:
    lines = [flowing(line) for line in full_lines(3)]
    whole = prose_of(lines, words_of_book(*lines), {})
    [(page, boxes)] = whole.pages(0, len(whole.text))
    assert page == 0
    assert [(box.x0, box.x1, box.y0, box.y1) for box in boxes] == [(50, 350, 52 + 12 * i, 62 + 12 * i) for i in range(3)]

    whole = set_in_lines("the treat-", "ment of it")
    [(_, boxes)] = whole.pages(whole.text.index("treatment"), whole.text.index("treatment") + 9)
    assert [(box.x0, box.x1) for box in boxes] == [(70, 100), (50, 70)]


@pytest.mark.parametrize(("span", "x0", "x1"), [((0, 2), 50, 60), ((3, 9), 65, 95), ((4, 7), 70, 85)])
def test_a_part_of_a_line_has_its_share_of_the_width(span: tuple[int, int], x0: float, x1: float) -> None:
    lines = [flowing(a_line("It rained"))]

    [(_, [box])] = prose_of(lines, words_of_book(*lines), {}).pages(*span)

    assert (box.x0, box.x1) == (x0, x1)


@pytest.mark.parametrize(
    ("before", "after", "exact"),
    [
        ("See https://example.org/", "page now.", False),
        ("See https://example.org/", "page-2 now.", True),
        ("He never liked the sea-", "lawyering of the crew.", False),
        ("He never liked the well-", "known crew of the boat.", True),
        ("He never liked Wittgen-", "stein and the old boat.", True),
    ],
)
def test_where_a_line_may_end_an_address_or_a_word_otherwise_the_text_is_in_doubt(before: str, after: str, exact: bool) -> None:
    found = set_in_lines(before, after)

    assert found.is_exact(0, len(found.text)) is exact


def scripted(*pieces: tuple[str, float, bool]) -> Prose:
    """A line of pieces (text, where it begins, whether raised), each a token after a blank."""
    tokens = [
        a_token(text, x, TOP - 3 if raised else TOP, a_style(6 if raised else 10), raised=raised) for text, x, raised in pieces
    ]
    lines = [flowing(line_of(0, tokens, TOP))]
    return prose_of(lines, words_of_book(*lines), {})


def test_a_raised_run_that_touches_a_letter_is_part_of_it_and_a_formula_set_small_is_not_exact() -> None:
    found = scripted(("what", 50, False), ("f", 80, False), ("(23)", 86, True), ("is?", 110, False))
    assert found.text == "what f⁽²³⁾ is?"
    assert found.is_exact(0, len(found.text))

    tokens = [
        a_token("lim", 50),
        a_token("sin(", 75, TOP - 3, a_style(6), raised=True),
        a_token("θ", 87, TOP - 3, a_style(6), raised=True, glued=True),
    ]
    lines = [flowing(line_of(0, tokens, TOP))]
    found = prose_of(lines, words_of_book(*lines), {})
    assert not found.is_exact(0, len(found.text))


def vocabulary(*lines: str) -> Vocabulary:
    """Of a book that breaks words, has hyphens of its own, and these lines."""
    broken = ["a light-house, a cit-", "izen and the pas-", "sage of a pris-", "oner with his knowl-", "edge of the"]
    return vocabulary_of(lines_down(*broken, *lines))


GERMAN = ["Der Kapitän ist nicht auf dem Schiff und geht links-rechts mit einer Laterne zu der Brücke"] * 3


def joined(divided: str, book: Vocabulary) -> str:
    """The word that is divided over a line's end at its last hyphen."""
    at = max(map(divided.rfind, "-\u2010\u00ad")) + 1
    return join_at_line_end(divided[:at], divided[at:], book)


@pytest.mark.parametrize(
    ("divided", "book"),
    [
        *((word, []) for word in ("treat-ment", "har\u2010bour.", "govern\u00adment,", "FEA-TURE", "“under-stand”", "hum-our")),
        ("well\u00adknown", []),
        ("wan-dert", GERMAN),
    ],
)
def test_hyphens_of_the_typesetter_go(divided: str, book: list[str]) -> None:
    assert joined(divided, vocabulary(*book)) == re.sub("[-\u2010\u00ad]", "", divided)


@pytest.mark.parametrize(
    ("word", "book"),
    [
        *((word, []) for word in ("well-known", "self-interest", "Anglo-Saxon", "WELL-KNOWN", "mother-in-law", "1914-1918")),
        *((word, GERMAN) for word in ("Nordsee-Insel", "links-rechts", "Hof-und", "x-beliebig")),
    ],
)
def test_hyphens_of_the_author_stay(word: str, book: list[str]) -> None:
    assert joined(word, vocabulary(*book)) == word


def test_the_books_own_spelling_decides_before_the_dictionary_and_where_it_has_none() -> None:
    assert join_at_line_end("to-", "day", vocabulary("it came to-day and", "to-day it goes")) == "to-day"
    assert join_at_line_end("to-", "day", vocabulary("it came today and", "today it goes")) == "today"

    assert join_at_line_end("Brob-", "dingnag", vocabulary("in Brobdingnag they", "saw Brobdingnag again")) == "Brobdingnag"

    unbroken = vocabulary_of(lines_down("the lamp-", "winter boat-", "moon of the mill-", "rope and quay-", "letter of it"))
    found = [join_at_line_end(*halves, unbroken) for halves in (("implemen-", "tation"), ("over-", "come"))]
    assert found == ["implementation", "over-come"]


@pytest.mark.parametrize(
    ("opening", "lowered"),
    [
        (["THE", "SUBJECT", "OF"], ["The", "subject", "of"]),
        (["WHEN", "I", "WAS"], ["When", "I", "was"]),
        (["“THE", "BOATS,”"], ["“The", "boats,”"]),
        (["A", "MAN"], ["A", "man"]),
        (["HENRY", "VIII"], ["Henry", "VIII"]),
        (["THERE", "MARTHA", "STOOD"], ["There", "Martha", "stood"]),
    ],
)
def test_an_opening_in_capitals_is_written_as_elsewhere(opening: list[str], lowered: list[str]) -> None:
    book = vocabulary("then Martha came and", "saw that Martha was", "not the Martha she", "had been")

    assert list(lower_opening(opening, book)) == lowered


def test_in_a_short_book_a_compound_keeps_its_hyphen_and_what_is_no_word_in_parts_is_joined() -> None:
    assert join_at_line_end("well-", "known", vocabulary_of([])) == "well-known"

    book = read(page("It rained over the old har-", "bour, and then the sun", "came out over the town."))
    assert book.sentences[0].text == "It rained over the old harbour, and then the sun came out over the town."


def test_in_a_book_set_without_breaking_words_a_hyphen_that_it_writes_stays() -> None:
    book = Vocabulary(Counter(), Counter({"multi-national": 5}), frozenset(), frozenset(), False, False, True, False)

    assert not is_one_word("a multi", "national firm", book)
    assert is_one_word("a multi", "national firm", replace(book, compounds=Counter()))
