"""What became of the comments on an earlier draft."""

import pytest

from chapterverse.essays.model import Comment, Dimension, Review
from chapterverse.essays.revision.comments import Compared, outcomes
from chapterverse.essays.revision.compare import differences
from chapterverse.essays.revision.model import CommentState
from chapterverse.essays.text.parse import parse_essay
from tests.support.word_embedder import WordEmbedder

FIRST = "Homework should be forbidden. Children play to little. Our school is big.\n\nTests are a good thing, I think."
RESOLVED, TRIED, UNTOUCHED = CommentState


def state(second: str, rule: str, about: str, *, instead: str | None = None, later: tuple[Comment, ...] = ()) -> CommentState:
    """What became of a comment about those words of the first draft's first paragraph."""
    start = FIRST.index(about)
    comment = Comment(0, "Why?", (start, start + len(about)), instead=instead, number=1, rule=rule)
    drafts, pairs, changes = differences(
        parse_essay(FIRST), parse_essay(second), WordEmbedder().embed_queries, lambda texts: [[] for _ in texts]
    )
    dimension = Dimension.CONTENT if instead is None else Dimension.EXPRESSIONS
    [outcome] = outcomes([Review(dimension, (comment,))], Compared(drafts, pairs, changes, later))
    return outcome.state


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("forbidden.", "forbidden. It takes away the time that children need, because a day is short.", RESOLVED),
        ("forbidden.", "forbidden, because it takes away the time that children need.", RESOLVED),
        ("forbidden.", "forbidden. I mean it.", TRIED),
        ("Homework should be forbidden. ", "", TRIED),
        ("Our school is big.", "Our school is very big.", UNTOUCHED),
    ],
)
def test_a_question_for_a_reason(old: str, new: str, expected: CommentState) -> None:
    assert state(FIRST.replace(old, new), "reasons.shows", "Homework should be forbidden.") is expected


def test_a_question_about_a_paragraph_is_answered_anywhere_in_it() -> None:
    first = FIRST.partition("\n\n")[0]
    second = FIRST.replace(first, f"{first} It takes away the time that children need, because a day is short.")

    assert state(second, "reasons.develop", "Homework should be forbidden.") is RESOLVED


@pytest.mark.parametrize(
    ("new", "expected"), [("too little", RESOLVED), ("to little.\n\nThey are tired", UNTOUCHED), ("too much", RESOLVED)]
)
def test_a_correction(new: str, expected: CommentState) -> None:
    assert state(FIRST.replace("to little", new), "", "to", instead="too") is expected


def test_a_mistake_in_place_of_another_was_tried() -> None:
    second = FIRST.replace("to little", "two little")
    at = second.index("two")

    found = state(second, "", "to", instead="too", later=(Comment(0, "Spelling.", (at, at + 3), instead="too"),))

    assert found is TRIED


def test_praise_has_no_state() -> None:
    compared = Compared(*differences(parse_essay(FIRST), parse_essay(FIRST), None, lambda texts: [[] for _ in texts]), later=())
    praise = Comment(0, "You give a reason here.", (0, 5), number=1, rule="works.reason")

    assert list(outcomes([Review(Dimension.CONTENT, (praise,))], compared)) == []
