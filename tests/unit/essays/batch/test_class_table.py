"""A batch as a table."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.results import class_table, one_of_class
from chapterverse.essays.batch.service import try_again
from chapterverse.essays.model import Choice, Show
from chapterverse.essays.review import Library, approve, choose
from chapterverse.messages import plain
from tests.support.batches import TRUTH, Clock, a_batch_context, begun, entries, queue_of


def done(context: BatchContext, *texts: str) -> BatchKey:
    key = begun(context, [*entries(*texts), EssayEntry(9, "zoe", problem=plain("Line 9 has no text."))]).key
    queue_of(context).do_all(context)
    return key


def rows(key: BatchKey, context: BatchContext) -> list[dict[str, Any]]:
    return class_table(key, context).model_dump(mode="json")["essays"]


def test_each_essay_has_a_row_with_what_was_said_of_it_or_why_nothing_was(tmp_path: Path) -> None:
    with a_batch_context(tmp_path) as context:
        ada, zoe = rows(done(context, TRUTH), context)

    assert (ada["id"], ada["state"]) == ("ada", "done")
    assert (ada["feedback"]["figures"]["paragraphs"], ada["feedback"]["figures"]["evidence"]) == (1, 1)
    assert ada["feedback"]["figures"]["content"] > 0
    assert ada["feedback"]["approved"]
    assert (zoe["id"], str(zoe["message"]), zoe["feedback"]) == ("zoe", "Line 9 has no text.", None)


def test_figures_are_those_of_what_a_teacher_has_shown(tmp_path: Path) -> None:
    with a_batch_context(tmp_path) as context:
        key = done(context, TRUTH)
        id = rows(key, context)[0]["feedback"]["id"]
        library = Library("school", context.services)

        choose(id, Choice(1, Show.HIDDEN), context.history, library)
        approve("school", id, approved=False, history=context.history)

        told = rows(key, context)[0]["feedback"]
        assert (told["figures"]["evidence"], told["choices"], told["approved"]) == (0, 1, None)


def test_when_its_days_are_over_a_row_has_no_feedback(tmp_path: Path) -> None:
    with a_batch_context(tmp_path) as context:
        key = done(context, TRUTH)
        assert isinstance(context.now, Clock)
        context.now.later(days=31)

        assert [row["feedback"] for row in rows(key, context)] == [None, None]
        assert one_of_class(key, 1, context).feedback is None


def test_who_goes_from_essay_to_essay_is_told_which_is_next(tmp_path: Path) -> None:
    with a_batch_context(tmp_path) as context:
        key = done(context, TRUTH, "My uncle sings.")
        first, second, last = (one_of_class(key, number, context) for number in (1, 2, 9))

        assert [(one.previous, one.next, one.place) for one in (first, second, last)] == [
            (None, 2, 1),
            (1, 9, 2),
            (2, None, 3),
        ]
        with pytest.raises(NotFound):
            one_of_class(key, 5, context)


def test_those_that_failed_are_tried_again_but_not_what_cannot_be_used(tmp_path: Path) -> None:
    with a_batch_context(tmp_path) as context:
        strict = replace(context, essays=replace(context.essays, max_words=5))
        key = done(strict, TRUTH)
        assert rows(key, context)[0]["reason"] == "too_large"
        assert isinstance(context.now, Clock)
        context.now.later(minutes=1)

        batch = try_again(key, context)
        queue_of(context).do_all(context)

        assert (batch.waiting, batch.began) == (1, context.now.now)
        assert [row["state"] for row in rows(key, context)] == ["done", "failed"]
        assert try_again(key, context).began == batch.began + timedelta(0)
