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
from tests.support.ink import words_of, wrap
from tests.support.marks import LEFT, TOP, a_flow, a_line, a_style, a_token, flowing, full_lines, lines_down
from tests.support.press import PLAIN, Design, Element
from tests.support.prose import Author
from tests.support.reading import prose, read, the_one_with
from tests.support.typeset import page, para


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


def test_no_blank_comes_after_a_dash_and_one_after_a_suspended_hyphen_and_a_soft_hyphen_is_invisible() -> None:
    assert (
        set_in_lines("It rained all day and all the night—", "or nearly so—I think.").text
        == "It rained all day and all the night—or nearly so—I think."
    )

    assert set_in_lines("They bought two-", "and three-year bonds.").text == "They bought two- and three-year bonds."

    assert set_in_lines("The har\u00adbour froze.").text == "The harbour froze."


@pytest.mark.parametrize(
    ("before", "after", "joined"), [("7/", "n", "7/n"), ("https://", "doi.org", "https://doi.org"), ("/", "n", "/ n")]
)
def test_a_slash_that_touches_its_word_touches_the_next_line(before: str, after: str, joined: str) -> None:
    assert set_in_lines(f"They rowed over and over again, {before}", f"{after} times in the long winter of the year.").text == (
        f"They rowed over and over again, {joined} times in the long winter of the year."
    )


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


def test_an_address_of_the_web_goes_on_at_a_lines_end() -> None:
    assert set_in_lines("See https://example.org/", "page now.").text == "See https://example.org/page now."


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


HYPHENS = {"hyphen": "-", "U+2010": "\u2010", "soft hyphen": "\u00ad"}


def vocabulary(*lines: str) -> Vocabulary:
    """Of a book that breaks words, has hyphens of its own, and these lines."""
    broken = ["a light-house, a cit-", "izen and the pas-", "sage of a pris-", "oner with his knowl-", "edge of the"]
    return vocabulary_of(lines_down(*broken, *lines))


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("treat-", "ment", "treatment"),
        ("har\u2010", "bour.", "harbour."),
        ("govern\u00ad", "ment,", "government,"),
        ("well-", "known", "well-known"),
        ("self-", "interest", "self-interest"),
        ("Anglo-", "Saxon", "Anglo-Saxon"),
        ("FEA-", "TURE", "FEATURE"),
        ("WELL-", "KNOWN", "WELL-KNOWN"),
        ("“under-", "stand”", "“understand”"),
        ("mother-in-", "law", "mother-in-law"),
        ("1914-", "1918", "1914-1918"),
        ("well\u00ad", "known", "wellknown"),
        ("hum-", "our", "humour"),
        ("par-", "lour", "parlour"),
    ],
)
def test_only_the_hyphens_of_the_typesetter_go(before: str, after: str, joined: str) -> None:
    assert join_at_line_end(before, after, vocabulary()) == joined


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("wan-", "dert", "wandert"),
        ("Ha-", "fen,", "Hafen,"),
        ("Nordsee-", "Insel", "Nordsee-Insel"),
        ("links-", "rechts", "links-rechts"),
        ("Hof-", "und", "Hof-und"),
        ("x-", "beliebig", "x-beliebig"),
    ],
)
def test_german_words_are_joined_before_a_small_letter(before: str, after: str, joined: str) -> None:
    book = vocabulary(*["Der Kapitän ist nicht auf dem Schiff und geht links-rechts mit einer Laterne zu der Brücke"] * 3)
    assert join_at_line_end(before, after, book) == joined


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


def broken_over_a_line(word: str, design: Design = PLAIN) -> str:
    """A paragraph in which the word falls over the end of a line, at its last mark."""
    head = word.rpartition("·")[0]
    for seed in range(500):
        text = f"{Author(seed).clause().capitalize()} of the {word} that nobody in the old town had ever read about before."
        lines = wrap(words_of(text, design.size), lambda n: design.measure - design.indent * (n == 0), design.hyphen)
        if any(line[-1][0].text.rstrip("-\u2010\u00ad").endswith(head.rstrip("-\u2010").replace("·", "")) for line in lines):
            return text
    raise AssertionError(f"{word} never falls over the end of a line")


def around(text: str, compounds: str = "A light-house is a half-forgotten sight.") -> list[Element]:
    """A book with this paragraph, and hyphens inside its lines."""
    return [*prose(8, 1), para(text), para(compounds), *prose(8, 2)]


@pytest.mark.parametrize("hyphen", HYPHENS.values(), ids=HYPHENS)
@pytest.mark.parametrize("word", ["treat·ment", "un·der·stand·ing"])
def test_a_word_that_the_typesetter_broke_is_whole_again(word: str, hyphen: str) -> None:
    design = Design(hyphen=hyphen)

    book = read(*around(broken_over_a_line(word, design)), design=design)

    assert f" {word.replace('·', '')} that" in the_one_with(book, "that nobody in the old town").text


def test_in_a_short_book_a_compound_keeps_its_hyphen_and_what_is_no_word_in_parts_is_joined() -> None:
    book = read(*around(broken_over_a_line("well-·known"), compounds="Nobody came."))
    assert " well-known that" in the_one_with(book, "that nobody in the old town").text

    book = read(page("It rained over the old har-", "bour, and then the sun", "came out over the town."))
    assert book.sentences[0].text == "It rained over the old harbour, and then the sun came out over the town."


def test_in_a_book_set_without_breaking_words_a_hyphen_that_it_writes_stays() -> None:
    book = Vocabulary(Counter(), Counter({"multi-national": 5}), frozenset(), frozenset(), False, False, True, False)

    assert not is_one_word("a multi", "national firm", book)
    assert is_one_word("a multi", "national firm", replace(book, compounds=Counter()))
