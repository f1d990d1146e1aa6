"""Questions about the task: only where neither words nor vectors have anything to do with it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.essays.model import Comment, Dimension, Review, Style, Subject
from chapterverse.essays.outline import EssaySpan, EvidencePiece, Outline, PieceKind, Reason
from chapterverse.essays.task import Genre, WritingTask, content_stems
from chapterverse.essays.writing.drafts import is_readable
from chapterverse.essays.writing.relevance import CHECKED, with_task
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject

TASK = WritingTask("Should lessons at our school begin at nine? Describe how teachers sleep and work at night.")
ON = "Lessons at school begin too early, and teachers are as tired as we are when they have to work. " * 2
OFF = "My uncle keeps forty pigeons on the roof of a brick building, and every Sunday he cleans their cages and paints them. "
ELSEWHERE = f"{OFF}He gives each bird a number, a colour and a small bowl of corn."


def vectors(texts: Sequence[str]) -> Vectors:
    """Texts that share words of content are near."""
    known = {stem: at for at, stem in enumerate(sorted({stem for text in texts for stem in content_stems(text)}))}
    made = np.zeros((len(texts), len(known) + len(texts)), np.float32)
    for row, text in enumerate(texts):
        made[row, [known[stem] for stem in content_stems(text)] or [len(known) + row]] = 1
    return made / np.linalg.norm(made, axis=1, keepdims=True)  # type: ignore[no-any-return]


def asked(text: str, task: WritingTask | None = TASK, **style: object) -> tuple[Comment, ...]:
    look = RuleContext(Subject(a_subject(text).essay, ()), replace(Style(task=task), **style))  # type: ignore[arg-type]
    return with_task(Review(Dimension.CONTENT, ()), look, vectors).comments


def test_a_paragraph_that_has_nothing_to_do_with_task_and_essay_is_asked_about() -> None:
    [comment] = asked(f"{ON}\n\n{ELSEWHERE}\n\n{ON} We sleep at night.")

    assert (comment.paragraph, comment.rule) == (1, "task.paragraph")
    assert comment.about == (0, len(OFF.strip()))
    assert comment.text.count("?") == 1
    assert is_readable(comment.text, Style().grade)


def test_a_paragraph_that_has_nothing_to_do_with_the_task_gives_no_reason() -> None:
    text = f"{ON}\n\n{ELSEWHERE}\n\n{ON} We sleep at night."
    look = RuleContext(Subject(a_subject(text).essay, ()), Style(task=TASK))
    reasons = tuple(Reason(EssaySpan(at, 0, 10)) for at in (0, 1))
    outline = Outline(Genre.ARGUMENTATIVE, reasons=reasons, others=(EvidencePiece(EssaySpan(1, 20, 30), PieceKind.EXAMPLE),))

    left = with_task(Review(Dimension.CONTENT, (), outline=outline), look, vectors).outline

    assert left == Outline(Genre.ARGUMENTATIVE, reasons=reasons[:1])


@pytest.mark.parametrize(
    "text",
    [
        f"{ON}\n\n{ELSEWHERE} He is a teacher at our school.\n\n{ON}",
        f"{ON}\n\nMy uncle keeps pigeons.\n\n{ON}",
        ELSEWHERE,
    ],
    ids=["it shares a word", "it is short", "it is all there is"],
)
def test_in_doubt_nothing_is_asked(text: str) -> None:
    assert [one.rule for one in asked(text) if one.rule == "task.paragraph"] == []


def test_a_story_may_go_anywhere_and_without_a_task_there_is_nothing_to_ask() -> None:
    text = f"{ON}\n\n{ELSEWHERE}\n\n{ON} We sleep at night."

    assert asked(text, genre=Genre.NARRATIVE) == ()
    assert asked(text, None) == ()
    assert asked(text, WritingTask("Chapter 4")) == ()


def test_a_part_of_the_task_that_is_nowhere_taken_up_is_named() -> None:
    [comment] = asked("Lessons should begin later. Our school would be better then.")

    assert comment.rule == "task.part"
    assert "Describe how teachers sleep and work at night." in comment.text
    assert comment.paragraph == 0


def test_what_the_task_says_on_form_is_no_part_of_it() -> None:
    task = WritingTask("Should lessons begin at nine? Use examples from daily life and write at least three paragraphs.")

    assert asked("Lessons should begin later. Our school would be better then.", task) == ()


def test_without_an_embedder_nothing_is_asked_and_nothing_claimed() -> None:
    def away(_: Sequence[str]) -> Vectors:
        raise EmbedderUnavailable("embedder_away")

    look = RuleContext(Subject(a_subject(ON).essay, ()), Style(task=TASK))
    review = Review(Dimension.CONTENT, ())

    assert with_task(review, look, away) == review
    assert with_task(review, look, None) == review
    assert with_task(review, look, vectors).checked == (CHECKED,)
