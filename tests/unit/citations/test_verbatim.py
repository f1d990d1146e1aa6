"""Quotations of books in a text: where they stand, and every word that differs."""

from dataclasses import replace

import pytest

from chapterverse.citations.model import Difference, Quotation
from chapterverse.citations.verbatim import Quoted, find_quotations
from chapterverse.core.book import SentenceId
from chapterverse.library.artefacts import fingerprint
from tests.support.made import a_sentence

PRINCIPLE = "The object of this Essay is to assert one very simple principle."
MINUS_ONE = (
    "If all mankind minus one were of one opinion, and only one person were of the contrary opinion, mankind would be no more "
    "justified in silencing that one person, than he, if he had the power, would be justified in silencing mankind."
)
EVIL = (
    "But the peculiar evil of silencing the expression of an opinion is, that it is robbing the human race; posterity as well "
    "as the existing generation; those who dissent from the opinion, still more than those who hold it."
)
COMMON = "On the other hand, it is one of those things that there are so many of in the world."
GERMAN = "Die eigentümliche Schlechtigkeit der Unterdrückung einer Meinung ist, daß sie nicht einen Menschen beraubt."
GEESE = "In autumn thirty grey geese fly south over the quiet house."
BOOK = (PRINCIPLE, MINUS_ONE, EVIL, COMMON, GERMAN, GEESE)
SENTENCES = [replace(a_sentence(text), id=SentenceId(f"s{at}")) for at, text in enumerate(BOOK)]
PRINTS = {"v": fingerprint(SENTENCES)}
EXPRESSED = "“the peculiar evil of silencing the expression of an opinion"


def quoted_in(text: str, *, block: bool = False) -> list[Quoted]:
    written = {sentence.id: sentence.text for sentence in SENTENCES}
    return find_quotations([(text, block)], PRINTS, lambda _, sentence: written[sentence])


def quotation_in(text: str, *, block: bool = False) -> Quotation:
    [one] = quoted_in(text, block=block)
    return one.quotation


@pytest.mark.parametrize(
    "marked",
    ["“{}”", '"{}"', "„{}“", "«{}»", "»{}«", "‘{}’", "'{}'"],
    ids=["curly", "straight", "low", "angled", "turned", "single", "straight single"],
)
@pytest.mark.parametrize(
    "words", ["the peculiar evil of silencing the expression of an opinion", "The PECULIAR evil, of silencing"]
)
def test_what_stands_in_quotation_marks_of_any_kind_is_found_whatever_its_case(marked: str, words: str) -> None:
    text = f"I like it. Mill speaks of {marked.format(words)} there."

    [one] = quoted_in(text)

    assert (one.sentence, one.quotation.marked, one.quotation.exact) == ("s2", True, True)
    assert text[one.quotation.start : one.quotation.end] == words


@pytest.mark.parametrize("marked", ['"{}"', "«{}»", "»{}«"], ids=["straight", "angled", "turned"])
def test_a_word_in_quotation_marks_before_it_hides_no_quotation(marked: str) -> None:
    words = "the peculiar evil of silencing the expression of an opinion"
    text = f"He asks {marked.format('why?')} and speaks of {marked.format(words)} there."

    assert quotation_in(text).marked
    assert text[slice(quotation_in(text).start, quotation_in(text).end)] == words


@pytest.mark.parametrize(
    ("quoted", "differences"),
    [
        (
            "“the strange evil of silencing the expression of an opinion is that it is robbing the whole human race”",
            [("strange", "peculiar"), ("whole", "")],
        ),
        ("“mankind would be more justified in silencing that one person”", [("", "no")]),
        ("“the peculiar evil of silencing the expresion of an opinion”", [("expresion", "expression")]),
        ("“if all man-kind minus one were of one opinion”", []),
        ("“thirty grey geese fly south over the quiet house and tree”", [("and tree", "")]),
        (f"{EXPRESSED} is [not], that it is robbing”", [("not", "")]),  # in brackets
        (f"{EXPRESSED},” he says, “is that it is robbing the human races”.", [("races", "race")]),  # the worse part
        ("„die eigentümliche Schlechtigkeit der Unterdrückung jeder Meinung“", [("jeder", "einer")]),
    ],
)
def test_every_word_that_differs_is_listed(quoted: str, differences: list[tuple[str, str]]) -> None:
    found = quotation_in(f"Mill says {quoted}")

    assert found.differences == tuple(Difference(*each) for each in differences)
    assert found.exact == (not differences)


def test_a_sentence_is_found_however_much_of_it_is_left_out_or_changed_if_most_words_are_its_own() -> None:
    quoted = MINUS_ONE.replace("minus", "without").replace("and only one person were of the contrary opinion, ", "")

    found = quotation_in(f"Mill says: “{quoted.replace('if he had the power, would', 'would')}”")

    assert (found.differences[0], len(found.differences)) == (Difference("without", "minus"), 3)
    assert quoted_in(f"Mill says: “{' '.join(quoted.split()[::2])}”") == []


def test_what_an_ellipsis_leaves_out_is_shown() -> None:
    found = quotation_in("“[T]he peculiar evil of silencing … an opinion is that it is robbing … posterity”")

    assert found.exact
    assert found.left_out[0] == "the expression of"
    assert len(found.left_out) == 2


@pytest.mark.parametrize(
    ("quoted", "left_out"),
    [
        ("“mankind would be ... justified in silencing that one person”", ("no more",)),
        ("“In autumn … grey geese fly south over the quiet house”", ("thirty",)),
        (
            "„die eigentümliche Schlechtigkeit der Unterdrückung einer Meinung ist, daß sie […] einen Menschen beraubt“",
            ("nicht",),
        ),
    ],
    ids=["negation", "number", "German"],
)
def test_the_reader_can_see_that_an_ellipsis_turns_the_meaning(quoted: str, left_out: tuple[str, ...]) -> None:
    assert quotation_in(quoted).left_out == left_out


def test_a_quotation_stands_once_where_most_of_its_words_do_also_in_a_block() -> None:
    [one] = quoted_in("“one very simple principle. If all mankind minus one were of one opinion”")
    assert (one.sentence, one.quotation.exact) == ("s1", True)

    found = quotation_in("The object of this Essay is to assert one very simple principle. — Mill, On Liberty", block=True)
    assert (found.start, found.end, found.marked, found.exact) == (0, 63, True, True)

    twice = quoted_in(f"“{EVIL[4:60]}” is true. {EVIL[60:]}")
    assert [one.sentence for one in twice] == ["s2"]


def test_copied_words_without_marks_are_found_and_no_more_than_these() -> None:
    text = "I think that silencing the expression of an opinion is that it is robbing the human kind."

    found = quotation_in(text)

    assert not found.marked
    assert text[found.start : found.end] == "silencing the expression of an opinion is that it is robbing the human"


@pytest.mark.parametrize(
    "text",
    [
        "The peculiar evil of silencing the opinion of others is large.",
        "On the other hand, it is one of those things that there are so many of.",
        "He calls it “one very simple principle”, and I agree.",
        "“On the other hand it is one”",
        "“Silencing people is a strange and peculiar habit of all mankind, in my opinion”",
        "“The peculiar evil of an opinion is that people dissent from all existing things for ever”",
        "",
        "…",
    ],
    ids=["seven words", "phrase", "expression", "marked phrase", "same words", "too different", "nothing", "no word"],
)
def test_common_phrases_and_own_words_are_no_quotation(text: str) -> None:
    assert quoted_in(text) == []


def test_common_words_in_marks_are_a_quotation_only_word_for_word_and_much_that_differs_is_none() -> None:
    words = "it is one of those things that there"
    assert quotation_in(f"She said, “{words}.”").exact
    assert quoted_in(f"She said, “{words.replace('one', 'two')}.”") == []

    assert quoted_in("The sign says “if he had the power, swimming” now.") == []  # “power”, and what any text has
    assert quotation_in("He writes “geese fly south over the quiet swans”.").differences

    assert quotation_in("He names “the peculiar evil of silencing the views of an author”.").differences
    assert quoted_in("He names “the peculiar evil of silencing the views of a thinker”.") == []

    text = "“silencing the expression of an opinion is that it is robbing dogs and cats and birds and fish and trees of all”"
    assert quoted_in(text) == []
