"""give_feedback: the one way to feedback, for HTTP, the command line and batches."""

from dataclasses import replace

import pytest

from chapterverse.core import turns
from chapterverse.core.errors import BadRequest, Overloaded
from chapterverse.core.hits import Scope
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.model import Choice, Origin, Show, Submission
from chapterverse.essays.review import choose
from chapterverse.essays.service import EssayContext, FeedbackOptions, FeedbackRequest, essay_in, evidence_on, feedback_on
from chapterverse.essays.task import BUILT_IN, Criterion, WritingTask, read_rubric, rubric_table
from tests.support.batches import TRUTH

ID = "0123456789abcdef0123456789abcdef"
REQUEST = FeedbackRequest(f"# Speech\n\n{TRUTH}\n\nMy uncle sings.", Scope("school"))


@pytest.fixture
def essays(context: BatchContext) -> EssayContext:
    """A library with one book that has TRUTH in it."""
    return context.essays


def test_an_essay_is_not_even_parsed_before_its_turn(essays: EssayContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0.01)

    with essays.turns.of("school").taken(), essays.turns.of("other").taken():
        for begin in (feedback_on, evidence_on):
            with pytest.raises(Overloaded):
                begin(replace(REQUEST, text=""), essays)


def test_a_repeated_submission_shows_a_teachers_choices_but_an_essay_of_a_batch_does_not(essays: EssayContext) -> None:
    for submission, numbers in ((Submission(id=ID), ()), (Submission(origin=Origin("b1", 1)), (1,))):
        request = replace(REQUEST, submission=submission)
        id = str(feedback_on(request, essays).id)
        choose("school", id, Choice(1, Show.HIDDEN), essays)

        assert tuple(one.number for one in feedback_on(request, essays).evidence.evidence) == numbers


def test_a_title_of_the_request_replaces_the_texts_and_where_nothing_is_stored_there_is_no_id(essays: EssayContext) -> None:
    unstored = feedback_on(replace(REQUEST, title="Truth"), replace(essays, history=replace(essays.history, days=0)))

    assert feedback_on(REQUEST, essays).evidence.title == "Speech"
    assert (unstored.evidence.title, unstored.id, len(unstored.comments)) == ("Truth", None, 1)


QUESTION = "Should a government be allowed to silence the opinion of one person? Give reasons."
TASK = WritingTask(QUESTION, ("Silencing opinion robs us of truth, said the old man, and then he went away.",))
OWN = "My uncle sings because nobody listens."


def request(text: str, task: WritingTask | None = TASK) -> FeedbackRequest:
    return FeedbackRequest(text, Scope("school"), FeedbackOptions(task=task))


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
        "No passage in your books is close enough to this paragraph.",
    ]
    assert given.notes == ()
    assert feedback_on(request(f"{OWN}\n\n{QUESTION}"), essays).evidence.notes == ()  # nor does it read as a lack of time


def test_a_quotation_that_is_in_no_book_and_no_source_is_said_to_be_unchecked(essays: EssayContext) -> None:
    quoted = ("The end always justifies every means", "robs us of truth, said the old man, and then he")
    notes = [feedback_on(request(f"He writes: “{each}”. I agree with all of that."), essays).notes for each in quoted]

    assert str(notes[0][1]) == f"Not found in your books, so not checked: 1 quotation (“{quoted[0]}”)."
    assert len(notes[1]) == 1


def test_what_is_copied_is_neither_praised_nor_corrected(essays: EssayContext) -> None:
    task = WritingTask("I think that zoos should of closed because animals are sad there.")
    text = f"{task.text} {OWN}"

    comments = feedback_on(request(text, task), essays).comments
    assert all(one.about is None or one.about[0] >= len(task.text) for one in comments)


def test_an_essay_that_is_nothing_but_the_task_is_refused(essays: EssayContext) -> None:
    with pytest.raises(BadRequest, match="text of the assignment"):
        essay_in(request(QUESTION.removesuffix(" Give reasons.")), essays)


TABLE = "Criterion\tPoints\tgood\tpoor\nStructure\t20\tclear\tno order\nStyle\t10"


def test_points_of_a_table_are_weights_and_other_cells_levels_with_points_of_their_own() -> None:
    structure = Criterion("Structure", 20, ("good: clear", "poor: no order"), has_points=True)
    assert read_rubric(TABLE) == (structure, Criterion("Style", 10, has_points=True))


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Criterion\t4 points\t2\nStyle\tclear\tvague", [4, 2]),
        ("Criterion\t0\t1\t2\nStyle\tvague\tmixed\tclear", [0, 1, 2]),
        ("Kriterium\t1\t2\t3\nStil\tklar\tmeist klar\tunklar", []),  # grades, 1 is the best
        ("Criterion\t1 point\t2 points\nStyle\tvague\tclear", [1, 2]),
        ("Style\t\t2: clear\t5: vague\t3: mixed", []),
        ("Style (6 points)", [0, 2, 4, 6]),
        ("Style (1 point)", []),  # a third of it is not whole
        ("Style (9 %)", []),
        ("Style (weight: 3)", []),
        ("Criterion\tWeight\nStyle\t3", []),
    ],
)
def test_points_are_given_where_a_number_can_mean_nothing_else(text: str, points: list[int]) -> None:
    rubric = read_rubric(text)

    assert [*rubric[0].points.values()] == points
    assert read_rubric(rubric_table(rubric)) == rubric


@pytest.mark.parametrize("text", ["Style\t\tclear\tvague", "Style\nStructure\t20\tclear\nReasons\t\tnone"])
def test_a_rubric_keeps_its_order_and_has_no_points_where_its_teacher_gave_none(text: str) -> None:
    assert rubric_table(read_rubric(text)) == text
    assert rubric_table(read_rubric("Is kind\nIs brave (3 points)")) == "Is kind\nIs brave\t3"


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_rubric_has_levels_with_points_in_every_language(name: str) -> None:
    english, german = (read_rubric(name, language) for language in ("en", "de"))

    assert english != german == read_rubric(rubric_table(german))
    for one in (*english, *german):
        assert ([*one.points.values()], one.weight) == ([3, 2, 1, 0], 3)
