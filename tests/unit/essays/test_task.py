"""What the teacher set: copied words are neither claimed by the student nor searched for, and the genre follows it."""

from dataclasses import replace

import pytest

from chapterverse.core.errors import BadRequest
from chapterverse.core.hits import Scope
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.model import Comment
from chapterverse.essays.render import feedback_html, feedback_markdown
from chapterverse.essays.service import EssayContext, FeedbackOptions, FeedbackRequest, essay_in, feedback_on
from chapterverse.essays.task import Genre, WritingTask, genre_wanted
from tests.support.batches import TRUTH

QUESTION = "Should a government be allowed to silence the opinion of one person? Give reasons."
TASK = WritingTask(QUESTION, ("Silencing opinion robs us of truth, said the old man, and then he went away.",))
OWN = "My uncle sings because nobody listens."


@pytest.fixture
def essays(context: BatchContext) -> EssayContext:
    """A library with one book that has TRUTH in it."""
    return context.essays


def request(text: str, task: WritingTask | None = TASK) -> FeedbackRequest:
    return FeedbackRequest(text, Scope("school"), FeedbackOptions(task=task))


def comments_on(text: str, essays: EssayContext, task: WritingTask | None = TASK) -> list[Comment]:
    return [one for review in feedback_on(request(text, task), essays).reviews for one in review.comments]


@pytest.mark.parametrize(
    ("sentence", "copied"),
    [
        ("Should a government be allowed to silence the opinion of one person?", True),
        ("should a goverment be allowed to silence the opinion of one person", True),  # a slip of the pen
        ("A government should be allowed to silence the opinion of one person.", False),  # an answer
        ("I think a government should not be allowed to silence anybody.", False),
        ("The old man said that we lose the truth.", False),
        ("Give reasons.", False),  # too short to tell
        ("Silencing opinion robs us of truth, said the old man.", True),
    ],
)
def test_a_sentence_is_copied_if_most_of_its_words_stand_there_in_that_order(sentence: str, copied: bool) -> None:
    assert TASK.has(sentence) is copied


def test_words_of_the_task_are_not_searched_for(essays: EssayContext) -> None:
    text = f"{TRUTH}\n\n{OWN}"
    copying = WritingTask(f"Read this. {TRUTH}")

    without, given = (feedback_on(request(text, task), essays).evidence for task in (None, copying))

    assert [one.numbers for one in without.paragraphs] == [(1,), ()]
    assert [one.numbers for one in given.paragraphs] == [(), ()]
    assert [str(one.message) for one in given.paragraphs] == [
        "These are the words of your task. Your books were not searched for them.",
        "Nothing was found in your books for this paragraph.",
    ]
    assert given.notes == ()


def test_a_task_at_the_end_of_the_essay_does_not_read_as_a_lack_of_time(essays: EssayContext) -> None:
    evidence = feedback_on(request(f"{OWN}\n\n{QUESTION}"), essays).evidence

    assert [one.left_out for one in evidence.paragraphs] == [False, False]
    assert evidence.notes == ()


def test_what_is_copied_is_neither_praised_nor_corrected(essays: EssayContext) -> None:
    task = WritingTask("I think that zoos should of closed because animals are sad there.")
    text = f"{task.text} {OWN}"

    assert all(one.about is None or one.about[0] >= len(task.text) for one in comments_on(text, essays, task))
    assert any(one.about and one.about[0] < len(task.text) for one in comments_on(text, essays, None))


def test_an_essay_that_is_nothing_but_the_task_is_refused(essays: EssayContext) -> None:
    with pytest.raises(BadRequest, match="text of the task"):
        essay_in(request(QUESTION.removesuffix(" Give reasons.")), essays)


@pytest.mark.parametrize(
    ("task", "genre"),
    [
        ("Write a letter to your mayor. Say what should change.", Genre.LETTER),
        ("Write a story that begins with a closed door.", Genre.NARRATIVE),
        ("Using information from the text, explain why cars are limited.", Genre.SOURCE_BASED),
        ("Do we need homework?", Genre.ARGUMENTATIVE),
        ("Explain how bees find their way.", Genre.EXPOSITORY),
        ("Chapter 4", None),
    ],
)
def test_a_task_names_the_genre(task: str, genre: Genre | None) -> None:
    assert genre_wanted(WritingTask(task)) is genre


def test_a_genre_that_is_given_decides(essays: EssayContext) -> None:
    long = " ".join([OWN] * 30)
    reason = (
        "One reason is that it is so quiet that nobody hears it. They eat little, and everybody is calm when a test is near."
    )
    asked = request(f"I think that we should sing more often than we do now.\n\n{reason}\n\n{long}", None)

    argues = feedback_on(replace(asked, options=FeedbackOptions(genre=Genre.ARGUMENTATIVE)), essays)
    narrates = feedback_on(replace(asked, options=FeedbackOptions(genre=Genre.NARRATIVE)), essays)

    rules = [{one.rule for review in each.reviews for one in review.comments} for each in (argues, narrates)]
    assert "works.opinion" in rules[0] - rules[1]


def test_what_was_not_checked_is_not_said_to_be_fine(essays: EssayContext) -> None:
    german = "Ich glaube, dass jeder Mensch frei sprechen darf, weil niemand alles weiß. Meine Schwester spielt Klavier."
    feedback = feedback_on(request(german, None), essays)

    for page in (feedback_markdown(feedback), feedback_html(feedback)):
        assert "Nothing stood out" not in page
    content = feedback.reviews[0]
    assert not any("reasons that stand bare" in each for each in content.checked)
    assert any("reasons that stand bare" in each for each in content.not_checked)
