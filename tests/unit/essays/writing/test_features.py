import pytest

from chapterverse.citations.model import VerdictKind
from chapterverse.essays.model import Style, Tone
from chapterverse.essays.writing import rules as features
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject, always

GOOD = "# Speech\n\nI think we should speak freely.\n\nAlso, it helps us.\n\nIn conclusion, let us speak."


def on_essay(text: str, tone: Tone = Tone.KIND) -> list[str]:
    look = RuleContext(a_subject(text), Style(tone=tone), always(VerdictKind.NOT_FOUND))
    return [comment.text for comment in features.on_essay(look)]


def on_paragraph(text: str, paragraph: int = 0) -> list[str]:
    look = RuleContext(a_subject(text), Style(), always(VerdictKind.NOT_FOUND))
    return [comment.text for comment in features.features_on_paragraph(look, paragraph)]


def test_an_essay_in_good_form_is_praised_by_a_kind_reader_alone() -> None:
    assert on_essay(GOOD) == [features.GOOD_FORM]
    assert on_essay(GOOD, Tone.PLAIN) == []


@pytest.mark.parametrize(
    ("without", "told"),
    [
        (GOOD.replace("# Speech\n\n", ""), features.NO_TITLE),
        (GOOD.replace("\n\nAlso, it helps us.", ""), features.FEW_PARAGRAPHS),
        (GOOD.replace("I think we should", "We often"), features.NO_OPINION),
        (GOOD.replace("In conclusion, let", "Let"), features.NO_ENDING),
    ],
    ids=["title", "paragraphs", "opinion", "ending"],
)
def test_what_an_essay_should_have_and_has_not_is_told(without: str, told: str) -> None:
    assert on_essay(without) == [told]


def test_a_paragraph_without_a_link_is_told_of_in_an_essay_that_is_long_enough_to_need_one() -> None:
    words = "Cats sleep at night and eat at noon. "

    assert features.NO_LINK in on_essay(GOOD.replace("Also, it helps us.", words * 25))
    assert features.NO_LINK not in on_essay(GOOD.replace("Also, it helps us.", "However, " + words * 25))
    assert features.NO_LINK not in on_essay(GOOD.replace("Also, it", "It"))


@pytest.mark.parametrize("chat", ["We gonna win.", "He is ok with it.", "That was fun :)"])
def test_chat_is_pointed_at(chat: str) -> None:
    assert on_paragraph(chat) == [features.CHATTY]


@pytest.mark.parametrize("shout", ["This is SO VERY wrong.", "Never!!!"])
def test_shouting_is_pointed_at(shout: str) -> None:
    assert on_paragraph(shout) == [features.SHOUTED]


def test_a_name_in_capitals_is_no_shout() -> None:
    assert on_paragraph("The USA and the EU agree.") == []


def test_a_paragraph_much_longer_than_the_others_is_told_of() -> None:
    text = "One thing.\n\n" + "Cats sleep. " * 40 + "\n\nTwo things.\n\nThree things."

    assert on_paragraph(text, 1) == [features.TOO_LONG]
