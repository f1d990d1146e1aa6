"""What became of the comments on an earlier draft."""

from dataclasses import replace

import pytest

from chapterverse.essays.model import Comment, Dimension, Review
from chapterverse.essays.revision.comments import Compared, outcomes
from chapterverse.essays.revision.compare import differences
from chapterverse.essays.revision.model import CommentState
from chapterverse.essays.text.parse import parse_essay
from tests.support.word_embedder import WordEmbedder

FIRST = "Homework should be forbidden. Children play to little. Our school is big.\n\nTests are a good thing, I think."
RESOLVED, TRIED, UNTOUCHED = CommentState


def state(
    second: str, rule: str, about: str, *, first: str = FIRST, instead: str | None = None, later: tuple[Comment, ...] = ()
) -> CommentState:
    """What became of a comment about those words of the first draft's first paragraph."""
    start = first.index(about)
    comment = Comment(0, "Why?", (start, start + len(about)), instead=instead, number=1, rule=rule)
    drafts, pairs, changes = differences(
        parse_essay(first), parse_essay(second), WordEmbedder().embed_queries, lambda texts: [[] for _ in texts]
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


def test_a_source_in_a_sentence_that_says_it_otherwise_answers_the_question_for_one() -> None:
    new = "According to a survey among teachers, homework helps few and it should go."

    second = FIRST.replace("Homework should be forbidden.", new)

    assert state(second, "reasons.source", "Homework should be forbidden.") is RESOLVED


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


MISQUOTED = FIRST.replace("Our school is big.", "She says “our school is a huge place”, and I agree.")
MENDED = MISQUOTED.replace("a huge place", "a big house")


def quoted(first: str, second: str, rule: str, later: str | None) -> CommentState:
    """What became of a comment on the quotation of the first draft. later: text of such a comment on the second one."""
    about = (first.index("our school"), first.index("”"))
    place = (second.index("our school"), second.index("”"))
    again = () if later is None else (Comment(0, later, place, rule=rule),)
    return state(second, rule, first[slice(*about)], first=first, later=again)


@pytest.mark.parametrize(
    ("second", "later", "expected"),
    [
        (MENDED, None, RESOLVED),
        (MENDED.replace("house", "plaza"), "One word differs.", TRIED),
        (MISQUOTED.replace("little", "much"), "Why?", UNTOUCHED),
    ],
)
def test_a_misquotation(second: str, later: str | None, expected: CommentState) -> None:
    assert quoted(MISQUOTED, second, "books.misquoted", later) is expected


@pytest.mark.parametrize(
    ("second", "later", "expected"),
    [
        (MENDED.replace("”", "” (p. 7)"), None, RESOLVED),
        (
            MENDED.replace("agree.", "agree. It shows that we need more room, because we are many."),
            None,
            RESOLVED,
        ),
        (MENDED.replace("I agree", "of course she is quite right about it"), "Why?", TRIED),
        (MENDED, "Why?", UNTOUCHED),
    ],
)
def test_a_right_quotation_whose_page_or_meaning_was_asked_for(second: str, later: str | None, expected: CommentState) -> None:
    assert quoted(MENDED, second, "books.quotation", later) is expected


def test_all_comments_of_a_priority_are_marked_as_one() -> None:
    compared = Compared(*differences(parse_essay(FIRST), parse_essay(FIRST), None, lambda texts: [[] for _ in texts]), later=())
    source, claim = Comment(0, "Why?", (0, 8), rule="reasons.source"), Comment(0, "So?", rule="reasons.claim")
    numbered = [replace(one, number=at) for at, one in enumerate((source, claim, source), start=1)]

    first, other, third = outcomes([Review(Dimension.CONTENT, tuple(numbered))], compared)

    assert first.priority
    assert first.group == third.group != other.group


def test_praise_has_no_state() -> None:
    compared = Compared(*differences(parse_essay(FIRST), parse_essay(FIRST), None, lambda texts: [[] for _ in texts]), later=())
    praise = Comment(0, "You give a reason here.", (0, 5), number=1, rule="works.reason")

    assert list(outcomes([Review(Dimension.CONTENT, (praise,))], compared)) == []
