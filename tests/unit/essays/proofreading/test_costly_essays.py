"""Essays made to keep the processor busy: the time of an essay holds."""

from random import Random
from time import monotonic, process_time

import pytest

from chapterverse.essays.proofreading.proofreader import proofread
from chapterverse.essays.text.parse import parse_essay

SECONDS = 0.1  # of an essay
AT_ONCE = 10.0  # what cannot be stopped, on a slow machine too; without a bound some of these take fifty
CHANCE = Random(1)
COSTLY = {
    "misspelt words": " ".join("".join(CHANCE.choices("bcdfgxqz", k=9)) if n % 4 else "people" for n in range(15_000)),
    "one sentence": "and people go to school with other people " * 2_450,
    "a mistake everywhere": "he go to " * 6_600,
    "the same word": "and " * 19_900,
    "names": "Xbdcae Wpeople " * 9_900,
    "open quotations": "“a " * 9_000,
    "open addresses": "www.a. " * 9_000,
    "many paragraphs": "\n\n".join(
        f"He go to {n} school, and they was glad of it because he like them." * 3 for n in range(390)
    ),
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY.keys())
def test_the_time_of_an_essay_holds(text: str) -> None:
    proofread(parse_essay("It gonna rian."), "en", monotonic() + 60)  # what is loaded once per process takes no essay's time
    began = process_time()

    notes = proofread(parse_essay(text), "en", monotonic() + SECONDS).notes

    assert notes, "it is said that not all was checked"
    assert process_time() - began < SECONDS + AT_ONCE
