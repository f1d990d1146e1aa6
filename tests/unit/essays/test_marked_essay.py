from hypothesis import given
from hypothesis import strategies as st

from chapterverse.essays.model import Dimension
from chapterverse.essays.render import Highlight, TextSpan, spans_of

CONTENT, EXPRESSIONS = Dimension.CONTENT, Dimension.EXPRESSIONS
TEXT = "My uncle sings."


def test_a_text_without_marks_is_one_piece() -> None:
    assert list(spans_of(TEXT, [])) == [TextSpan(TEXT)]


def test_a_mark_is_on_its_own_words() -> None:
    assert list(spans_of(TEXT, [Highlight(1, CONTENT, 3, 8)])) == [
        TextSpan("My "),
        TextSpan("uncle", CONTENT, (1,)),
        TextSpan(" sings."),
    ]


def test_inside_a_longer_mark_the_shorter_one_shows() -> None:
    marks = [Highlight(1, CONTENT, 0, 15), Highlight(2, EXPRESSIONS, 3, 8)]

    assert list(spans_of(TEXT, marks)) == [
        TextSpan("My ", CONTENT),
        TextSpan("uncle", EXPRESSIONS, (2,)),
        TextSpan(" sings.", CONTENT, (1,)),
    ]


def test_a_comment_on_the_whole_paragraph_ends_with_it_and_marks_nothing() -> None:
    assert list(spans_of(TEXT, [Highlight(1, CONTENT, 15, 15)])) == [TextSpan(TEXT, None, (1,))]


@given(st.text(min_size=1), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60))))
def test_no_character_is_lost_and_every_mark_ends_once(text: str, places: list[tuple[int, int]]) -> None:
    inside = [sorted((start % (len(text) + 1), end % (len(text) + 1))) for start, end in places]
    marks = [Highlight(number, CONTENT, start, end) for number, (start, end) in enumerate(inside) if end]

    parts = list(spans_of(text, marks))

    assert "".join(part.text for part in parts) == text
    assert sorted(number for part in parts for number in part.ends) == [mark.number for mark in marks]
