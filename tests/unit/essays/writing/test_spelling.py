from random import Random
from time import process_time

import pytest

from chapterverse.citations.model import VerdictKind
from chapterverse.essays.model import Style
from chapterverse.essays.writing.expressions import MAX_IN_ESSAY, MAX_MISSPELT, misspelt
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject, always, evidence_on


def looking(text: str, *book: str) -> RuleContext:
    return RuleContext(a_subject(text, *(evidence_on(0, each) for each in book)), Style(), always(VerdictKind.NOT_FOUND))


def told(look: RuleContext, paragraph: int = 0) -> list[tuple[str, str | None]]:
    return [(look.text(paragraph)[slice(*each.about or (0, 0))], each.instead) for each in misspelt(look, paragraph)]


def test_a_word_that_there_is_not_comes_with_what_was_meant() -> None:
    assert told(looking("The goverment is usefull.")) == [("goverment", "government"), ("usefull", "useful")]


def test_a_word_that_nothing_is_near_is_told_of_without_a_guess() -> None:
    assert told(looking("He said xqzzvwq once.")) == [("xqzzvwq", None)]


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


def test_fifteen_thousand_misspelt_words_cost_a_bounded_time() -> None:
    chance = Random(1)
    words = ["".join(chance.choices("bcdfgxqz", k=9)) if n % 4 == 0 else "people" for n in range(15_000)]
    look = looking("\n\n".join(" ".join(words[at : at + 40]) + "." for at in range(0, len(words), 40)))
    began = process_time()

    found = [comment for paragraph in range(375) for comment in misspelt(look, paragraph)]

    assert len(found) == MAX_IN_ESSAY
    assert process_time() - began < 1.5


def test_names_addresses_and_short_words_are_let_be() -> None:
    assert told(looking("Then Zxcvia wrote to zx@example.org of qp/zzyx and hm.")) == []


def test_what_the_book_writes_is_a_word() -> None:
    assert told(looking("The isopods moult.", "Isopods moult in Chicago.")) == []


def test_a_word_is_told_of_once_in_an_essay() -> None:
    look = looking("The goverment fell.\n\nThe goverment rose.")

    assert (len(told(look)), told(look, 1)) == (1, [])


def test_a_paragraph_full_of_them_is_not_listed_to_its_end() -> None:
    assert len(told(looking("xqzza xqzzb xqzzc xqzzd xqzze xqzzf."))) == MAX_MISSPELT
