import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.lectures.citing import CUT, snippet

TEXTS = st.lists(st.text("abc", min_size=1, max_size=12), max_size=40).map(" ".join)
SENTENCE = "The fundamental theorem links the integral of a function with its antiderivative on every closed interval."


@pytest.mark.parametrize(
    ("before", "sentence", "after", "lengths", "shown"),
    [
        ("", SENTENCE, "", (100, 200), SENTENCE),
        ("Before.", SENTENCE, "After.", (100, 200), f"…{SENTENCE}…"),
        ("one two three", "Short.", "four five", (22, 40), "…three Short. four five"),
        ("One.", "Two.", "Three.", (100, 200), "One. Two. Three."),
        ("", "word " * 60, "", (100, 200), " ".join(["word"] * 40) + CUT),
    ],
    ids=["long enough", "what is left out is told", "words after it, then before it", "all of it", "cut between words"],
)
def test_a_snippet_is_the_sentence_with_what_fits(
    before: str, sentence: str, after: str, lengths: tuple[int, int], shown: str
) -> None:
    assert snippet(before, sentence, after, *lengths) == shown


@given(before=TEXTS, sentence=TEXTS, after=TEXTS)
def test_it_is_as_long_as_it_has_to_be_in_words_of_the_paragraph(before: str, sentence: str, after: str) -> None:
    whole = f"{before} {sentence} {after}".split()

    shown = snippet(before, sentence, after, 30, 60)

    assert len(shown) <= 60
    assert len(shown) >= 30 or shown == " ".join(whole)
    assert " ".join(shown.strip(CUT).split()) in " ".join(whole)
    assert shown.strip(CUT) == "" or all(word in whole for word in shown.strip(CUT).split())
