"""Essays made to keep the processor busy: the time of an essay holds."""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf
from random import Random
from threading import current_thread
from time import monotonic, process_time
from types import SimpleNamespace

import pytest

from chapterverse.essays.model import Correction, Essay, Place
from chapterverse.essays.offline import gathered
from chapterverse.essays.proofreading import in_english, proofread
from chapterverse.essays.proofreading.harper import HARPER, WHY, CheckerUnavailable, Engine
from chapterverse.essays.proofreading.words import Words
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
        ("It was more easier than before.", "more easier", "easier"),
        ("We have went to the park.", "went", "gone"),
        ("She drived home.", "drived", "drove"),
        ("They have eated it.", "eated", "eaten"),
        ("They can make it to there destination.", "there", "their"),
        ("Their are two reasons for it.", "Their", "There"),
        ("It took a hour to go there.", "a", "an"),
        ("A hour is too long.", "A", "An"),
        ("We dont like it at all.", "dont", "don't"),
        ("We like it , but not much.", " ", ""),
        ("We like cats,dogs and birds.", ",", ", "),
        ("It ended. then we went home.", "then", "Then"),
        ("We saw the the house.", "the the", "the"),
        ("I beleive that it works.", "beleive", "believe"),
        ("Everybody laught at him.", "laught", "laughed"),
        ("Look at it on youre own.", "youre", "your"),
    ],
)
def test_a_mistake_is_corrected(text: str, words: str, instead: str) -> None:
    assert (words, instead) in corrections(text)


@pytest.mark.parametrize(
    "text",
    [
        "The news is good, and mathematics is hard.",
        "We seeked help, and he swimmed home to a childs toys.",
        "He took his eyes off the road, and we went too.",
        "He had had a dog that that man knew.",
        "It is a win win for many fish.",
        "There were 1,000 people at 3:05, an hour later, e.g., in a unit of the U.S.",
        "When he was young, he build a boat, and they sailed home.",
        "Our neighbours said it in defence of the theatre.",
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    assert corrections(text) == []


def test_a_name_a_quotation_an_address_and_what_another_dictionary_has_are_not_corrected() -> None:
    named = "Posner says so. Later Posner changes his mind. The judge called Ponser agreed with him."

    assert corrections(named, Told([])) == []
    assert corrections("He said “they dont go home”, and www.beleive.com has it.", Told([])) == []
    assert corrections("I beleive that it works.", Told([], ())) == []


@pytest.mark.parametrize(("harper", "found"), [(Told(None), ["believe", "don't"]), (Told([], None), ["don't"])])
def test_what_is_away_costs_its_own_corrections_only_and_a_note_says_so(harper: Engine, found: list[str]) -> None:
    proof = in_english(["I beleive that they dont."], monotonic() + 60, harper)

    assert ([one.instead for _, one in proof.corrections], len(proof.notes)) == (found, 1)


def test_corrections_do_not_overlap_and_come_in_reading_order_and_none_when_time_is_up() -> None:
    said = [("x", Place(0, (14, 23), "they go")), ("x", Place(0, (0, 2), "You"))]

    proof = in_english(["We think that they dont go home."], monotonic() + 60, Told(said))

    assert ([one.about for _, one in proof.corrections], proof.notes) == ([(0, 2), (19, 23)], ())
    word = [("x", Place(0, (9, 16), "Germnay")), ("", Place(0, (9, 16), "Germany"))]
    assert corrections("We saw a germnay.", Told(word)) == [("germnay", "Germany")]  # before its capital
    late = in_english(["We think that they dont go home."], monotonic() - 1)
    assert (late.corrections, len(late.notes)) == ([], 1)


@pytest.mark.parametrize(("language", "found"), [("en", ["don't"]), ("de", []), ("", [])])
def test_an_essay_in_another_language_is_not_checked(language: str, found: list[str]) -> None:
    proof = proofread(parse_essay("We think that they dont go home."), language, monotonic() + 60)

    assert ([one.instead for _, one in proof.corrections], proof.notes) == (found, ())


def test_harper_gives_corrections_and_words_that_it_does_not_have_unless_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from harper import Linter

    found = HARPER.corrections([Words("All is well.", 0), Words("We are in germany. Germany is big.", 1)], inf)
    offered = HARPER.unknown(["house", "beleive"], inf)

    assert {one for _, one in found} == {Place(1, (10, 17), "Germany")}
    assert list(offered) == ["beleive"]
    assert "believe" in offered["beleive"]
    assert WHY.keys() <= Linter().get_lint_config().keys()
    monkeypatch.setitem(sys.modules, "harper", None)
    with pytest.raises(CheckerUnavailable):
        Engine().corrections([Words("It is here.", 0)], inf)


def test_harper_works_on_one_thread_whoever_asks() -> None:
    harper, threads = Engine(), dict[str, str]()
    linter = SimpleNamespace(organized_lints=lambda text, **_: threads.setdefault(text, current_thread().name) and {})
    vars(harper)["_linters"] = (linter, linter)

    harper.unknown(["one"], inf)
    with ThreadPoolExecutor() as another:
        another.submit(harper.unknown, ["two"], inf).result()

    assert threads["one"] == threads["two"]


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

    assert proofread(parse_essay(text), "en", monotonic() + SECONDS).notes, "it is said that not all was checked"
    assert process_time() - began < SECONDS + AT_ONCE


ESSAY = parse_essay("\n\n".join(["A sentence of twenty letters and some more."] * 3))
SURE = Place(0, (8, 18), "understand")


def test_the_same_reason_or_none_is_one_comment_and_the_most_frequent_comes_first() -> None:
    rare = ("A capital.", Place(0, (0, 1), "I"))
    often = [("", Place(at, (5, 9), "its")) for at in (2, 1)]

    found = gathered((), [rare, *often], ESSAY)

    assert [(one.text, [place.paragraph for place in one.places]) for one in found] == [("", [1, 2]), ("A capital.", [0])]


WIDER = Place(0, (4, 26), "not understand anything")
SAUCE = Place(0, (8, 13), "sauce")
HANDEL = parse_essay("He licked the hole handel.")
HANDLE = Place(0, (14, 25), "whole handle")


@pytest.mark.parametrize(
    ("model", "sure", "essay", "shown"),
    [
        (("One negative is enough.", WIDER), ("A plain form.", SURE), ESSAY, ("One negative is enough.", WIDER)),
        (("Mine.", Place(0, (10, 14), "understand")), ("A plain form.", SURE), ESSAY, ("A plain form.", SURE)),
        (("", SAUCE), ("", Place(0, (8, 13), "source")), ESSAY, ("", SAUCE)),
        (("Sounds.", HANDLE), ("A name.", Place(0, (19, 25), "Handel")), HANDEL, ("Sounds.", HANDLE)),
    ],
    ids=["it explains what it mends too", "a part is not enough", "a misspelt word", "a capital that is a guess"],
)
def test_of_two_that_mend_the_same_one_is_shown(model: Correction, sure: Correction, essay: Essay, shown: Correction) -> None:
    [one] = gathered([model], [sure], essay)

    assert (one.text, one.places) == (shown[0], (shown[1],))


def test_what_is_no_word_is_mended_wherever_it_stands_and_a_word_only_where_it_was_found() -> None:
    essay = parse_essay("We shoud were togther.\n\nThey shoud not, and were togther, not Shoud.")
    found = [("", at(essay, "shoud", "should")), ("Past.", at(essay, "were", "be"))]

    [past, misspelt] = gathered(found, [("", at(essay, "togther", "together"))], essay)

    assert [essay.paragraphs[one.paragraph].text[slice(*one.about)] for one in misspelt.places] == ["shoud", "togther"] * 2
    assert len(past.places) == 1


def at(essay: Essay, words: str, instead: str) -> Place:
    start = essay.paragraphs[0].text.index(words)
    return Place(0, (start, start + len(words)), instead)
