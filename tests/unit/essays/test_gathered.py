"""Corrections by rule: what is sure stays, and a language model explains it."""

from chapterverse.essays.model import Essay, Place
from chapterverse.essays.offline import gathered
from chapterverse.essays.text import parse_essay

ESSAY = parse_essay("\n\n".join(["A sentence of twenty letters and some more."] * 3))
SURE = Place(0, (8, 18), "understand")


def test_the_same_reason_is_one_comment_and_the_most_frequent_comes_first() -> None:
    rare = ("A capital.", Place(0, (0, 1), "I"))
    often = [("No apostrophe.", Place(at, (5, 9), "its")) for at in (2, 1)]

    found = gathered((), [rare, *often], ESSAY)

    assert [(one.text, [place.paragraph for place in one.places]) for one in found] == [
        ("No apostrophe.", [1, 2]),
        ("A capital.", [0]),
    ]


def test_a_model_explains_what_is_sure_where_it_mends_it_too() -> None:
    wider = Place(0, (4, 26), "not understand anything")

    [one] = gathered([("One negative is enough.", wider)], [("A plain form.", SURE)], ESSAY)

    assert (one.text, one.places) == ("One negative is enough.", (wider,))


def test_a_model_that_mends_a_part_changes_nothing_that_is_sure() -> None:
    [one] = gathered([("Mine.", Place(0, (10, 14), "understand"))], [("A plain form.", SURE)], ESSAY)

    assert (one.text, one.places) == ("A plain form.", (SURE,))


def test_a_misspelt_word_is_what_the_model_reads_in_its_sentence() -> None:
    sauce = Place(0, (8, 13), "sauce")

    [one] = gathered([("", sauce)], [("", Place(0, (8, 13), "source"))], ESSAY)

    assert one.places == (sauce,)


def test_a_capital_that_a_dictionary_guesses_gives_way_too() -> None:
    essay = parse_essay("He licked the hole handel.")
    wider, guessed = Place(0, (14, 25), "whole handle"), Place(0, (19, 25), "Handel")

    [one] = gathered([("Sounds.", wider)], [("A name.", guessed)], essay)

    assert one.places == (wider,)


def test_what_is_no_word_is_mended_wherever_it_stands_and_a_word_only_where_it_was_found() -> None:
    essay = parse_essay("We shoud were togther.\n\nThey shoud not, and were togther, not Shoud.")
    found = [("", at(essay, "shoud", "should")), ("Past.", at(essay, "were", "be"))]

    [past, misspelt] = gathered(found, [("", at(essay, "togther", "together"))], essay)

    assert [essay.paragraphs[one.paragraph].text[slice(*one.about)] for one in misspelt.places] == ["shoud", "togther"] * 2
    assert len(past.places) == 1


def at(essay: Essay, words: str, instead: str) -> Place:
    start = essay.paragraphs[0].text.index(words)
    return Place(0, (start, start + len(words)), instead)
