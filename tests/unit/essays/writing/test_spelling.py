from random import Random

import pytest

from chapterverse.essays.model import Style
from chapterverse.essays.writing.expressions import MAX_MISSPELT, MAX_TRIED, misspelt
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject, evidence_on


def looking(text: str, *book: str) -> RuleContext:
    return RuleContext(a_subject(text, *(evidence_on(0, each) for each in book)), Style())


def told(look: RuleContext, paragraph: int = 0) -> list[tuple[str, str | None]]:
    return [(look.text(paragraph)[slice(*each.about or (0, 0))], each.instead) for each in misspelt(look, paragraph)]


def test_a_word_that_there_is_not_comes_with_what_was_meant() -> None:
    assert told(looking("The goverment is usefull.")) == [("goverment", "government"), ("usefull", "useful")]


def test_a_word_that_nothing_is_near_is_told_of_without_a_guess() -> None:
    assert told(looking("He said xqzzvwq once.")) == [("xqzzvwq", None)]


def test_a_compound_without_its_hyphen_gets_it_and_is_not_taken_for_another_word() -> None:
    look = looking("A carfree street has oddnumbered houses and is a stressfree place, wonderfull and usefull.")

    assert told(look) == [
        ("carfree", "car-free"),
        ("oddnumbered", "odd-numbered"),
        ("stressfree", "stress-free"),
        ("wonderfull", "wonderful"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "My neighbours realise their honour.",
        "We travelled to the theatre for the catalogue.",
        "Maths is fun, and so are maths tests.",
    ],
)
def test_british_spelling_is_right(text: str) -> None:
    assert told(looking(text)) == []


def test_of_fifteen_thousand_words_a_bounded_number_is_looked_into() -> None:
    chance = Random(1)
    words = ["".join(chance.choices("bcdfgxqz", k=9)) if n % 4 == 0 else "people" for n in range(15_000)]
    look = looking("\n\n".join(" ".join(words[at : at + 40]) + "." for at in range(0, len(words), 40)))

    found = [comment for paragraph in range(375) for comment in misspelt(look, paragraph)]

    assert 0 < len(found) <= len(look.misspelt) == MAX_TRIED


def test_names_addresses_and_short_words_are_let_be() -> None:
    assert told(looking("Then Zxcvia wrote to zx@example.org of qp/zzyx and hm.")) == []


def test_what_the_book_writes_is_a_word() -> None:
    assert told(looking("The isopods moult.", "Isopods moult in Chicago.")) == []


def test_a_word_is_told_of_once_in_an_essay() -> None:
    look = looking("The goverment fell.\n\nThe goverment rose.")

    assert (len(told(look)), told(look, 1)) == (1, [])


def test_a_paragraph_full_of_them_is_not_listed_to_its_end() -> None:
    assert len(told(looking("xqzza xqzzb xqzzc xqzzd xqzze xqzzf."))) == MAX_MISSPELT


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("You have to succed in school.", ("succed", "succeed")),
        ("It is everyones job.", ("everyones", "everyone's")),
        ("They desided to move.", ("desided", "decided")),
        ("She choosed the red dress.", ("choosed", "chose")),
        ("Eachother is what we need, but not eachother.", ("Eachother", "Each other")),
        ("There is a lot of fysics in it.", ("fysics", "physics")),
    ],
)
def test_a_correction_is_what_learners_mean_by_such_a_mistake(text: str, meant: tuple[str, str]) -> None:
    assert told(looking(text)) == [meant]


def test_the_words_beside_it_decide_what_is_sure() -> None:
    assert told(looking("This is the book wich is mine.")) == [("wich", "which")]
    assert told(looking("I wich you were here.")) == [("wich", None)]


def test_a_name_at_the_beginning_is_not_corrected() -> None:
    assert told(looking("Hajirah sings. Tomoko plays.")) == []


def test_what_an_essay_writes_again_and_again_is_meant_so() -> None:
    assert told(looking("The xqzzv is big. A xqzzv is small. My xqzzv is red.")) == []
