from collections.abc import Sequence
from time import monotonic

import pytest

from chapterverse.essays.model import Correction, Place
from chapterverse.essays.proofreading import in_english, proofread
from chapterverse.essays.proofreading.harper import HARPER, CheckerUnavailable, Engine
from chapterverse.essays.proofreading.rules import Words
from chapterverse.essays.text import parse_essay


class Told(Engine):
    """Says these mistakes, and offers "believe" and "poster" for every word; what is None is away."""

    def __init__(self, said: list[Correction] | None = None, offered: tuple[str, ...] | None = ("believe", "poster")) -> None:
        self.said, self.offered = said, offered

    def corrections(self, paragraphs: Sequence[Words], up: float) -> list[Correction]:
        if self.said is None:
            raise CheckerUnavailable
        return self.said

    def unknown(self, words: Sequence[str], up: float) -> dict[str, tuple[str, ...]]:
        if self.offered is None:
            raise CheckerUnavailable
        return dict.fromkeys(words, self.offered) if self.offered else {}


def corrections(text: str, harper: Engine = HARPER) -> list[tuple[str, str]]:
    """The words of each correction, and what to write instead."""
    return [(text[slice(*one.about)], one.instead) for _, one in in_english([text], monotonic() + 60, harper).corrections]


@pytest.mark.parametrize(
    ("text", "words", "instead"),
    [
        ("I think that he go there every day.", "go", "goes"),
        ("They goes home at noon.", "goes", "go"),
        ("Many students thinks that it is easy.", "thinks", "think"),
        ("She can sings very well.", "sings", "sing"),
        ("We must to leave the house.", "to leave", "leave"),
        ("I didn't knew it then.", "knew", "know"),
        ("There are many problem in the city.", "problem", "problems"),
        ("It was more easier than before.", "more easier", "easier"),
        ("I am agree with you.", "am agree", "agree"),
        ("He was suppose to call me.", "suppose to", "supposed to"),
        ("We have went to the park.", "went", "gone"),
        ("She drived home.", "drived", "drove"),
        ("She was interested on music.", "on", "in"),
        ("They can make it to there destination.", "there", "their"),
        ("Their are two reasons for it.", "Their", "There"),
        ("It took a hour to go there.", "a", "an"),
        ("We dont like it at all.", "dont", "don't"),
        ("We like it , but not much.", " ", ""),
        ("We like cats,dogs and birds.", ",", ", "),
        ("It ended. then we went home.", "then", "Then"),
        ("We saw the the house.", "the the", "the"),
        ("I beleive that it works.", "beleive", "believe"),
        ("They come and theyre not here.", "theyre", "they're"),
        ("Look at it on youre own.", "youre", "your"),
    ],
)
def test_a_mistake_is_corrected(text: str, words: str, instead: str) -> None:
    assert (words, instead) in corrections(text)


@pytest.mark.parametrize(
    "text",
    [
        "I recommend that she go home.",
        "All you do is sleep, and what they did is wrong.",
        "If my brother were here, he would help us.",
        "The news is good, and mathematics is hard.",
        "She read and read until her eyes hurt.",
        "Those who text and drive are at risk.",
        "In two thousand and five there were three hundred people.",
        "Something like that can happen as there used to be no rules.",
        "He took his eyes off the road, and we went too.",
        "All you can to help is welcome.",
        "He had had a dog that that man knew.",
        "What matters is people.",
        "It is a win win for many fish.",
        "There were 1,000 people at 3:05, an hour later, e.g., in a unit of the U.S.",
        "When he was young, he build a boat, and they sailed home.",
        "Our neighbours said it in defence of the theatre.",
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    assert corrections(text) == []


def test_a_name_is_not_corrected() -> None:
    text = "Posner says so. Later Posner changes his mind. The judge called Ponser agreed with him."

    assert corrections(text, Told([])) == []


def test_a_quotation_and_an_address_are_not_corrected() -> None:
    assert corrections("He said “they goes home”, and www.beleive.com has it.", Told([])) == []


def test_another_dictionary_that_has_the_word_wins() -> None:
    assert corrections("I beleive that it works.", Told([], ())) == []


@pytest.mark.parametrize(("harper", "found"), [(Told(None), ["believe", "go"]), (Told([], None), ["go"])])
def test_what_is_away_costs_its_own_corrections_only_and_a_note_says_so(harper: Engine, found: list[str]) -> None:
    proof = in_english(["I beleive that they goes."], monotonic() + 60, harper)

    assert ([one.instead for _, one in proof.corrections], len(proof.notes)) == (found, 1)


def test_corrections_do_not_overlap_and_come_in_reading_order() -> None:
    said = [("x", Place(0, (14, 23), "they go")), ("x", Place(0, (0, 2), "You"))]

    proof = in_english(["We think that they goes home."], monotonic() + 60, Told(said))

    assert ([one.about for _, one in proof.corrections], proof.notes) == ([(0, 2), (19, 23)], ())


def test_a_word_is_mended_before_its_capital() -> None:
    said = [("x", Place(0, (9, 16), "Germnay")), ("", Place(0, (9, 16), "Germany"))]

    assert corrections("We saw a germnay.", Told(said)) == [("germnay", "Germany")]


def test_when_time_is_up_nothing_is_checked_and_a_note_says_so() -> None:
    proof = in_english(["We think that they goes home."], monotonic() - 1)

    assert (proof.corrections, len(proof.notes)) == ([], 1)


@pytest.mark.parametrize(("language", "found"), [("en", ["go"]), ("de", []), ("", [])])
def test_an_essay_in_another_language_is_not_checked(language: str, found: list[str]) -> None:
    proof = proofread(parse_essay("We think that they goes home."), language, monotonic() + 60)

    assert ([one.instead for _, one in proof.corrections], proof.notes) == (found, ())
