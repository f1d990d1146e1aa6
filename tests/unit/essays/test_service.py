"""give_feedback: the one way to feedback, for HTTP, the command line and batches."""

from dataclasses import replace

import pytest

from chapterverse.accounts.model import SchoolSettings
from chapterverse.core import turns
from chapterverse.core.errors import BadRequest, NotFound, Overloaded, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.history import find_feedback, list_feedback
from chapterverse.essays.model import Choice, Comment, Dimension, EssayEvidence, Feedback, Origin, Show, Submission, Tone
from chapterverse.essays.review import choose
from chapterverse.essays.service import (
    EssayContext,
    FeedbackOptions,
    FeedbackPart,
    FeedbackRequest,
    evidence_on,
    feedback_on,
    give_feedback,
)
from tests.support.batches import TRUTH

ID = "0123456789abcdef0123456789abcdef"
REQUEST = FeedbackRequest(f"# Speech\n\n{TRUTH}\n\nMy uncle sings.", Scope("school"))


@pytest.fixture
def essays(context: BatchContext) -> EssayContext:
    """A library with one book that has TRUTH in it."""
    return context.essays


def parts(request: FeedbackRequest, essays: EssayContext) -> list[FeedbackPart]:
    return list(give_feedback(request, essays))


def test_evidence_comes_first_then_each_comment_then_the_stored_whole(essays: EssayContext) -> None:
    evidence, *comments, done = parts(REQUEST, essays)

    assert isinstance(evidence, EssayEvidence)
    assert [one.numbers for one in evidence.paragraphs] == [(1,), ()]
    assert [(one.paragraph, one.evidence) for one in comments if isinstance(one, Comment)] == [(0, (1,))]
    assert isinstance(done, Feedback)
    assert done.comments == tuple(comments)
    assert find_feedback("school", str(done.id), essays.history).id == done.id


def test_evidence_is_there_before_anything_is_written_or_stored(essays: EssayContext) -> None:
    stream = give_feedback(REQUEST, essays)

    assert isinstance(next(stream), EssayEvidence)
    assert list_feedback("school", essays.history) == []


def test_an_essay_is_not_even_parsed_before_its_turn(essays: EssayContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0.01)

    with essays.turns.of("school").taken(), essays.turns.of("other").taken():
        for begin in (feedback_on, evidence_on):
            with pytest.raises(Overloaded):
                begin(replace(REQUEST, text=""), essays)


def test_the_same_submission_again_gets_the_stored_feedback_whatever_its_text(essays: EssayContext) -> None:
    submission = Submission(id=ID)
    first = parts(replace(REQUEST, submission=submission), essays)

    again = parts(FeedbackRequest("Another text.", Scope("school"), submission=submission), essays)

    assert again == first
    assert len(list_feedback("school", essays.history)) == 1


def test_a_repeated_submission_shows_a_teachers_choices_but_an_essay_of_a_batch_does_not(essays: EssayContext) -> None:
    for submission, numbers in ((Submission(id=ID), ()), (Submission(origin=Origin("b1", 1)), (1,))):
        request = replace(REQUEST, submission=submission)
        id = str(feedback_on(request, essays).id)
        choose("school", id, Choice(1, Show.HIDDEN), essays)

        assert tuple(one.number for one in feedback_on(request, essays).evidence.evidence) == numbers


@pytest.mark.parametrize(("by_student", "kinds"), [(True, [Feedback]), (False, [EssayEvidence, Comment, Feedback])])
def test_where_a_teacher_approves_first_a_student_gets_the_id_alone(
    essays: EssayContext, by_student: bool, kinds: list[type]
) -> None:
    approving = replace(essays, history=replace(essays.history, settings_of=lambda _: SchoolSettings(approval=True)))
    given = parts(replace(REQUEST, by_student=by_student, submission=Submission(id=ID)), approving)
    again = parts(replace(REQUEST, by_student=by_student, submission=Submission(id=ID)), approving)

    assert [type(part) for part in given] == kinds
    assert again == given
    assert find_feedback("school", ID, approving.history).approved is None


def test_where_nothing_is_stored_the_whole_has_no_id(essays: EssayContext) -> None:
    feedback = feedback_on(REQUEST, replace(essays, history=replace(essays.history, days=0)))

    assert (feedback.id, len(feedback.comments)) == (None, 1)


def test_dimensions_tone_and_number_of_sentences_are_those_of_the_request(essays: EssayContext) -> None:
    options = FeedbackOptions(evidences=1, tone=Tone.PLAIN, dimensions=(Dimension.EXPRESSIONS,))

    feedback = feedback_on(replace(REQUEST, options=options), essays)

    assert [one for one in feedback.comments if one.part is not Dimension.EXPRESSIONS] == []
    assert options.style(essays.writing.style).tone is Tone.PLAIN
    assert options.plan(essays.plan).evidences == 1
    assert FeedbackOptions(evidences="paragraphs").plan(replace(essays.plan, evidences=7)).evidences is None


def test_a_title_of_the_request_replaces_the_one_in_the_text(essays: EssayContext) -> None:
    assert feedback_on(REQUEST, essays).evidence.title == "Speech"
    assert feedback_on(replace(REQUEST, title="Truth"), essays).evidence.title == "Truth"


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (replace(REQUEST, text="  \n "), BadRequest),
        (replace(REQUEST, text="word " * 30), TooLarge),
        (replace(REQUEST, scope=Scope("another school")), NotFound),
    ],
    ids=["empty", "too long", "no book"],
)
def test_an_essay_that_gets_no_feedback_raises_before_the_first_part(
    essays: EssayContext, request_: FeedbackRequest, error: type[Exception]
) -> None:
    with pytest.raises(error):
        next(give_feedback(request_, replace(essays, max_words=25)))

    assert list_feedback("school", essays.history) == []
