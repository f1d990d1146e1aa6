"""The function of the context: the Scheduler begins what waits, Cloud Tasks brings the essays."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from chapterverse.core.errors import EmbedderUnavailable, Forbidden
from chapterverse.core.tasks import Task
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.model import BatchState
from chapterverse.essays.batch.service import submit_batch
from chapterverse.essays.history import FeedbackHistory, list_feedback, store_feedback
from chapterverse.operations.batch_app import BatchWork, create_batch_app
from chapterverse.operations.retention import Retention
from tests.support.batches import EVENING, TRUTH, Clock, ManualQueue, a_batch_context, entries
from tests.support.essays import some_feedback
from tests.support.history import history_in

TASK = {"X-CloudTasks-TaskName": "essay-1", "X-CloudTasks-TaskRetryCount": "2"}


@pytest.fixture
def context(tmp_path: Path, history: FeedbackHistory) -> Iterator[BatchContext]:
    with a_batch_context(tmp_path, history=history) as made:
        yield made


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime.now(UTC))


@pytest.fixture
def history(tmp_path: Path, clock: Clock) -> Iterator[FeedbackHistory]:
    with history_in(tmp_path, clock) as opened:
        yield opened


@pytest.fixture
def client(context: BatchContext) -> FlaskClient:
    return create_batch_app(BatchWork(Retention(context), lambda _: None)).test_client()


def waiting(context: BatchContext) -> list[Task]:
    assert isinstance(context.queue, ManualQueue)
    return context.queue.waiting


@pytest.mark.parametrize("body", [None, {}, {"school": None}, {"school": "school"}])
def test_the_scheduler_begins_what_waits_of_a_school_or_of_all(
    context: BatchContext, client: FlaskClient, body: object
) -> None:
    batch = submit_batch("school", entries(TRUTH, "So do I."), [], context)

    answer = client.post("/", json=body) if body is not None else client.post("/")

    assert (answer.status_code, answer.get_json()) == (200, {"begun": [batch.key.batch]})
    assert len(waiting(context)) == 2


def test_beginning_batches_deletes_what_has_expired(
    context: BatchContext, history: FeedbackHistory, clock: Clock, client: FlaskClient
) -> None:
    old = store_feedback(some_feedback(), "school", history)
    clock.later(days=31)
    young = store_feedback(some_feedback(), "school", history)

    client.post("/")

    clock.later(days=-31)
    assert [kept.id for kept in list_feedback("school", history)] == [young.id] != [old.id]


def test_batches_of_another_school_are_not_begun(context: BatchContext, client: FlaskClient) -> None:
    submit_batch("school", entries(TRUTH), [], context)

    assert client.post("/", json={"school": "other"}).get_json() == {"begun": []}
    assert waiting(context) == []


def test_a_task_is_an_essay(context: BatchContext, client: FlaskClient) -> None:
    batch = submit_batch("school", entries(TRUTH), [], context)
    client.post("/")
    [task] = waiting(context)

    assert client.post("/v1/essay", json=dict(task.body), headers=TASK).status_code == 204

    assert context.store.batch(batch.key).state(EVENING) is BatchState.DONE


def test_what_is_to_be_tried_again_has_the_status_of_its_error(context: BatchContext) -> None:
    class Away:
        model, dimensions = context.services.embedder.model, 1

        def embed_queries(self, texts: object) -> None:
            raise EmbedderUnavailable("Away.")

    submit_batch("school", entries(TRUTH), [], context)
    services = replace(context.services, embedder=Away())  # type: ignore[arg-type]
    away = replace(context, essays=replace(context.essays, services=services))
    client = create_batch_app(BatchWork(Retention(away), lambda _: None)).test_client()
    client.post("/")
    [task] = waiting(context)

    assert client.post("/v1/essay", json=dict(task.body), headers=TASK).status_code == 503


@pytest.mark.parametrize("body", [b"", b"[]", b'{"school": ["a"]}'])
def test_a_task_without_a_usable_body_is_refused(client: FlaskClient, body: bytes) -> None:
    assert client.post("/v1/essay", data=body).status_code == 400


@pytest.mark.parametrize("path", ["/", "/v1/essay"])
def test_who_may_not_call_is_refused_before_anything_is_read(context: BatchContext, path: str) -> None:
    def admit(authorization: str) -> None:
        raise Forbidden("Not you.")

    assert create_batch_app(BatchWork(Retention(context), admit)).test_client().post(path, data=b"?").status_code == 403
