"""One essay of a batch is written on once, whatever happens to whoever does it; what is written, as JSON lines and pages."""

from dataclasses import replace
from datetime import timedelta
from functools import reduce
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from chapterverse.core.errors import BadRequest, EmbedderUnavailable, EssayBusy, Forbidden, ModelUnavailable, NotFound
from chapterverse.essays.batch import service
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.files import JSONL, feedback_id, forget_feedback, pages_of, prediction_folder, results_of
from chapterverse.essays.batch.model import BatchKey, BatchState, EssayBatch, EssayState
from chapterverse.essays.history import feedback_of, list_feedback, store_feedback
from chapterverse.essays.model import Choice, EssayEvidence, Feedback, Show, StoredFeedback
from chapterverse.essays.records import FeedbackResponse
from chapterverse.essays.review import choose
from chapterverse.essays.store import SqlFeedback
from chapterverse.library.versions import remove_book
from chapterverse.messages import plain
from chapterverse.operations.batch_app import BatchWork, create_batch_app
from chapterverse.operations.retention import Retention
from tests.support import batches
from tests.support.essays import some_feedback
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.refusals import refused
from tests.support.traces import files_with

THREE = batches.entries(batches.TRUTH, "My uncle sings.", "Opinion robs mankind.")


def do_all(context: BatchContext, attempt: int = 1) -> None:
    batches.queue_of(context).do_all(context, attempt)


def states(context: BatchContext, batch: EssayBatch) -> list[tuple[EssayState, str | None]]:
    return [(essay.state, essay.reason) for essay in context.store.essays(batch.key)]


def test_an_essay_that_somebody_follows_is_written_once_and_its_task_finds_it_done(context: BatchContext) -> None:
    batch = service.submit_batch("school", batches.entries(batches.TRUTH), [], context)
    with pytest.raises(NotFound):  # it has not begun
        next(service.follow_essay(batch.key, 1, context, context.essays))
    service.begin_batch(batch.key, context)
    following = service.follow_essay(batch.key, 1, context, context.essays)

    found = next(following)
    do_all(context)
    waiting = len(batches.queue_of(context).waiting)
    *_, done = following
    do_all(context)

    assert (type(found), type(done)) == (EssayEvidence, Feedback)
    assert (waiting, batches.queue_of(context).waiting) == (1, [])  # the task came again
    assert states(context, batch) == [(EssayState.DONE, None)]
    assert [each.id for each in list_feedback("school", context.history)] == [done.id]
    assert [type(part) for part in service.follow_essay(batch.key, 1, context, context.essays)][-1] is Feedback


@pytest.mark.parametrize("error", [EmbedderUnavailable("Away."), ModelUnavailable("No weights.")])
def test_what_is_no_essays_fault_is_tried_again_and_left_for_the_next_window(context: BatchContext, error: Exception) -> None:
    embedder: Any = context.services.embedder
    embedder.embed_passages = Mock(side_effect=error)
    batch = batches.begun(context, batches.entries(batches.TRUTH))
    [task] = batches.queue_of(context).waiting

    for attempt in (1, 2, 3):
        with pytest.raises(type(error)):
            service.run_batch_task(task, attempt, context)
    service.run_batch_task(task, 4, context)

    assert states(context, batch) == [(EssayState.WAITING, "gave_up")]
    del embedder.embed_passages  # it works again
    service.run_batch_task(task, 1, context)
    assert states(context, batch) == [(EssayState.DONE, None)]


def test_a_task_after_the_window_leaves_its_essay_for_the_next_and_of_a_lost_batch_does_nothing(context: BatchContext) -> None:
    batch = batches.begun(context, THREE)
    context.now.later(hours=12)

    do_all(context)

    assert states(context, batch) == [(EssayState.WAITING, None)] * 3
    assert context.store.batch(batch.key).state(context.now()) is BatchState.LATE
    service.begin_batch(batch.key, context)
    service.remove_batch(batch.key, context)
    do_all(context)
    assert context.results.names("") == []


def test_a_batch_removed_while_an_essay_is_written_leaves_no_trace(
    context: BatchContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, save = batches.begun(context, THREE), SqlFeedback.save

    def save_late(store: SqlFeedback, feedback: StoredFeedback) -> str:
        service.remove_batch(batch.key, context)
        return save(store, feedback)

    monkeypatch.setattr(SqlFeedback, "save", save_late)
    do_all(context)

    assert (context.results.names(""), context.store.find(), kept_ids(context)) == ([], [], [])


def test_tasks_of_nothing_that_is_understood_are_not_delivered_for_ever(context: BatchContext) -> None:
    batches.begun(context, THREE)
    [task, *_] = batches.queue_of(context).waiting

    for body in ({}, {**task.body, "began": "yesterday"}, {**task.body, "essay": "first"}):
        with pytest.raises(BadRequest):
            service.run_batch_task(replace(task, body=body), 1, context)
        service.run_batch_task(replace(task, body=body), context.limits.attempts + 1, context)
    service.run_batch_task(replace(task, body={**task.body, "essay": 9}), 1, context)


def watched(context: BatchContext, kill_before: int | None) -> BatchContext:
    """The same of a process that dies before one of its writes."""
    clockwork = Clockwork(kill_before)
    ports: Any = {name: Watched(getattr(context, name), clockwork) for name in ("results", "store")}
    return replace(batches.with_history(context, store=Watched(context.history.store, clockwork)), **ports)


def done_by(context: BatchContext, kill_before: int | None) -> dict[str, bytes]:
    """All that is kept in the end, when the process that does the tasks dies before one of its writes and another goes on."""
    batch, dying = batches.begun(context, THREE), watched(context, kill_before)
    for task in list(batches.queue_of(context).waiting):
        try:
            service.run_batch_task(task, 1, dying)
        except Killed:
            service.run_batch_task(task, 2, context)
    ids = kept_ids(context)
    assert (context.store.batch(batch.key).done, len(ids)) == (3, 3)
    files = {JSONL: results_of(batch.key, context), **dict(pages_of(batch.key, context))}
    return {name: reduce(lambda left, id: left.replace(id.encode(), b"ID"), ids, data) for name, data in files.items()}


def kept_ids(context: BatchContext) -> list[str]:
    return [kept.id for kept in list_feedback("school", context.history)]


def test_where_nothing_is_to_be_kept_for_teachers_the_batch_has_its_results(context: BatchContext) -> None:
    key = done(nothing := batches.with_history(context, days=0), batches.entries(batches.TRUTH))

    assert batches.lines(results_of(key, nothing))[0]["evidence"]
    nothing.now.later(seconds=1)
    assert list_feedback("school", nothing.history) == []


def test_killed_before_any_of_its_writes_whoever_goes_on_ends_with_the_same(tmp_path: Path) -> None:
    with batches.a_batch_context(tmp_path / "undisturbed") as context:
        undisturbed = done_by(context, None)

    for kill_before in range(1, 7):
        with batches.a_batch_context(tmp_path / str(kill_before)) as context:
            assert done_by(context, kill_before) == undisturbed


def test_other_essays_books_or_schools_are_another_batch(context: BatchContext) -> None:
    others = [("school", "so", []), ("school", "no", []), ("school", "so", ["on-liberty"]), ("other", "so", [])]

    handed_in = [service.submit_batch(of, batches.entries(f"I say {what}."), books, context) for of, what, books in others]

    assert len({batch.key for batch in handed_in}) == 4


def test_a_hand_in_that_was_killed_before_its_essays_were_kept_is_finished_by_the_next(context: BatchContext) -> None:
    key = service.submit_batch("school", batches.entries("I say so."), [], context).key
    context.results.delete("")

    service.submit_batch("school", batches.entries("I say so."), [], context)

    assert [one.id for one in service.essays_of(key, context)] == ["ada"]


def test_what_waits_is_begun_of_a_school_or_all_or_what_was_under_way_where_tasks_are_in_memory(context: BatchContext) -> None:
    under_way = batches.begun(context, batches.entries("I say so.", "So do I."))
    context.store.note(under_way.key, 1, EssayState.DONE)
    mine = service.submit_batch("school", batches.entries("I wait for my context."), [], context)
    queue = batches.ManualQueue()

    service.begin_all(replace(context, queue=queue), running=True)

    assert [(task.body["batch"], task.body["essay"]) for task in queue.waiting] == [(under_way.key.batch, 2)]
    batches.queue_of(context).do_all(context)
    assert [batch.key for batch in service.begin_all(context, "school")] == [mine.key]
    assert service.begin_all(context, "other") == []
    assert [batch.key for batch in service.begin_all(context)] == [mine.key]
    assert context.store.batch(under_way.key).state(batches.EVENING) is BatchState.DONE


def test_a_batch_waits_on_while_its_school_has_no_book(context: BatchContext) -> None:
    remove_book("school", context.services.catalog.books("school")[0].id, context.services)
    batch = service.submit_batch("school", batches.entries("I say so."), [], context)

    with refused(NotFound, "collection_empty"):
        service.begin_batch(batch.key, context)

    assert service.begin_all(context) == []
    assert context.store.batch(batch.key).state(batches.EVENING) is BatchState.WAITING


def test_batches_expire_by_their_age_and_with_them_what_belongs_to_none(context: BatchContext) -> None:
    old = batches.begun(context, batches.entries("I am old."))
    context.now.later(days=1)
    new = service.submit_batch("school", batches.entries("I am new."), [], context)
    context.results.write("school/batches/0123456789abcdef/essays.json.gz", b"of a hand-in that was killed")
    context.results.write("notes.txt", b"somebody else's")

    assert service.expire_batches(batches.EVENING + timedelta(hours=1), context) == 1

    assert context.store.find() == [new.key]
    names = context.results.names("")
    assert not any(old.key.batch in name or "0123456789abcdef" in name for name in names)
    assert "notes.txt" in names


TASK = {"X-CloudTasks-TaskName": "essay-1", "X-CloudTasks-TaskRetryCount": "2"}


@pytest.fixture
def client(context: BatchContext) -> FlaskClient:
    return create_batch_app(BatchWork(Retention(context), lambda _: None)).test_client()


def test_the_scheduler_begins_what_waits_and_deletes_what_has_expired_and_a_task_is_an_essay(
    context: BatchContext, client: FlaskClient
) -> None:
    old = store_feedback(some_feedback(), "school", context.history)
    context.now.later(days=31)
    batch = service.submit_batch("school", batches.entries(batches.TRUTH, "So do I."), [], context)

    answer = client.post("/", json={})

    assert (answer.status_code, answer.get_json()) == (200, {"begun": [batch.key.batch]})
    with pytest.raises(NotFound):
        context.history.store.find("school", str(old.id))
    first, second = batches.queue_of(context).waiting
    for task in (first, second):
        assert client.post("/v1/essay", json=dict(task.body), headers=TASK).status_code == 204
    assert context.store.batch(batch.key).state(context.now()) is BatchState.DONE


def test_a_task_without_a_usable_body_and_who_may_not_call_are_refused(context: BatchContext, client: FlaskClient) -> None:
    def admit(authorization: str) -> None:
        raise Forbidden("Not you.")

    stranger = create_batch_app(BatchWork(Retention(context), admit)).test_client()

    assert [client.post("/v1/essay", data=body).status_code for body in (b"", b"[]", b'{"school": ["a"]}')] == [400] * 3
    assert [stranger.post(path, data=b"?").status_code for path in ("/", "/v1/essay")] == [403, 403]


BAD = EssayEntry(3, "=cleo()", problem=plain("Line 3 has no text."))


def done(context: BatchContext, given: list[EssayEntry]) -> BatchKey:
    batch = batches.begun(context, given)
    batches.queue_of(context).do_all(context)
    return batch.key


def test_when_the_last_essay_has_ended_all_of_them_are_in_one_file(context: BatchContext) -> None:
    ada, ben = EssayEntry(1, "ada", "On truth", f"# Draft\n\n{batches.TRUTH}"), EssayEntry(2, "ben", None, "# Mine\n\nI sing.")
    batch = batches.begun(context, [ada, ben, BAD])
    left = [one["error"]["code"] for one in batches.lines(results_of(batch.key, context))]
    assert (left, list(pages_of(batch.key, context))) == (["left", "left", "bad_request"], [])
    do_all(context)

    found = batches.lines(results_of(batch.key, context))

    assert [(one["number"], one["id"], one.get("error")) for one in found] == [
        (1, "ada", None),
        (2, "ben", None),
        (3, "=cleo()", {"code": "bad_request", "message": "Line 3 has no text."}),
    ]
    assert [one["title"] for one in found[:2]] == ["On truth", "Mine"]  # one given beside the essay counts
    assert found[0]["comments"]
    kept = [feedback_of(context.history.store.find("school", one["feedback"])) for one in found[:2]]
    comments = [FeedbackResponse.of_feedback(each).model_dump(mode="json")["comments"] for each in kept]
    assert comments == [one["comments"] for one in found[:2]]


def test_each_student_has_a_page_of_its_own_whatever_the_id(context: BatchContext) -> None:
    twin = EssayEntry(1, "Ada / 7b", None, batches.TRUTH)
    other = EssayEntry(2, "../<b>", None, "My uncle sings.")
    key = done(context, [twin, other, replace(twin, number=3), replace(BAD, number=4)])

    names, pages = zip(*pages_of(key, context), strict=True)

    assert [name[:5] for name in names] == ["0001-", "0002-", "0003-"]
    assert "My uncle sings." in pages[1].decode()


@pytest.fixture
def key(context: BatchContext) -> BatchKey:
    """A batch that is done."""
    return done(context, THREE)


def test_feedback_takes_its_essay_out_of_every_file_and_no_other(context: BatchContext, key: BatchKey, tmp_path: Path) -> None:
    context.results.write(f"{prediction_folder(key)}asked.json", b"My uncle sings.")
    assert files_with("uncle", tmp_path)

    forget_feedback("school", feedback_id(key, 2), context)

    assert files_with("uncle", tmp_path) == files_with('"ben"', tmp_path) == []
    assert [name for name, _ in pages_of(key, context)] == ["0001-ada.html", "0003-cleo.html"]
    told = [(one["id"], one.get("error")) for one in batches.lines(results_of(key, context))]
    error = {"code": "deleted", "message": "A teacher has deleted this essay."}
    assert told == [("ada", None), ("2", error), ("cleo", None)]
    assert [one.id for one in service.essays_of(key, context)] == ["ada", "2", "cleo"]
    again = service.submit_batch("school", THREE, [], context)
    service.begin_batch(again.key, context)
    assert (again.key, again.done, again.failed) == (key, 2, 1)  # handed in again it stays forgotten
    assert files_with("uncle", tmp_path) == []


def test_while_somebody_is_at_work_it_is_not_forgotten_and_of_a_lost_batch_alone(context: BatchContext, key: BatchKey) -> None:
    id = feedback_id(key, 1)

    with context.store.claim(key, 1), pytest.raises(EssayBusy):
        forget_feedback("school", id, context)

    assert (context.store.batch(key).done, feedback_id(key, 1)) == (3, id)
    context.store.remove(key)

    forget_feedback("school", id, context)

    with pytest.raises(NotFound):
        forget_feedback("school", id, context)


def test_killed_before_any_of_its_steps_whoever_asks_again_forgets_it_whole(tmp_path: Path) -> None:
    for kill_before in range(1, 5):
        folder = tmp_path / str(kill_before)
        with batches.a_batch_context(folder) as context:
            id = feedback_id(done(context, THREE), 2)
            with pytest.raises(Killed):
                forget_feedback("school", id, watched(context, kill_before))

            forget_feedback("school", id, context)

            assert files_with("uncle", folder) == []


def test_what_a_teacher_hides_is_in_no_file_until_it_is_shown_again(context: BatchContext) -> None:
    key = done(context, batches.entries(batches.TRUTH, "My uncle sings."))

    def files(choice: Choice) -> dict[str, bytes]:
        choose("school", feedback_id(key, 1), choice, context.essays)
        return {JSONL: results_of(key, context), **dict(pages_of(key, context))}

    before, hidden = files(Choice(1)), files(Choice(1, Show.HIDDEN))

    assert [one["evidence"] for one in batches.lines(hidden[JSONL])] == [[], []]
    assert batches.lines(hidden[JSONL])[1] == batches.lines(before[JSONL])[1]
    assert [b"On Liberty" in each["0001-ada.html"] for each in (before, hidden)] == [True, False]
    assert files(Choice(1)) == before
