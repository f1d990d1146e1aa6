import sys
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from chapterverse.core.errors import ProofreaderUnavailable
from chapterverse.essays.model import Dimension
from chapterverse.essays.writing import proofreaders
from chapterverse.essays.writing.proofreaders import ADVICE, GUARDS, TEXTS, Engine, Harper

MAX_MESSAGE_WORDS = 20


def told(*paragraphs: str) -> list[tuple[int, str, str | None]]:
    """Paragraph and words of each mistake, and what to write instead."""
    found = Harper()(paragraphs, 60)
    return [(one.paragraph, paragraphs[one.paragraph][one.start : one.end], one.instead) for one in found]


@pytest.mark.parametrize(
    ("text", "words", "instead"),
    [
        ("We walk every day. Their are many ways.", "Their", "There"),
        ("The students forgot there books again.", "there", "their"),
        ("There lives are at risk.", "There", "Their"),
        ("He is taller then his father.", "then", "than"),
        ("She found it on it's way home.", "it's", "its"),
        ("That is a important question.", "a", "an"),
        ("A important question is this.", "A", "An"),
        ("It was the most happiest day.", "most happiest", "happiest"),
        ("We spent a week in germany. Germany is big.", "germany", "Germany"),
        ("The trees can destroyed by one man.", "can", "can be"),
        ("It ends. then he goes.", "then", "Then"),
        ("We use cars everyday to get home.", "everyday", "every day"),
        ("He told to me the truth.", "to me", "me"),
    ],
)
def test_a_mistake_comes_with_its_words_and_what_to_write_here(text: str, words: str, instead: str) -> None:
    assert (0, words, instead) in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Neither of us was asked, and one of them wants to know why.",
        "The shelf looked as though there were snow on it.",
        "There were sand in my shoes.",
        "We should let people who like it do it.",
        "If it is better then why not try it?",
        "Cars are a part of our everyday lives.",
        "Driving has long effects that last.",
        "“Can we go?” asked the child.",
        "He wrote “we goes to a important place” on the board.",
        "Every one of us can help.",
        "It began with a shooting, and people have a passion for cars.",
        "This has a domino effect people can see.",
        "They continue their newly found tradition in other cities.",
        "The people who work there today are kind.",
        "From outside they look like shops.",
        "My family is happy too they want to see you.",
        "We park them in a driveway! source 1: Miller.",
        "In the city there is lots of noise.",
        "No one could be a expected to walk so far.",
        "There needs to be a change.",
        "If you do not pay what he charges you consequences will come.",
        "Read it at www. itcanwait. com or at archive. unews. utah. edu today.",
        "A AAA poll asked researchers at Texas A&M.",
    ],
)
def test_what_is_right_or_said_by_others_is_let_be(text: str) -> None:
    assert told(text) == []


def test_the_paragraph_of_a_mistake_is_known() -> None:
    assert told("All is well.", "He told to me the truth.") == [(1, "to me", "me")]


def test_messages_are_short_and_about_grammar_alone() -> None:
    assert max(len(text.split()) for text in ADVICE) <= MAX_MESSAGE_WORDS
    assert {one.dimension for one in Harper()(["Their are many."], 60)} == {Dimension.EXPRESSIONS}


def test_every_rule_that_is_asked_is_one_of_harpers() -> None:
    import harper

    assert set(TEXTS) <= set(harper.get_default_lint_config())
    assert set(GUARDS) <= set(TEXTS)


def test_where_harper_is_missing_feedback_goes_on_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "harper", None)
    broken = Engine()

    with pytest.raises(ProofreaderUnavailable, match="harper-py"):
        Harper(lambda: broken)(["All is well."], 60)


def test_it_waits_no_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds, asked = count(), list[str]()
    monkeypatch.setattr(proofreaders, "monotonic", lambda: next(seconds))  # each paragraph takes one
    quick: Any = SimpleNamespace(organized=lambda text, until: asked.append(text) or {})

    with pytest.raises(ProofreaderUnavailable):
        Harper(lambda: quick)(["Their are many."] * 10, 2.5)

    assert len(asked) == 3


def test_who_has_no_time_is_told_so_by_the_engine_too() -> None:
    with pytest.raises(ProofreaderUnavailable):
        Harper()(["Their are many."] * 10_000, 0.0)
