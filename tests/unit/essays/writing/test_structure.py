import pytest

from chapterverse.essays.model import Style
from chapterverse.essays.writing.rules import RuleContext
from chapterverse.essays.writing.structure import features_on_paragraph, on_essay
from tests.support.essays import a_subject

WORDS = "Cats sleep at night and eat at noon. "


def looking(text: str) -> RuleContext:
    return RuleContext(a_subject(text), Style())


def told(text: str) -> list[str]:
    return [comment.rule for comment in on_essay(looking(text))]


def on_paragraph(text: str, paragraph: int = 0) -> list[str]:
    return [comment.rule for comment in features_on_paragraph(looking(text), paragraph)]


def test_a_long_text_in_one_piece_is_asked_where_it_could_be_parted_and_a_short_one_is_not() -> None:
    assert told(WORDS * 25) == ["structure.paragraphs"]
    assert told(WORDS * 5) == []


def test_an_essay_that_stops_with_one_more_point_is_asked_for_an_ending() -> None:
    essay = "Cats sleep.\n\nThey eat.\n\nAnother thing is that cats purr.{}"

    assert told(essay.format("")) == ["structure.ending"]
    assert told(essay.format(" So cats are fine.")) == []
    assert told("Cats sleep.\n\nThey eat.\n\nA cat is a friend to have.") == []
    assert told("Cats sleep.\n\nThey eat.\n\nSome people say that cats bite. However, they only play.") == ["structure.ending"]


@pytest.mark.parametrize("chat", ["We gonna win.", "This is for u and me.", "That was fun :)"])
def test_chat_is_pointed_at(chat: str) -> None:
    assert on_paragraph(chat) == ["wording.chatty"]


@pytest.mark.parametrize("text", ["The USA and the EU agree.", "The U.S. has cars.", "She said “we gonna win” to him."])
def test_a_name_or_a_quotation_is_neither_chat_nor_shout(text: str) -> None:
    assert on_paragraph(text) == []


@pytest.mark.parametrize("shout", ["This is SO VERY wrong.", "Never!!!"])
def test_shouting_is_pointed_at(shout: str) -> None:
    assert on_paragraph(shout) == ["wording.capitals"]


def test_a_paragraph_much_longer_than_the_others_is_told_of() -> None:
    text = "One thing.\n\n" + "Cats sleep. " * 70 + "\n\nTwo things.\n\nThree things."

    assert on_paragraph(text, 1) == ["structure.long"]
