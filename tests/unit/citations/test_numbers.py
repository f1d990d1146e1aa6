import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.citations.checks import Weight, check_numbers, read_numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("thirty sons", [30]),
        ("two hundred and five ships", [205]),
        ("twenty-five men and three boys", [25, 3]),
        ("eight hundred thousand acres", [800_000]),
        ("1,234 sheep in 1746", [1234, 1746]),
        ("ten, twelve or fourteen", [10, 12, 14]),
        ("the eighteenth century", [18]),
        ("the 18th century", [18]),
        ("one of the judges", []),
        ("Judges 10:4", []),
        ("hundreds of ships", []),
    ],
)
def test_numbers_are_read_in_figures_and_in_words(text: str, values: list[float]) -> None:
    assert [number.value for number in read_numbers(text)] == values


def test_another_number_for_the_same_thing_is_certain_and_both_are_named() -> None:
    found = check_numbers("Jair had twelve sons.", "He had thirty sons and forty cities.", "")

    assert found
    assert found.weight is Weight.CERTAIN
    assert str(found.reason) == "You say “twelve”, and the book says “thirty”."


def test_the_same_number_in_other_writing_agrees() -> None:
    assert check_numbers("He had 30 sons.", "He had thirty sons.", "") is None


def test_a_number_of_a_neighbour_is_known() -> None:
    assert check_numbers("It was in 1746.", "He flew a kite.", "This happened in 1746.") is None


def test_a_number_from_nowhere_is_a_doubt() -> None:
    found = check_numbers("He flew 3 kites.", "He flew a kite.", "")

    assert found
    assert found.weight is Weight.DOUBT


def test_another_unit_of_time_may_be_the_same_time() -> None:
    found = check_numbers("Twelve months later he was rich.", "In two years he was rich.", "")

    assert found
    assert found.weight is Weight.DOUBT


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("He said so in 1982.", "The Ninth Circuit called it illegal."),
        ("She came third.", "There were seven runners."),
        ("The term was twenty years.", "In 1831 it was raised from 28 years to 42 years."),
    ],
    ids=["a year and a place", "a place and a count", "two of the same thing"],
)
def test_numbers_that_say_different_things_are_no_opposites(claim: str, sentence: str) -> None:
    found = check_numbers(claim, sentence, "")

    assert found
    assert found.weight is Weight.DOUBT


def test_words_that_only_may_be_numbers_raise_no_doubt() -> None:
    assert check_numbers("Once he was there.", "He was there.", "") is None


@given(st.integers(2, 10_000), st.integers(2, 10_000))
def test_two_figures_agree_where_they_are_equal_and_only_there(ours: int, theirs: int) -> None:
    found = check_numbers(f"There were {ours} ships.", f"There were {theirs:,} ships.", "")

    assert (found is None) == (ours == theirs)
