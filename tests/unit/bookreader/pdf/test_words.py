import pytest

from bookreader.pdf.prose import Vocabulary, is_surely_joined, join_at_line_end, lower_opening, vocabulary_of
from tests.support.ink import words_of, wrap
from tests.support.marks import lines_down
from tests.support.press import PLAIN, Design, Element
from tests.support.prose import Author
from tests.support.reading import prose, read, the_one_with
from tests.support.typeset import page, para

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
    ("before", "after", "sure"),
    [
        ("treat", "ment", True),
        ("well", "known", True),
        ("grand", "father’s", True),
        ("under", "stand", True),
        ("dead", "weight", False),
        ("Sher", "man’s", True),
        ("Zor", "blatt", False),
        ("1914", "1918", False),
    ],
)
def test_where_a_divided_word_may_be_written_in_two_ways_it_is_not_sure(before: str, after: str, sure: bool) -> None:
    assert is_surely_joined(before, after, vocabulary("this is how the people of the land live and die")) == sure


def test_what_the_book_writes_elsewhere_is_sure() -> None:
    assert is_surely_joined("dead", "weight", vocabulary("it was a dead-weight to the people", "of the land and of the sea"))


def test_a_book_in_a_language_without_a_dictionary_has_no_doubtful_words() -> None:
    assert is_surely_joined("Stra", "ßen", vocabulary(*["Die Straßenbahn fährt durch lange Gassen zum Bahnhof hinaus"] * 3))


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


def test_the_books_own_spelling_decides_before_the_dictionary() -> None:
    assert join_at_line_end("to-", "day", vocabulary("it came to-day and", "to-day it goes")) == "to-day"
    assert join_at_line_end("to-", "day", vocabulary("it came today and", "today it goes")) == "today"


def test_a_word_only_this_book_has_is_joined() -> None:
    assert join_at_line_end("Brob-", "dingnag", vocabulary("in Brobdingnag they", "saw Brobdingnag again")) == "Brobdingnag"


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

    assert lower_opening(opening, book) == lowered


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


def test_a_compound_keeps_its_hyphen_in_a_short_book_that_has_no_other() -> None:
    book = read(*around(broken_over_a_line("well-·known"), compounds="Nobody came."))

    assert " well-known that" in the_one_with(book, "that nobody in the old town").text


def test_a_single_broken_word_is_joined_if_it_is_no_word_in_parts() -> None:
    book = read(page("It rained over the old har-", "bour, and then the sun", "came out over the town."))

    assert book.sentences[0].text == "It rained over the old harbour, and then the sun came out over the town."
