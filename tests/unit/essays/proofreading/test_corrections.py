from collections.abc import Sequence
from time import monotonic

import pytest

from chapterverse.essays.proofreading import Proofread, proofread
from chapterverse.essays.proofreading.harper import CheckerUnavailable, engine
from chapterverse.essays.proofreading.proofreader import Checker, in_english
from chapterverse.essays.proofreading.rules import Correction
from chapterverse.essays.proofreading.spelling import Dictionary
from chapterverse.essays.text.parse import parse_essay


def agrees(words: Sequence[str], seconds: float) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(words, ("believe", "poster"))


def nothing(paragraphs: Sequence[str], seconds: float) -> list[Correction]:
    return []


def found_in(*paragraphs: str, checker: Checker = nothing, dictionary: Dictionary = agrees) -> Proofread:
    return in_english(paragraphs, checker, dictionary, monotonic() + 60)


def corrections(*paragraphs: str, checker: Checker = nothing, dictionary: Dictionary = agrees) -> list[tuple[str, str]]:
    """The words of each correction, and what to write instead."""
    found = found_in(*paragraphs, checker=checker, dictionary=dictionary).corrections
    return [(paragraphs[one.paragraph][slice(*one.span)], one.instead) for one in found]


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
    assert (words, instead) in corrections(text, checker=engine().corrections)


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
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    assert corrections(text, checker=engine().corrections) == []


def test_a_name_is_not_corrected() -> None:
    assert corrections("Posner says so. Later Posner changes his mind.", "The judge called Ponser agreed with him.") == []


def test_a_quotation_and_an_address_are_not_corrected() -> None:
    assert corrections("He said “they goes home”, and www.beleive.com has it.") == []


def test_another_dictionary_that_has_the_word_wins() -> None:
    assert corrections("I beleive that it works.", dictionary=lambda words, seconds: {}) == []


def test_without_an_answer_of_the_dictionary_spelling_is_left_out_and_a_note_says_so() -> None:
    def away(words: Sequence[str], seconds: float) -> dict[str, tuple[str, ...]]:
        raise CheckerUnavailable

    found = found_in("I beleive that they goes.", dictionary=away)

    assert ([one.kind for one in found.corrections], len(found.notes)) == (["grammar"], 1)


def test_a_checker_that_is_away_costs_its_own_corrections_only() -> None:
    def away(paragraphs: Sequence[str], seconds: float) -> list[Correction]:
        raise CheckerUnavailable

    found = found_in("We think that they goes home.", checker=away)

    assert ([one.instead for one in found.corrections], len(found.notes)) == (["go"], 1)


def test_corrections_do_not_overlap_and_come_in_reading_order() -> None:
    def checker(paragraphs: Sequence[str], seconds: float) -> list[Correction]:
        return [Correction(0, (14, 23), "they go", "x", "grammar"), Correction(0, (0, 2), "You", "x", "grammar")]

    found = found_in("We think that they goes home.", checker=checker)

    assert ([one.span for one in found.corrections], found.notes) == ([(0, 2), (19, 23)], ())


def test_a_checker_does_not_correct_a_name() -> None:
    def checker(paragraphs: Sequence[str], seconds: float) -> list[Correction]:
        return [Correction(0, (7, 13), "Poster", "x", "spelling")]

    assert corrections("We and Posner like it.", checker=checker) == []


def test_when_time_is_up_nothing_is_checked_and_a_note_says_so() -> None:
    found = in_english(["We think that they goes home."], nothing, agrees, monotonic() - 1)

    assert (found.corrections, len(found.notes)) == ((), 1)


GERMAN = "Der Hund und Herr Posner sind nicht hier, und Posner hat keine Zeit."


@pytest.mark.parametrize("language", ["de", ""])
def test_an_essay_in_another_language_is_not_checked(language: str) -> None:
    assert proofread(parse_essay(GERMAN), language, monotonic() + 60) == Proofread()


def test_english_is_checked() -> None:
    found = proofread(parse_essay("We think that they goes home."), "en", monotonic() + 60)

    assert [one.instead for one in found.corrections] == ["go"]
