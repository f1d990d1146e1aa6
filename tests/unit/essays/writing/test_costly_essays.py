"""Essays made to keep the rules busy: the time of an essay holds, and a note says what was left out."""

from dataclasses import replace
from random import Random
from time import process_time

import pytest

from chapterverse.core.hits import Vectors
from chapterverse.essays.model import Style, Subject
from chapterverse.essays.task import WritingTask
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing
from tests.support.essays import a_subject, found_on

SECONDS = 0.5
ENOUGH = 60.0  # for what is counted and not timed
AT_ONCE = 5.0  # what cannot be stopped, on a slow machine too; without a bound some of these take fifty
CHANCE = Random(1)
COSTLY = {
    "misspelt words": " ".join("".join(CHANCE.choices("bcdfgxqz", k=9)) if n % 4 else "people" for n in range(15_000)),
    "one sentence": "and people go to school with other people " * 2_450,
    "a mistake everywhere": "he go to " * 6_600,
    "the same word": "and " * 19_900,
    "names": "Xbdcae Wpeople " * 9_900,
    "open quotations": "“a " * 9_000,
    "many paragraphs": "\n\n".join(
        f"He go to {n} school, and they was glad of it because he like them." * 3 for n in range(390)
    ),
}


def notes_on(text: str, style: Style | None = None, seconds: float = SECONDS) -> list[str]:
    """The notes of all reviews, and that there was no more time than there is."""
    writing = Writing(style=style or Style(), seconds=seconds, clock=process_time)
    found = found_on(Subject(parse_essay(f"People who think that they know everything speak.\n\n{text}."), ()))
    began = process_time()

    reviews = list(write_reviews(found, "school", writing, began))

    assert process_time() - began < seconds + AT_ONCE
    assert len(reviews) == len(writing.style.dimensions)
    return [str(note) for review in reviews for note in review.notes]


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """What is loaded once per process takes no essay's time."""
    list(write_reviews(found_on(a_subject("It gonna rian.")), "school", Writing(), process_time()))


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY.keys())
def test_the_time_of_an_essay_holds(text: str) -> None:
    notes_on(text)


def test_what_there_was_no_time_for_is_named() -> None:
    assert "Time was up before paragraph 2: it and the rest were not checked." in notes_on(COSTLY["a mistake everywhere"])


def test_words_that_were_not_looked_into_are_counted() -> None:
    words = CHANCE.sample(["".join(CHANCE.choices("bcdfgxqz", k=9)) for _ in range(900)], 900)
    text = "\n\n".join(
        " ".join(["the people say that", *words[at : at + 2], "is what they know"]) + "." for at in range(0, 900, 2)
    )

    assert any("that only the first" in note for note in notes_on(text[:20_000], seconds=ENOUGH))


def test_an_essay_of_many_sentences_is_not_held_against_its_task() -> None:
    asked: list[int] = []

    def embed(texts: object) -> Vectors:
        asked.append(1)
        raise AssertionError

    style = Style(task=WritingTask("Explain why cities should limit car traffic. Discuss the costs of public transport."))
    found = found_on(Subject(parse_essay("Dogs sleep all day. " * 300), ()))

    list(write_reviews(found, "school", replace(Writing(), style=style), process_time(), embed))

    assert asked == []
