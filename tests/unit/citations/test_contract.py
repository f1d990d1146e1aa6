"""What a text by a language model must keep of form, requirement by requirement, and what its second reading withholds."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.citations.contract import Contracted, Grounds, Requirement, find_words, under_contract
from chapterverse.citations.second_reading import Ask, Statement, read_again
from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import ModelAnswer, Usage

MILL = "Men are not more zealous for truth than they often are for error. Is that all?"
ESSAY = "In 1999 my friend Tom said that truth wins. We don’t need laws."
GROUNDS = Grounds(quotable=(MILL, ESSAY), known=("How far should speech be free?",), numbers=[4])


def contracted(text: str, grounds: Grounds = GROUNDS) -> Contracted:
    return under_contract(text, grounds, max_words=60)


@pytest.mark.parametrize(
    ("text", "requirement"),
    [
        ("", Requirement.LENGTH),
        ("so " * 61, Requirement.LENGTH),
        ("Read <b>this</b> again.", Requirement.PLAIN),
        ("Look at [this](page).", Requirement.PLAIN),
        ("Read\u202e this.", Requirement.PLAIN),
        ("Write to tom@mail.example about it.", Requirement.CONTACT),
        ("See prose.example for more.", Requirement.CONTACT),
        ("This is an A+ essay.", Requirement.MARK),
        ("In 1999 you would get 1999 points.", Requirement.MARK),
        ("Look at page 1999 for this.", Requirement.PLACE),
        ("Evidence #9 says so.", Requirement.EVIDENCE),
        ("You say “truth always loses” here.", Requirement.QUOTATION),
        ("Men “are zealous for truth”, says the book.", Requirement.QUOTATION),
        ("You could add that 85 of 100 agree.", Requirement.NUMBER),
        ("You could name Albert Einstein here.", Requirement.NAME),
    ],
)
def test_what_fails_a_requirement_is_named(text: str, requirement: Requirement) -> None:
    assert requirement in contracted(text).failed


@pytest.mark.parametrize(
    "text",
    [
        "Does Tom's remark from 1999 show that truth wins? Say how.",
        "You trust that truth wins. Who would disagree, and what would you answer?",
        "I think your point about speech is clear: it's about Tom.",
    ],
)
def test_a_comment_on_the_students_own_words_holds(text: str) -> None:
    assert contracted(text) == Contracted(text)


def test_a_text_is_in_the_readers_language_as_far_as_its_own_words_tell() -> None:
    def fails(text: str, language: str) -> bool:
        return Requirement.LANGUAGE in contracted(text, replace(GROUNDS, language=language)).failed

    german, english = "Du sagst, dass die Wahrheit gewinnt, aber nicht, wie.", "You say that truth wins, but not how it does."
    assert (fails(german, "en"), fails(english, "de")) == (True, True)
    assert not fails("Du sagst nicht, wie: “my friend Tom said that truth wins. We don’t need laws.”", "de")
    assert not fails("Dices que la verdad gana, pero no dices cómo lo hace ni cuándo.", "en")


def test_a_quotation_becomes_the_books_own_characters_and_keeps_its_marks() -> None:
    found = contracted("Evidence #4 says that “men are not more  zealous for truth”. Is it so?")

    assert found.text == "Evidence #4 says that “Men are not more zealous for truth”. Is it so?"
    assert found.failed == ()
    grounds = Grounds((MILL, "Mill"))
    assert contracted("„is that all“ schreibt Mill.", grounds).text == "„Is that all“ schreibt Mill."
    assert contracted('Mill asks "is that all?" Do you?', grounds).text == "Mill asks “Is that all?” Do you?"


def test_a_quotation_has_few_words_found_whatever_their_case_and_capitals_tell_nothing_where_nouns_have_them() -> None:
    long = " ".join(f"word{at}" for at in "abcdefghijklmnop")
    assert contracted(f"See “{long}” again.", Grounds((long,))).failed == (Requirement.QUOTATION,)

    assert find_words("WE DON'T need", ESSAY) == (44, 57)
    assert find_words("we need", ESSAY) is None
    assert find_words("...", ESSAY) is None

    german = Grounds((ESSAY,), nouns_have_capitals=True)
    assert contracted("Du könntest ein Beispiel nennen.", german).failed == ()


@given(st.text(max_size=300))
def test_whatever_is_quoted_stands_in_a_source(text: str) -> None:
    found = contracted(text)

    if Requirement.QUOTATION not in found.failed:
        assert all(quoted in MILL + ESSAY for quoted in re.findall("[“„]([^“”„]*)[“”]", found.text))


@pytest.mark.parametrize("name", ["English", "Englander", "Saturday", "Entwistle", "Truthford", "Sunday"])
def test_a_name_may_have_another_ending_and_a_word_that_is_no_name_gives_none(name: str) -> None:
    found = under_contract(f"Ask the {name} voters.", Grounds(("They say that England votes on Saterday. Truth is rare.",)), 60)

    assert (Requirement.NAME in found.failed) == (name in {"Entwistle", "Truthford", "Sunday"})


GOOD = {"problem": "", "true_of_words": True, "true_of_sources": True, "decent": True}
SAID = Statement("You trust that truth wins.", {"words of the essay": "Truth wins."}, ('1. "Truth may lose."',))


def answering(**answer: Any) -> Ask:
    return lambda _wanted, _schema, _deadline: ModelAnswer(GOOD | answer, Usage())


@pytest.mark.parametrize("doubt", ["true_of_words", "true_of_sources", "decent"])
def test_any_doubt_withholds_it(doubt: str) -> None:
    assert read_again(SAID, answering(), 1.0).keeps
    assert not read_again(SAID, answering(**{doubt: False}), 1.0).keeps


@pytest.mark.parametrize("answer", [{"decent": "perhaps"}, {"more": 1}, {"problem": "x" * 161}])
def test_an_answer_of_another_form_is_no_finding(answer: dict[str, Any]) -> None:
    with pytest.raises(BadAnswer):
        read_again(SAID, answering(**answer), 1.0)
