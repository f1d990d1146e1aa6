"""Sentences that answer only together."""

from pathlib import Path

import pytest

from chapterverse.core.book import Kind
from chapterverse.library.artefacts import BookText
from chapterverse.search.chunks import unit_of
from tests.support.shelved import stored_text


def together(text: BookText, wanted: str) -> list[str]:
    """The unit of the sentence with that text."""
    sentence = next(one for one in text.chapter(0) if one.text == wanted)
    return [one.text for one in unit_of(sentence, text)]


CUTOFFS = (["We grade as usual.", "The cutoffs are these:"], ["• A: 93 points"], ["• B: 85 points"], ["Ask us about grades."])


def test_a_lead_in_has_its_list_and_an_item_its_lead_in(tmp_path: Path) -> None:
    text = stored_text(tmp_path, *CUTOFFS)

    assert together(text, "The cutoffs are these:") == ["The cutoffs are these:", "• A: 93 points", "• B: 85 points"]
    assert together(text, "• B: 85 points") == ["The cutoffs are these:", "• B: 85 points"]
    assert together(text, "We grade as usual.") == ["We grade as usual."]


LONG = "This paragraph goes on and on about quite another matter and has far too many words to be an item of any list."


@pytest.mark.parametrize("after", [LONG, "Which of these is a prime?"])
def test_a_list_without_marks_is_made_of_short_paragraphs_up_to_a_question(tmp_path: Path, after: str) -> None:
    text = stored_text(tmp_path, ["You need:"], ["a pen"], ["a ruler"], [after])

    assert together(text, "You need:") == ["You need:", "a pen", "a ruler"]


@pytest.mark.parametrize(
    ("first", "unit"), [("Day Room", ["Day Room", "Friday 12"]), ("Office: 5", ["Friday 12"]), ("Monday 9", ["Friday 12"])]
)
def test_a_row_has_the_header_of_its_table(tmp_path: Path, first: str, unit: list[str]) -> None:
    text = stored_text(tmp_path, [first, "Tuesday 10", "Friday 12"], kind=Kind.TABLE)

    assert together(text, "Friday 12") == unit


def test_a_table_that_goes_on_on_the_next_page_has_the_header_of_its_beginning(tmp_path: Path) -> None:
    text = stored_text(tmp_path, ["Day Room", "Tuesday 10"], ["Friday 12", "Saturday 13"], kind=Kind.TABLE)

    assert together(text, "Saturday 13") == ["Day Room", "Saturday 13"]


def test_an_answer_has_the_question_before_it_and_a_sentence_the_one_that_it_leans_on(tmp_path: Path) -> None:
    text = stored_text(tmp_path, ["Are there lockers?", "In the basement.", "They are emptied each night."], ["It rains."])

    assert together(text, "In the basement.") == ["Are there lockers?", "In the basement."]
    assert together(text, "Are there lockers?") == ["Are there lockers?"]
    text = stored_text(tmp_path, ["There is one exam.", "It counts half."], ["It rains."])

    assert together(text, "It counts half.") == ["There is one exam.", "It counts half."]
    assert together(text, "It rains.") == ["It rains."]


def test_a_figure_in_brackets_is_part_of_a_header_and_a_table_may_stand_below_other_rows(tmp_path: Path) -> None:
    text = stored_text(tmp_path, ["Office: 5", "Fish Weight (per 10 cm)", "Cod 40", "Eel 12"], kind=Kind.TABLE)

    assert together(text, "Eel 12") == ["Fish Weight (per 10 cm)", "Eel 12"]
    assert together(text, "Fish Weight (per 10 cm)") == ["Fish Weight (per 10 cm)"]
