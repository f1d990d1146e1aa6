"""The words of comments in a paragraph: its text is split where they begin and end, and stays the same."""

from hypothesis import given
from hypothesis import strategies as st

from chapterverse.essays.model import Comment, Dimension
from chapterverse.essays.render import TextSpan, spans_of

TEXT = "Silence robs us."


def on(start: int, end: int, part: Dimension = Dimension.CONTENT) -> Comment:
    return Comment(0, "See.", (start, end), part)


def test_of_two_on_the_same_words_the_shorter_one_shows() -> None:
    spans = list(spans_of(TEXT, [(1, on(0, 12)), (2, on(8, 12, Dimension.EXPRESSIONS))]))

    assert spans == [TextSpan("Silence ", "content"), TextSpan("robs", "expressions", (1, 2)), TextSpan(" us.")]


def test_a_comment_on_the_whole_paragraph_ends_with_it() -> None:
    [span] = spans_of(TEXT, [(1, Comment(0, "See."))])

    assert (span.text, span.ends) == (TEXT, (1,))


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 16)).filter(lambda one: one[0] < one[1])))
def test_the_text_stays_whole_and_each_comment_ends_once(spans: list[tuple[int, int]]) -> None:
    found = list(spans_of(TEXT, [(at, on(*span)) for at, span in enumerate(spans, start=1)]))

    assert "".join(one.text for one in found) == TEXT
    assert sorted(at for one in found for at in one.ends) == list(range(1, len(spans) + 1))
