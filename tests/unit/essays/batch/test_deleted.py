"""Deleting one essay of a batch, also while others are being processed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import EssayBusy, NotFound
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.files import (
    CSV,
    JSONL,
    files_of,
    forget_feedback,
    pages_of,
    prediction_folder,
    read_file,
)
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.service import begin_batch, essays_of, submit_batch
from chapterverse.essays.model import Origin
from tests.support.batches import TRUTH, ManualQueue, a_batch_context, begun, entries, lines, queue_of, with_history
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.traces import files_with

GIVEN = entries(TRUTH, "My uncle sings.", "My aunt dances.")


@pytest.fixture
def key(context: BatchContext) -> BatchKey:
    """A batch that is done."""
    batch = begun(context, GIVEN)
    queue_of(context).do_all(context)
    return batch.key


def id_of(number: int, key: BatchKey, context: BatchContext) -> str:
    return context.history.store.on_essay("school", Origin(key.batch, number)).id


def test_feedback_takes_its_essay_along_out_of_every_file_and_leaves_the_others(
    context: BatchContext, key: BatchKey, tmp_path: Path
) -> None:
    context.results.write(f"{prediction_folder(key)}asked.json", b"My uncle sings.")
    assert files_with("uncle", tmp_path)

    forget_feedback("school", id_of(2, key, context), context)

    assert files_with("uncle", tmp_path) == files_with('"ben"', tmp_path) == []
    assert files_of(key, context) == [JSONL, CSV, "0001-ada.html", "0003-cleo.html"]
    told = [(one["id"], one.get("error")) for one in lines(read_file(key, JSONL, context))]
    error = {"code": "deleted", "message": "A teacher has deleted this essay."}
    assert told == [("ada", None), ("2", error), ("cleo", None)]
    assert [one.id for one in essays_of(key, context)] == ["ada", "2", "cleo"] == [id for _, id, _ in pages_of(key, context)]


def test_handed_in_again_it_stays_forgotten(context: BatchContext, key: BatchKey, tmp_path: Path) -> None:
    forget_feedback("school", id_of(2, key, context), context)

    again = submit_batch("school", GIVEN, [], context)
    begin_batch(again.key, context)

    assert (again.key, again.done, again.failed) == (key, 2, 1)
    assert files_with("uncle", tmp_path) == []


def test_while_somebody_is_at_work_on_the_essay_it_is_not_forgotten_by_halves(context: BatchContext, key: BatchKey) -> None:
    id = id_of(1, key, context)

    with context.store.claim(key, 1), pytest.raises(EssayBusy):
        forget_feedback("school", id, context)

    assert (context.store.batch(key).done, id_of(1, key, context)) == (3, id)


def test_of_a_batch_that_is_gone_feedback_goes_alone(context: BatchContext, key: BatchKey) -> None:
    id = id_of(1, key, context)
    context.store.remove(key)

    forget_feedback("school", id, context)

    with pytest.raises(NotFound):
        forget_feedback("school", id, context)


def test_killed_before_any_of_its_steps_whoever_asks_again_forgets_it_whole(tmp_path: Path) -> None:
    for kill_before in range(1, 5):
        folder = tmp_path / str(kill_before)
        with a_batch_context(folder) as context:
            batch, queue = begun(context, GIVEN), context.queue
            assert isinstance(queue, ManualQueue)
            queue.do_all(context)
            id, clockwork = id_of(2, batch.key, context), Clockwork(kill_before)
            ports: Any = {name: Watched(getattr(context, name), clockwork) for name in ("results", "store")}
            watched = with_history(context, store=Watched(context.history.store, clockwork))
            with pytest.raises(Killed):
                forget_feedback("school", id, replace(watched, **ports))

            forget_feedback("school", id, context)

            assert files_with("uncle", folder) == []
