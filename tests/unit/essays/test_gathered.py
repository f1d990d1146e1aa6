"""Corrections by rule: what is sure stays, and a language model explains it."""

from chapterverse.essays.corrections import MAX_CORRECTIONS, correction, gathered
from chapterverse.essays.model import Place

SURE = Place(0, (8, 18), "understand")


def test_the_same_reason_is_one_comment_and_the_most_frequent_comes_first() -> None:
    rare = correction("A capital.", [Place(0, (0, 1), "I")])
    often = [correction("No apostrophe.", [Place(at, (5, 9), "its")]) for at in (2, 1)]

    found = gathered((), [rare, *often])

    assert [(one.text, [place.paragraph for place in one.places]) for one in found] == [
        ("No apostrophe.", [1, 2]),
        ("A capital.", [0]),
    ]


def test_a_model_explains_what_is_sure_where_it_mends_it_too() -> None:
    wider = Place(0, (4, 26), "not understand anything")

    [one] = gathered([correction("One negative is enough.", [wider])], [correction("A plain form.", [SURE])])

    assert (one.text, one.places) == ("One negative is enough.", (wider,))


def test_a_model_that_says_otherwise_changes_nothing_that_is_sure() -> None:
    other = [Place(0, (8, 18), "understanding"), Place(0, (10, 14), "understand")]

    [one] = gathered([correction("Mine.", [place]) for place in other], [correction("A plain form.", [SURE])])

    assert (one.text, one.places) == ("A plain form.", (SURE,))


def test_a_misspelt_word_is_what_the_model_reads_in_its_sentence() -> None:
    sauce = Place(0, (8, 13), "sauce")

    [one] = gathered([correction("", [sauce])], [correction("", [Place(0, (8, 13), "source")])])

    assert one.places == (sauce,)


def test_there_are_no_more_than_a_student_can_learn_from() -> None:
    sure = [correction(f"Rule {number}.", [Place(number, (0, 1), "a")]) for number in range(20)]

    assert len(gathered((), sure)) == MAX_CORRECTIONS
