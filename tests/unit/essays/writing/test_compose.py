from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from chapterverse.essays.model import BY_RULES, Dimension, Style, sources_in
from chapterverse.essays.writing.drafts import breaches
from chapterverse.essays.writing.review import compose
from chapterverse.essays.writing.rules import ALWAYS, RuleContext
from tests.support.essays import a_subject, evidence_on

SAMPLE = Path(__file__).parents[4] / "samples" / "essay.md"
LOOK = RuleContext(a_subject(), Style())


@pytest.mark.parametrize("dimension", Dimension)
def test_a_review_says_what_was_checked_and_what_not(dimension: Dimension) -> None:
    review = compose(dimension, LOOK)

    assert (review.dimension, review.by) == (dimension, BY_RULES)
    assert review.checked
    assert review.not_checked
    assert review.notes == ()


def test_what_there_is_no_time_for_is_left_out_and_said() -> None:
    long = a_subject("\n\n".join(["It gonna rain."] * (ALWAYS + 3)))
    steps = count()

    review = compose(Dimension.FEATURES, replace(LOOK, subject=long, time_is_up=lambda: next(steps) > ALWAYS))

    assert {comment.paragraph for comment in review.comments} == set(range(ALWAYS + 1))
    assert [str(note) for note in review.notes] == [
        f"Time was up before paragraph {ALWAYS + 2}: it and the rest were not checked."
    ]


@pytest.mark.parametrize("dimension", Dimension)
def test_an_essay_of_ordinary_length_is_looked_at_however_late_it_is(dimension: Dimension) -> None:
    in_time, too_late = (
        compose(dimension, replace(LOOK, mentioned=set(), time_is_up=lambda late=late: late))  # type: ignore[misc]
        for late in (False, True)
    )

    assert too_late == in_time


@pytest.mark.parametrize(
    "text", ["Ich glaube, dass jeder Mensch frei sprechen darf.", "版权 保护 作者 文化 过去"], ids=["German", "Chinese"]
)
@pytest.mark.parametrize("dimension", [Dimension.EXPRESSIONS, Dimension.FEATURES])
def test_an_essay_that_is_not_english_is_not_corrected_as_if_it_were(dimension: Dimension, text: str) -> None:
    review = compose(dimension, replace(LOOK, subject=a_subject(text)))

    assert (review.comments, review.checked) == ((), ())
    assert "does not seem to be in English" in str(str(review.notes[0]))
    assert review.not_checked


def test_what_is_not_english_is_held_against_the_books_and_told_that_something_may_be_missing() -> None:
    german = a_subject("Ich glaube, dass jeder Mensch frei sprechen darf.")

    review = compose(Dimension.CONTENT, replace(LOOK, subject=german))

    assert review.checked
    assert "may have been missed" in str(str(review.notes[0]))


@pytest.mark.parametrize("dimension", Dimension)
def test_each_comment_of_the_rules_keeps_the_contract(dimension: Dimension) -> None:
    subject = a_subject(SAMPLE.read_text("utf-8"), evidence_on(0), evidence_on(1, number=2))
    review = compose(dimension, replace(LOOK, subject=subject, mentioned=set()))

    for comment in review.comments:
        assert list(breaches(comment, subject.essay, Style(), sources_in(subject))) == []
