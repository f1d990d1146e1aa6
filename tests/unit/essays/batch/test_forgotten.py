"""One essay of a batch is forgotten, whoever is at work on the others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import EssayBusy, NotFound
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.essays import forget_feedback
from chapterverse.essays.batch.files import CSV, JSONL, prediction_folder
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.results import collect, files_of, pages_of, read_file
from chapterverse.essays.batch.service import begin_batch, essays_of, hand_in
from chapterverse.essays.model import Origin
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.nights import TRUTH, NightQueue, a_night, begun, entries, lines, queue_of
from tests.support.traces import files_with

GIVEN = entries(TRUTH, "My uncle sings.", "My aunt dances.")


@pytest.fixture
def key(night: Night) -> BatchKey:
    """A batch that is done."""
    batch = begun(night, GIVEN)
    queue_of(night).do_all(night)
    return batch.key


def id_of(number: int, key: BatchKey, night: Night) -> str:
    return night.keeping.store.on_essay("school", Origin(key.batch, number)).id


def test_feedback_takes_its_essay_along_out_of_every_file_and_leaves_the_others(
    night: Night, key: BatchKey, tmp_path: Path
) -> None:
    night.results.write(f"{prediction_folder(key)}asked.json", b"My uncle sings.")
    assert files_with("uncle", tmp_path)

    forget_feedback("school", id_of(2, key, night), night)

    assert files_with("uncle", tmp_path) == files_with('"ben"', tmp_path) == []
    assert files_of(key, night) == [JSONL, CSV, "0001-ada.html", "0003-cleo.html"]
    told = [(one["id"], one.get("error")) for one in lines(read_file(key, JSONL, night))]
    error = {"code": "deleted", "message": "A teacher has deleted this essay."}
    assert told == [("ada", None), ("2", error), ("cleo", None)]
    assert [one.id for one in essays_of(key, night)] == ["ada", "2", "cleo"] == [id for _, id, _ in pages_of(key, night)]


def test_the_files_of_all_are_there_at_their_addresses_without_being_listed_first(night: Night, key: BatchKey) -> None:
    forget_feedback("school", id_of(2, key, night), night)

    assert b"dances" in read_file(key, JSONL, night)
    assert b"uncle" not in read_file(key, CSV, night)


def test_handed_in_again_it_stays_forgotten(night: Night, key: BatchKey, tmp_path: Path) -> None:
    forget_feedback("school", id_of(2, key, night), night)

    again = hand_in("school", GIVEN, [], night)
    begin_batch(again.key, night)
    collect(key, night)

    assert (again.key, again.done, again.failed) == (key, 2, 1)
    assert files_with("uncle", tmp_path) == []


def test_while_somebody_is_at_work_on_the_essay_it_is_not_forgotten_by_halves(night: Night, key: BatchKey) -> None:
    id = id_of(1, key, night)

    with night.store.claim(key, 1), pytest.raises(EssayBusy):
        forget_feedback("school", id, night)

    assert (night.store.batch(key).done, id_of(1, key, night)) == (3, id)


def test_of_a_batch_that_is_gone_feedback_goes_alone(night: Night, key: BatchKey) -> None:
    id = id_of(1, key, night)
    night.store.remove(key)

    forget_feedback("school", id, night)

    with pytest.raises(NotFound):
        forget_feedback("school", id, night)


def test_killed_before_any_of_its_steps_whoever_asks_again_forgets_it_whole(tmp_path: Path) -> None:
    for kill_before in range(1, 9):
        folder = tmp_path / str(kill_before)
        with a_night(folder) as night:
            batch, queue = begun(night, GIVEN), night.queue
            assert isinstance(queue, NightQueue)
            queue.do_all(night)
            id, clockwork = id_of(2, batch.key, night), Clockwork(kill_before)
            ports: Any = {name: Watched(getattr(night, name), clockwork) for name in ("results", "store")}
            ports["keeping"] = replace(night.keeping, store=Watched(night.keeping.store, clockwork))
            with pytest.raises(Killed):
                forget_feedback("school", id, replace(night, **ports))

            forget_feedback("school", id, night)

            assert files_with("uncle", folder) == []
