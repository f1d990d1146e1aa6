import pytest

from chapterverse.essays.model import Style
from chapterverse.essays.writing.expressions import slips
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject


def found_in(text: str) -> list[tuple[str, str | None]]:
    """The words of each slip, and what to write instead."""
    look = RuleContext(a_subject(text), Style())
    return [(look.text(0)[slice(*comment.about or (0, 0))], comment.instead) for comment in slips(look, 0)]


@pytest.mark.parametrize(
    ("text", "slip", "instead"),
    [
        ("He could of come.", "could of", "could have"),
        ("It is alot of work.", "alot", "a lot"),
        ("We are aloud to speak.", "are aloud", "are allowed"),
        ("She is older then me.", "older then", "older than"),
        ("They dont know.", "dont", "don't"),
        ("You cant win.", "cant", "can't"),
        ("So thats why we lost.", "thats", "that's"),
        ("And its just mean.", "its", "it's"),
        ("Now i think so.", "i", "I"),
        ("In the the house.", "the the", "the"),
        ("She is a a cleaner.", "a a", "a"),
        ("A man in a angry crowd.", "a", "an"),
        ("Stop , he said.", " ", None),
        ("Take one,two three.", "one,two", "one, two"),
        ("Today its hard to win.", "its", "it's"),
        ("He knows whats next.", "whats", "what's"),
        ("I went with you friends.", "with you", "with your"),
        ("They are there parents.", "there", "their"),
        ("Their is no bus.", "Their", "There"),
        ("It takes to many days.", "takes to", "takes too"),
        ("We walk everyday.", "everyday", "every day"),
        ("It is apart of life.", "apart of", "a part of"),
        ("He lives in paris now.", "paris", "Paris"),
        ("Be careful when your driving.", "when your", "when you're"),
        ("Never text while drive.", "while drive", None),
        ("That has an affect.", "an affect", "an effect"),
        ("Really?! Yes!!", "?!", None),
        ("It should be aloud.", "be aloud", "be allowed"),
        ("It is more complicated then that.", "more complicated then", "more complicated than"),
        ("he lived in the woods.", "he", None),
        ("He lived there in the dark woods", "in the dark woods", None),
    ],
)
def test_a_sure_slip_is_found_with_what_is_right(text: str, slip: str, instead: str | None) -> None:
    assert found_in(text) == [(slip, instead)]


@pytest.mark.parametrize(
    "text",
    [
        "He could, of course, come.",
        "He read it aloud to us all, and it was read aloud to you.",
        "We ate more bread then, and it was more expensive then.",
        "iPhones are dear. Read this: “It ends.”",
        "Back then people knew it; it was better, then worse.",
        "A dog has its day, and a year has its own end.",
        "A one-eyed cat in a European house, a useful union.",
        "He had had enough, and said that that was so.",
        "I hope to get a A in math.",
        "Can we go? We go, then!",
        "The crab lost its hard shell, and its good side was up.",
        "If you own a car, you know that it matters that your driving is good when your driving is tested.",
        "An everyday matter is a must to those who live here.",
        "Those laws affect people who drive: it is the effect that matters.",
    ],
)
def test_what_may_be_right_is_let_be(text: str) -> None:
    assert found_in(text) == []


def test_a_slip_is_told_of_once_in_an_essay() -> None:
    look = RuleContext(a_subject("They dont know.\n\nWe dont know."), Style())

    assert len(list(slips(look, 0))) == 1
    assert list(slips(look, 1)) == []
