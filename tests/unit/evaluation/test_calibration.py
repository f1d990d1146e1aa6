import random

import pytest

from chapterverse.evaluation.calibration import Asked, maybe_from, question_of, sure_from, told_at

GOOD = [Asked(0.9, True, 0.3), Asked(0.8, True, 0.4), Asked(0.7, True, 0.2)]
STRAY = Asked(0.6, False, 0.5)


def test_a_question_is_half_of_the_words_that_say_something_in_their_order() -> None:
    text = "The greatest happiness of the greatest number is the measure of right and wrong."

    question = question_of(text, random.Random(0))

    assert question is not None
    places = [text.index(word) for word in question.split()]
    assert len(places) == 4
    assert places == sorted(places)
    assert not {"the", "of", "is", "and"} & set(question.lower().split())


@pytest.mark.parametrize("text", ["", "Of the people.", "Yes, indeed so.", " ".join(f"word{n}" for n in range(50))])
def test_of_what_says_too_little_or_too_much_no_question_is_made(text: str) -> None:
    assert question_of(text, random.Random(0)) is None


def test_a_threshold_is_told_by_what_it_shows_and_what_it_keeps_silent_on() -> None:
    told = told_at(0.5, [*GOOD, STRAY])

    assert told.precision == pytest.approx(3 / 5)  # four are shown with their answer there, one without
    assert (told.shown, told.silent) == (1.0, 0.75)


def test_where_nothing_is_shown_nothing_is_right_or_wrong() -> None:
    told = told_at(0.95, GOOD)

    assert (told.precision, told.shown, told.silent) == (None, 0.0, 1.0)


def test_sure_is_the_lowest_score_that_is_still_right_often_enough() -> None:
    assert sure_from([*GOOD, STRAY, Asked(0.55, True, 0.65)]) == 0.7


def test_nothing_is_sure_where_strays_score_as_well() -> None:
    assert sure_from([Asked(0.5, True, 0.9), Asked(0.4, False, 0.9)]) is None


def test_above_what_is_sure_all_is() -> None:
    asked = [Asked(0.9, True, 0.0), Asked(0.8, False, 0.0), Asked(0.79, True, 0.0), *[Asked(0.7, True, 0.0)] * 100]

    assert sure_from(asked) == 0.9


def test_maybe_is_what_nearly_all_right_answers_reach() -> None:
    asked = [Asked(number / 100, True, 0.0) for number in range(101)]

    assert maybe_from(asked) == pytest.approx(0.05)
    assert maybe_from([Asked(0.5, False, 0.1)]) == 1.0
