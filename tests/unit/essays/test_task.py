"""What the teacher set: copied words are neither claimed by the student nor searched for. A rubric is read from lines and
from tables, and written as a table that is read the same."""

import pytest

from chapterverse.core.errors import BadRequest
from chapterverse.core.hits import Scope
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.model import Comment
from chapterverse.essays.service import EssayContext, FeedbackOptions, FeedbackRequest, essay_in, feedback_on
from chapterverse.essays.task import BUILT_IN, Criterion, WritingTask, read_rubric, rubric_table
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
    return list(feedback_on(request(text, task), essays).comments)


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
        "This paragraph repeats your task, so we did not look it up in your books.",
        "We found nothing in your books for this paragraph.",
    ]
    assert given.notes == ()


def test_a_task_at_the_end_of_the_essay_does_not_read_as_a_lack_of_time(essays: EssayContext) -> None:
    evidence = feedback_on(request(f"{OWN}\n\n{QUESTION}"), essays).evidence

    assert evidence.notes == ()


def test_what_is_copied_is_neither_praised_nor_corrected(essays: EssayContext) -> None:
    task = WritingTask("I think that zoos should of closed because animals are sad there.")
    text = f"{task.text} {OWN}"

    assert all(one.about is None or one.about[0] >= len(task.text) for one in comments_on(text, essays, task))


def test_an_essay_that_is_nothing_but_the_task_is_refused(essays: EssayContext) -> None:
    with pytest.raises(BadRequest, match="text of the assignment"):
        essay_in(request(QUESTION.removesuffix(" Give reasons.")), essays)


TABLE = "Criterion\tPoints\tgood\tpoor\nStructure\t20\tclear\tno order\nStyle\t10"


def test_points_of_a_table_are_weights_and_other_cells_levels() -> None:
    assert read_rubric(TABLE) == (
        Criterion("Structure", 20, ("good: clear", "poor: no order")),
        Criterion("Style", 10),
    )


@pytest.mark.parametrize("text", [TABLE, "Is brave (3 points)\nIs kind", "Style\t\tclear\tvague", *BUILT_IN])
def test_a_rubric_that_was_written_as_a_table_is_read_the_same(text: str) -> None:
    rubric = read_rubric(text)

    assert rubric
    assert read_rubric(rubric_table(rubric)) == rubric
