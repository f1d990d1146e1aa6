from hypothesis import given
from hypothesis import strategies as st

from chapterverse.lectures.citing import CUT, snippet

TEXTS = st.lists(st.text("abc", min_size=1, max_size=12), max_size=40).map(" ".join)
SENTENCE = "The fundamental theorem links the integral of a function with its antiderivative on every closed interval."


def test_a_sentence_that_is_long_enough_stands_alone() -> None:
    assert snippet("", SENTENCE, "", 100, 200) == SENTENCE


def test_what_is_left_out_is_told() -> None:
    assert snippet("Before.", SENTENCE, "After.", 100, 200) == f"…{SENTENCE}…"


def test_a_short_sentence_is_shown_with_words_after_it_then_before_it() -> None:
    assert snippet("one two three", "Short.", "four five", 22, 40) == "…three Short. four five"


def test_a_short_paragraph_is_shown_whole() -> None:
    assert snippet("One.", "Two.", "Three.", 100, 200) == "One. Two. Three."


def test_a_sentence_too_long_is_cut_between_words() -> None:
    assert snippet("", "word " * 60, "", 100, 200) == " ".join(["word"] * 40) + CUT


@given(before=TEXTS, sentence=TEXTS, after=TEXTS)
def test_it_is_as_long_as_it_has_to_be_in_words_of_the_paragraph(before: str, sentence: str, after: str) -> None:
    whole = f"{before} {sentence} {after}".split()

    shown = snippet(before, sentence, after, 30, 60)

    assert len(shown) <= 60
    assert len(shown) >= 30 or shown == " ".join(whole)
    assert " ".join(shown.strip(CUT).split()) in " ".join(whole)
    assert shown.strip(CUT) == "" or all(word in whole for word in shown.strip(CUT).split())
