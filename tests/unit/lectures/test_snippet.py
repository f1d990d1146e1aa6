import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.lectures.citing import CUT, MAX_SNIPPET, MIN_SNIPPET, snippet

TEXTS = st.lists(st.text("abc", min_size=1, max_size=12), max_size=60).map(" ".join)
SENTENCE = "The fundamental theorem links the integral of a function with its antiderivative on every closed interval."


@pytest.mark.parametrize(
    ("before", "sentence", "after", "shown"),
    [
        ("Before.", SENTENCE, "After.", SENTENCE),
        ("One.", "Two.", "Three.", "One. Two. Three."),
        ("one two", "Short.", "word " * 60, f"Short. {' '.join(['word'] * 38)}{CUT}"),
        ("word " * 60, "Short.", "", f"… {' '.join(['word'] * 38)} Short."),
        ("", "x" * 300, "", f"{'x' * (MAX_SNIPPET - 1)}{CUT}"),
    ],
    ids=["long enough", "all of it", "words after it", "words before it", "without blanks"],
)
def test_a_snippet_is_the_sentence_with_what_fits(before: str, sentence: str, after: str, shown: str) -> None:
    assert snippet(before, sentence, after.strip()) == shown.strip()


@given(before=TEXTS, sentence=TEXTS, after=TEXTS)
def test_it_is_as_long_as_it_has_to_be_in_words_of_the_paragraph(before: str, sentence: str, after: str) -> None:
    whole = f"{before} {sentence} {after}".split()

    shown = snippet(before, sentence, after)

    assert len(shown) <= MAX_SNIPPET
    assert len(shown) >= MIN_SNIPPET or shown.split() == whole
    assert " ".join(shown.strip(CUT).split()) in " ".join(whole)
