from itertools import count

import pytest

from chapterverse.evidence.verdict import VerdictKind
from chapterverse.feedback.comments import BY_RULES, Dimension, Style
from chapterverse.feedback.rules.compose import compose
from chapterverse.feedback.rules.rule import Looking
from tests.support.essays import a_subject, always

LOOK = Looking(a_subject(), Style(), always(VerdictKind.NOT_FOUND))


@pytest.mark.parametrize("dimension", Dimension)
def test_a_review_says_what_was_checked_and_what_not(dimension: Dimension) -> None:
    review = compose(dimension, LOOK, lambda: False)

    assert (review.dimension, review.by) == (dimension, BY_RULES)
    assert review.checked
    assert review.not_checked
    assert review.notes == ()


def test_what_there_is_no_time_for_is_left_out_and_said() -> None:
    steps = count()

    review = compose(Dimension.CONTENT, Looking(LOOK.subject, LOOK.style, LOOK.judge), lambda: next(steps) >= 1)

    assert {comment.paragraph for comment in review.comments} == {0}
    assert review.notes == ("Time was up before paragraph 2: nothing was looked at from there on.",)
