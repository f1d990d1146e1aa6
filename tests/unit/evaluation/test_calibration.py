import random

import pytest

from chapterverse.evaluation.calibration import by_itself, confident_from, metrics_at, possible_from, question_of, questions_of
from chapterverse.questions.judging import Calibration, CalibrationQuestion, Scale

GOOD = [CalibrationQuestion(0.9, True, 0.3), CalibrationQuestion(0.8, True, 0.4), CalibrationQuestion(0.7, True, 0.2)]
STRAY = CalibrationQuestion(0.6, False, 0.5)


def test_a_question_is_a_third_of_the_words_that_say_something_in_their_order() -> None:
    text = "The greatest happiness of the greatest number is the measure of right and wrong."

    question = question_of(text, random.Random(0))

    assert question is not None
    places = [text.index(word) for word in question.split()]
    assert len(places) == 2
    assert places == sorted(places)
    assert not {"the", "of", "is", "and"} & set(question.lower().split())


@pytest.mark.parametrize("text", ["", "Of the people.", "Yes, indeed so.", " ".join(f"word{n}" for n in range(50))])
def test_of_what_says_too_little_or_too_much_no_question_is_made(text: str) -> None:
    assert question_of(text, random.Random(0)) is None


def test_a_threshold_is_told_by_what_it_shows_and_what_it_keeps_silent_on() -> None:
    told = metrics_at(0.5, [*GOOD, STRAY])

    assert told.precision == pytest.approx(3 / 5)  # four are shown with their answer there, one without
    assert (told.shown, told.silent) == (1.0, 0.75)


def test_where_nothing_is_shown_nothing_is_right_or_wrong() -> None:
    told = metrics_at(0.95, GOOD)

    assert (told.precision, told.shown, told.silent) == (None, 0.0, 1.0)


def test_sure_is_the_lowest_score_that_is_still_right_often_enough() -> None:
    assert confident_from([*GOOD * 30, STRAY, *[CalibrationQuestion(0.55, True, 0.65)] * 30]) == 0.7


def test_a_few_that_are_right_make_nothing_sure() -> None:
    assert confident_from(GOOD) is None


def test_nothing_is_sure_where_strays_score_as_well() -> None:
    assert confident_from([CalibrationQuestion(0.5, True, 0.9), CalibrationQuestion(0.4, False, 0.9)]) is None


@pytest.mark.parametrize(("right", "sure"), [(30, None), (32, 0.9)])
def test_so_many_must_be_right_that_it_is_hardly_chance(right: int, sure: float | None) -> None:
    """n of n right: Wilson's lower end is n / (n + 1.2816²), and 0.95 at 31.2."""
    assert confident_from([CalibrationQuestion(0.9, True, 0.0)] * right) == sure


def test_a_text_is_asked_about_again_where_there_are_few() -> None:
    sources = [("The harbour keeps seven boats beside a long stone wall.", 1), ("Too short.", 2)]

    made = list(questions_of(sources, 10, random.Random(0)))

    assert 1 < len(made) <= 4
    assert len({question for question, _ in made}) == len(made)
    assert {about for _, about in made} == {1}


def test_maybe_is_what_nearly_all_right_answers_reach() -> None:
    asked = [CalibrationQuestion(number / 100, True, 0.0) for number in range(101)]

    assert possible_from(asked) == pytest.approx(0.05)
    assert possible_from([CalibrationQuestion(0.5, False, 0.1)]) == 1.0


def test_without_a_person_a_help_desk_answers_from_its_own_threshold() -> None:
    scale = Scale(0.9, 0.2, (), (CalibrationQuestion(0.7, True, 0.1),))

    own = by_itself(Calibration("m", "u", 1, scale, scale, own=0.3))

    assert (own.confidence.confident, own.automatic) == (0.3, True)
    assert by_itself(Calibration("m", "u", 1, scale, scale)).confidence.confident == 0.9
