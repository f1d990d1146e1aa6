"""One essay of a batch is written on once, whatever happens to whoever does it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import BadRequest, EmbedderUnavailable, ModelUnavailable, NotFound
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Bucket
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.files import batch_folder, load_result
from chapterverse.essays.batch.model import BatchState, EssayBatch, EssayState
from chapterverse.essays.batch.service import remove_batch
from chapterverse.essays.batch.tasks import run_night_task
from chapterverse.essays.history import list_feedback
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.nights import TEN, TRUTH, Clock, a_night, begun, entries, queue_of
from tests.support.word_embedder import WordEmbedder

THREE = entries(TRUTH, "My uncle sings.", "Opinion robs mankind.")


def do_all(night: Night, attempt: int = 1) -> None:
    queue_of(night).do_all(night, attempt)


def states(night: Night, batch: EssayBatch) -> list[tuple[EssayState, str | None]]:
    return [(essay.state, essay.reason) for essay in night.store.essays(batch.key)]


def test_each_essay_gets_the_feedback_it_would_get_by_day(night: Night) -> None:
    batch = begun(night, THREE)

    do_all(night)

    first = load_result(night.results, batch.key, 1)
    assert (first["number"], first["id"]) == (1, "ada")
    assert [one["sentence"]["text"] for one in first["evidence"]] == [TRUTH]
    assert night.store.batch(batch.key).state(TEN) is BatchState.DONE


def test_a_title_given_beside_the_essay_is_its_title(night: Night) -> None:
    batch = begun(night, [Entry(1, "ada", "On truth", f"# Draft\n\n{TRUTH}"), Entry(2, "ben", None, f"# Mine\n\n{TRUTH}")])

    do_all(night)

    assert [load_result(night.results, batch.key, number)["title"] for number in (1, 2)] == ["On truth", "Mine"]


def test_only_the_books_named_are_looked_in(night: Night) -> None:
    with pytest.raises(NotFound):
        begun(night, THREE, ["no-such-book"])

    batch = begun(night, THREE, ["on-liberty"])
    do_all(night)

    assert night.store.batch(batch.key).done == 3


def test_a_bad_essay_says_why_and_stops_no_other(night: Night) -> None:
    short = replace(night, limits=replace(night.limits, essay_words=4))

    batch = begun(short, entries("I say so.", "This one has too many words.", "# Only a heading"))
    do_all(short)

    assert states(night, batch) == [
        (EssayState.DONE, None),
        (EssayState.FAILED, "too_large"),
        (EssayState.FAILED, "bad_request"),
    ]


@dataclass
class Failing(WordEmbedder):
    """An embedder that does not work until it does."""

    error: Exception | None = None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self.error:
            raise self.error
        return super().embed_passages(texts)


@pytest.mark.parametrize("error", [EmbedderUnavailable("Away."), ModelUnavailable("No weights.")])
def test_what_is_not_the_essays_fault_is_tried_again_and_left_for_the_next_night_after_too_many_times(
    night: Night, error: Exception
) -> None:
    embedder = Failing(error=error)
    night = replace(night, services=replace(night.services, embedder=embedder))
    batch = begun(night, entries(TRUTH))
    [task] = queue_of(night).waiting

    for attempt in (1, 2, 3):
        with pytest.raises(type(error)):
            run_night_task(task, attempt, night)
    run_night_task(task, 4, night)

    assert states(night, batch) == [(EssayState.WAITING, "gave_up")]
    embedder.error = None
    run_night_task(task, 1, night)
    assert states(night, batch) == [(EssayState.DONE, None)]


def test_a_task_delivered_again_writes_nothing_again(night: Night) -> None:
    embedder = WordEmbedder()
    night = replace(night, services=replace(night.services, embedder=embedder))
    begun(night, entries(TRUTH))
    [task] = queue_of(night).waiting

    run_night_task(task, 1, night)
    calls = len(embedder.calls)
    run_night_task(task, 2, night)

    assert len(embedder.calls) == calls


def test_a_task_that_comes_after_the_window_leaves_its_essay_for_the_next_night(night: Night) -> None:
    batch = begun(night, THREE)
    assert isinstance(night.now, Clock)
    night.now.later(hours=12)

    do_all(night)

    assert states(night, batch) == [(EssayState.WAITING, None)] * 3
    assert night.store.batch(batch.key).state(night.now()) is BatchState.LATE


def test_a_task_of_a_batch_that_was_removed_does_nothing(night: Night) -> None:
    batch = begun(night, THREE)
    remove_batch(batch.key, night)

    do_all(night)

    assert night.results.names("") == []


@dataclass(frozen=True)
class Meddled:
    """A bucket during each of whose writes something else happens."""

    bucket: Bucket
    happens: Callable[[], None]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bucket, name)

    def write(self, name: str, data: bytes) -> None:
        self.happens()
        self.bucket.write(name, data)


def test_a_batch_removed_while_an_essay_is_written_leaves_no_trace(night: Night) -> None:
    batch = begun(night, THREE)
    meddled: Any = Meddled(night.results, lambda: remove_batch(batch.key, night))

    do_all(replace(night, results=meddled))

    assert (night.results.names(""), night.store.find(), kept_ids(night)) == ([], [], [])


def test_tasks_of_nothing_that_is_understood_are_not_delivered_for_ever(night: Night) -> None:
    begun(night, THREE)
    [task, *_] = queue_of(night).waiting

    for body in ({}, {**task.body, "began": "yesterday"}, {**task.body, "essay": "first"}):
        with pytest.raises(BadRequest):
            run_night_task(replace(task, body=body), 1, night)
        run_night_task(replace(task, body=body), night.limits.attempts + 1, night)
    run_night_task(replace(task, body={**task.body, "essay": 9}), 1, night)


def done_by(night: Night, kill_before: int | None) -> dict[str, bytes]:
    """All that is kept in the end, when the process that does the tasks dies before one of its writes and another goes on."""
    clockwork = Clockwork(kill_before)
    batch = begun(night, THREE)
    ports: Any = {name: Watched(getattr(night, name), clockwork) for name in ("results", "store")}
    ports["keeping"] = replace(night.keeping, store=Watched(night.keeping.store, clockwork))
    for task in list(queue_of(night).waiting):
        try:
            run_night_task(task, 1, replace(night, **ports))
        except Killed:
            run_night_task(task, 2, night)
    folder, ids = batch_folder(batch.key), kept_ids(night)
    assert (night.store.batch(batch.key).done, len(ids)) == (3, 3)
    return {name.removeprefix(folder): without(ids, night.results.read(name)) for name in night.results.names("")}


def kept_ids(night: Night) -> list[str]:
    return [kept.id for kept in list_feedback("school", night.keeping)]


def without(ids: list[str], data: bytes) -> bytes:
    """Ids are drawn by chance; a file that names one which is not kept is another file."""
    return reduce(lambda left, id: left.replace(id.encode(), b"ID"), ids, data)


def test_feedback_is_kept_for_teachers_once_though_whoever_wrote_it_was_killed_before_its_files(night: Night) -> None:
    embedder, clockwork = WordEmbedder(), Clockwork(kill_before=2)
    night = replace(night, services=replace(night.services, embedder=embedder))
    batch = begun(night, entries(TRUTH))
    [task] = queue_of(night).waiting
    watched: Any = {"keeping": replace(night.keeping, store=Watched(night.keeping.store, clockwork))}
    with pytest.raises(Killed):
        run_night_task(task, 1, replace(night, results=Watched(night.results, clockwork), **watched))
    calls = len(embedder.calls)

    run_night_task(task, 2, night)

    assert [load_result(night.results, batch.key, 1)["feedback"]] == kept_ids(night)
    assert len(embedder.calls) == calls


def test_where_nothing_is_to_be_kept_results_name_no_id(night: Night) -> None:
    batch = begun(nothing := replace(night, keeping=replace(night.keeping, days=0)), entries(TRUTH))

    do_all(nothing)

    assert load_result(night.results, batch.key, 1)["feedback"] is None
    assert kept_ids(night) == []


def test_killed_before_any_of_its_writes_whoever_goes_on_ends_with_the_same(tmp_path: Path) -> None:
    with a_night(tmp_path / "undisturbed") as night:
        undisturbed = done_by(night, None)

    for kill_before in range(1, 19):
        with a_night(tmp_path / str(kill_before)) as night:
            assert done_by(night, kill_before) == undisturbed
