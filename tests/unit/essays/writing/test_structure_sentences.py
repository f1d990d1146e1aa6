import pytest

from chapterverse.essays.model import Comment, Style
from chapterverse.essays.writing.rules import RuleContext
from chapterverse.essays.writing.structure import joint_of, on_sentences, runs_together
from tests.support.essays import a_subject


def comments_on(*paragraphs: str) -> list[Comment]:
    look = RuleContext(a_subject("\n\n".join(paragraphs)), Style())
    return [one for at in range(len(paragraphs)) for one in on_sentences(look, at)]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("My family is happy too they want to see you.", "they want to"),
        ("Teachers look at it they just put a check on it.", "they just put"),
        ("We will go to Petra, it is an old city.", "it is an"),
        ("Air is blown in so that it gets its shape, this is called moulding.", "this is called"),
        ("The plan was good, however it cost too much.", "however it cost"),
    ],
)
def test_two_sentences_that_meet_without_a_full_stop_are_told_apart(sentence: str, words: str) -> None:
    joint = joint_of(sentence)

    assert joint is not None
    assert joint.words == words


@pytest.mark.parametrize(
    "sentence",
    [
        "If you text while you drive, you may have an accident.",
        "I think that when it rains, we should stay at home.",
        "It is not the money, it is the time.",
        "She told me they were late.",
        "He ran home, he ate his supper, and he slept.",
        "In my opinion, it is wrong.",
        "I know, it is late.",
        "It helps us learn, and we like it.",
        "The plan, however, was good.",
        "The more you read, the more you know.",
        "I said “It is late, we go.”",
        "When I saw it they had gone.",
        "To us they are heroes.",
        "It is old, it is full of sand and it is loud.",
        "We waited all night for him, I admit.",
    ],
)
def test_a_sentence_that_holds_together_is_let_be(sentence: str) -> None:
    assert runs_together(sentence) == ""


def test_a_chain_of_clauses_is_told_and_three_of_them_are_none() -> None:
    assert "follows another" in runs_together(
        "I heard it and I was scared so I ran upstairs and there was a room and he said no."
    )
    assert runs_together("I heard it and I was scared so I ran upstairs.") == ""


def test_sentences_run_together_are_told_once_with_their_number() -> None:
    [comment] = comments_on("We are happy too they want to come.", "All is well. We will go to Petra, it is an old city.")

    assert comment.rule == "sentences.together"
    assert comment.about == (0, 35)
    assert comment.text.endswith("There are 2 of these in your essay.")


@pytest.mark.parametrize(
    ("text", "cut_off"),
    [
        ("We are late. Because it is fun.", "Because it is fun."),
        ("It is banned. Causing more accidents.", "Causing more accidents."),
        ("They text. Which led to new laws.", "Which led to new laws."),
        ("Why do we go? Because it is fun.", None),
        ("If you wreck it you will pay.", None),
        ("Because it is fun, we go.", None),
        ("Causing an accident is bad.", None),
        ("Since they came everything changed.", None),
        ("Which is better?", None),
    ],
)
def test_a_part_that_stands_alone_is_no_sentence(text: str, cut_off: str | None) -> None:
    found = [one for one in comments_on(text) if one.rule == "sentences.cut_off"]

    assert [text[slice(*one.about or ())] for one in found] == ([cut_off] if cut_off else [])
