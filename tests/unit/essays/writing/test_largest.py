"""What an essay as a whole is asked, before its sentences."""

from dataclasses import replace

import pytest

from chapterverse.essays.model import Style
from chapterverse.essays.task import WritingTask
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.advice import on_argument
from chapterverse.essays.writing.argument import outline_of
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject

ZOO = WritingTask("Should our town close its zoo? Write an essay.")
NEWS = (
    "The zoo of Hartwell opened in 1931 and has forty animals. The town pays 90,000 dollars a year for it. "
    "Ana Petrov, the vet, says that two old bears could live nowhere else and would die in transport."
)


def asked(text: str, task: WritingTask) -> list[tuple[str, str]]:
    """Rule and words of each question on an essay that was written to this task."""
    essay = parse_essay(text)
    paragraphs = tuple(replace(each, copied=task.copied(each.sentences)) for each in essay.paragraphs)
    subject = replace(a_subject(), essay=replace(essay, paragraphs=paragraphs))
    look = RuleContext(subject, Style(task=task))
    found = on_argument(look, outline_of(look), ())
    return [(one.rule, look.text(one.paragraph or 0)[slice(*one.about or ())]) for one in found]


def test_a_text_of_two_sentences_is_asked_for_more() -> None:
    task = WritingTask("Write a letter to your town council about what is missing.")

    assert asked("Hello,\n\nThere is no skate park in our town. We want one here.", task) == [
        ("reasons.begun", "There is no skate park in our town.")
    ]


@pytest.mark.parametrize(
    ("ending", "rules"),
    [
        ("All in all, there are advantages and disadvantages.", ["reasons.claim"]),
        ("All in all, the town should keep its zoo and build a larger cage for the bears.", []),
    ],
)
def test_an_essay_that_weighs_and_takes_no_side_is_asked_for_one(ending: str, rules: list[str]) -> None:
    text = f"Many visitors come to see the bears every Sunday. The cages are small and cold in winter. {ending}"

    assert [rule for rule, _ in asked(text, ZOO) if rule == "reasons.claim"] == rules


def test_an_essay_that_copies_its_source_is_asked_what_the_facts_show() -> None:
    copied = "The zoo of Hartwell opened in 1931 and has forty animals."

    found = asked(f"{copied} The town pays 90,000 dollars a year for it. I think it should be closed.", with_news())

    assert ("task.retold", copied) in found


OWN = (
    "I think the zoo should be closed because bears need a forest and not a cage. My uncle worked there for nine years. He saw"
    " how the bears walked in circles all day long, and it made him sad. Nobody who comes for an hour on Sunday can see that."
)
VET = "Ana Petrov, the vet, says that two old bears could live nowhere else and would die in transport."


@pytest.mark.parametrize(
    ("sentence", "rules"),
    [
        (VET, ["task.copied"]),
        (f"The article says: “{VET}”", []),
        ("The vet of the zoo thinks that two of the bears are too old to go anywhere else.", []),
        ("The article says: “Every zoo in the whole country must be closed by next summer.”", ["task.not_there"]),
        ("My grandmother says: “Every zoo in the whole country must be closed by next summer.”", []),
    ],
)
def test_words_of_a_source_stand_in_quotation_marks_and_others_do_not(sentence: str, rules: list[str]) -> None:
    found = asked(f"{OWN} {sentence} So there is one thing that speaks against it.", with_news())

    assert [rule for rule, _ in found if rule in {"task.copied", "task.not_there"}] == rules


@pytest.mark.parametrize(("last", "rules"), [("He says where.", ["task.retold"]), ("I doubt where.", [])])
def test_a_paragraph_that_only_tells_what_a_text_says_is_asked_for_a_thought(last: str, rules: list[str]) -> None:
    text = f"The author writes about a zoo. Then he describes its bears. He also tells who pays. {last}"

    assert [rule for rule, _ in asked(f"{text}\n\nZoos should close.", ZOO) if rule == "task.retold"] == rules


def with_news() -> WritingTask:
    """The task with its source."""
    return replace(ZOO, sources=(NEWS,))
