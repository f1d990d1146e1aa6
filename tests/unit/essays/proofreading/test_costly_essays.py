"""Essays made to keep the processor busy: the time of an essay holds."""

from random import Random
from time import monotonic, process_time

import pytest

from chapterverse.essays.proofreading import proofread
from chapterverse.essays.text import parse_essay

SECONDS = 0.1  # of an essay
AT_ONCE = 10.0  # what cannot be stopped, on a slow machine too; without a bound some of these take far longer
CHANCE = Random(1)
COSTLY = {
    "misspelt words": " ".join("".join(CHANCE.choices("bcdfgxqz", k=9)) if n % 4 else "people" for n in range(4_000)),
    "one sentence": "and people go to school with other people " * 1_225,
    "a mistake everywhere": "he go to " * 3_300,
    "the same word": "and " * 9_950,
    "names": "Xbdcae Wpeople " * 4_950,
    "open quotations": "“a " * 4_500,
    "open addresses": "www.a. " * 4_500,
    "many paragraphs": "\n\n".join(
        f"He go to {n} school, and they was glad of it because he like them." * 3 for n in range(195)
    ),
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY.keys())
def test_the_time_of_an_essay_holds(text: str) -> None:
    proofread(parse_essay("It gonna rian."), "en", monotonic() + 60)  # what is loaded once per process takes no essay's time
    began = process_time()

    notes = proofread(parse_essay(text), "en", monotonic() + SECONDS).notes

    assert notes, "it is said that not all was checked"
    assert process_time() - began < SECONDS + AT_ONCE
