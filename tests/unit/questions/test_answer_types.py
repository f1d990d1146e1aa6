"""What a question asks for, and whether a text has it."""

import pytest

from chapterverse.questions.answer_types import AnswerType, has_answer_type, wanted_type


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When are the office hours?", AnswerType.TIME),
        ("What time does it begin?", AnswerType.TIME),
        ("How long is the exam?", AnswerType.TIME),
        ("How many absences are allowed?", AnswerType.NUMBER),
        ("How much does the book cost?", AnswerType.NUMBER),
        ("Where do we meet?", AnswerType.PLACE),
        ("Which room is it in?", AnswerType.PLACE),
        ("Who teaches the course?", AnswerType.PERSON),
        ("Why is it taught?", None),
        ("What happens then?", None),
    ],
)
def test_a_question_asks_for_a_time_a_number_a_place_or_a_person(question: str, wanted: AnswerType | None) -> None:
    assert wanted_type(question) is wanted


@pytest.mark.parametrize(
    ("question", "text", "has"),
    [
        ("When do we meet?", "We meet on Fridays after lunch.", True),
        ("When do we meet?", "We meet and talk.", False),
        ("When is it due?", "The essay is due in May.", True),
        ("Where do we meet?", "We meet in Herter Hall.", True),
        ("Where do we meet?", "We meet and talk.", False),
        ("How many tries are there?", "There are three tries.", True),
        ("How many tries are there?", "There are tries.", False),
        ("Who do I write to?", "Write to Dr. Lovelace.", True),
        ("Who do I write to?", "Write a letter.", False),
    ],
)
def test_a_text_has_it_or_not(question: str, text: str, *, has: bool) -> None:
    assert has_answer_type(question, text) is has
