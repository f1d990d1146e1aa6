"""The function of the night: the Scheduler begins what waits, Cloud Tasks brings the essays."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from chapterverse.core.errors import EmbedderUnavailable, Forbidden
from chapterverse.core.tasks import Task
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.model import BatchState
from chapterverse.essays.batch.night_app import NightWork, create_night_app
from chapterverse.essays.batch.service import hand_in
from chapterverse.essays.history import FeedbackHistory, store_feedback, list_feedback
from tests.support.keeping import keeping_in, some_feedback
from tests.support.nights import TEN, TRUTH, Clock, NightQueue, a_night, entries, measuring_of

TASK = {"X-CloudTasks-TaskName": "essay-1", "X-CloudTasks-TaskRetryCount": "2"}


@pytest.fixture
def night(tmp_path: Path, keeping: FeedbackHistory) -> Iterator[Night]:
    with a_night(tmp_path, keeping=keeping) as made:
        yield made


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime.now(UTC))


@pytest.fixture
def keeping(tmp_path: Path, clock: Clock) -> Iterator[FeedbackHistory]:
    with keeping_in(tmp_path, clock) as opened:
        yield opened


@pytest.fixture
def client(night: Night) -> FlaskClient:
    return create_night_app(NightWork(night, measuring_of(night), lambda _: None)).test_client()


def waiting(night: Night) -> list[Task]:
    assert isinstance(night.queue, NightQueue)
    return night.queue.waiting


@pytest.mark.parametrize("body", [None, {}, {"school": None}, {"school": "school"}])
def test_the_scheduler_begins_what_waits_of_a_school_or_of_all(night: Night, client: FlaskClient, body: object) -> None:
    batch = hand_in("school", entries(TRUTH, "So do I."), [], night)

    answer = client.post("/", json=body) if body is not None else client.post("/")

    assert (answer.status_code, answer.get_json()) == (200, {"begun": [batch.key.batch]})
    assert len(waiting(night)) == 2


def test_the_night_forgets_what_was_kept_long_enough(night: Night, keeping: FeedbackHistory, clock: Clock, client: FlaskClient) -> None:
    old = store_feedback(some_feedback(), "school", keeping)
    clock.later(days=31)
    young = store_feedback(some_feedback(), "school", keeping)

    client.post("/")

    clock.later(days=-31)
    assert [kept.id for kept in list_feedback("school", keeping)] == [young.id] != [old.id]


def test_the_night_of_another_school_begins_nothing(night: Night, client: FlaskClient) -> None:
    hand_in("school", entries(TRUTH), [], night)

    assert client.post("/", json={"school": "other"}).get_json() == {"begun": []}
    assert waiting(night) == []


def test_called_again_by_the_scheduler_it_asks_for_nothing_twice(night: Night, client: FlaskClient) -> None:
    hand_in("school", entries(TRUTH, "So do I."), [], night)

    for _ in range(3):
        assert client.post("/").status_code == 200

    assert len(waiting(night)) == 2


def test_a_task_is_an_essay(night: Night, client: FlaskClient) -> None:
    batch = hand_in("school", entries(TRUTH), [], night)
    client.post("/")
    [task] = waiting(night)

    assert client.post("/v1/essay", json=dict(task.body), headers=TASK).status_code == 204

    assert night.store.batch(batch.key).state(TEN) is BatchState.DONE


def test_what_is_to_be_tried_again_has_the_status_of_its_error(night: Night) -> None:
    class Away:
        model, dimensions = night.services.embedder.model, 1

        def embed_queries(self, texts: object) -> None:
            raise EmbedderUnavailable("Away.")

    hand_in("school", entries(TRUTH), [], night)
    away = replace(night, services=replace(night.services, embedder=Away()))  # type: ignore[arg-type]
    client = create_night_app(NightWork(away, measuring_of(away), lambda _: None)).test_client()
    client.post("/")
    [task] = waiting(night)

    assert client.post("/v1/essay", json=dict(task.body), headers=TASK).status_code == 503


@pytest.mark.parametrize("body", [b"", b"[]", b'{"school": ["a"]}'])
def test_a_task_without_a_usable_body_is_refused(client: FlaskClient, body: bytes) -> None:
    assert client.post("/v1/essay", data=body).status_code == 400


@pytest.mark.parametrize("path", ["/", "/v1/essay"])
def test_who_may_not_call_is_refused_before_anything_is_read(night: Night, path: str) -> None:
    def admit(authorization: str) -> None:
        raise Forbidden("Not you.")

    assert create_night_app(NightWork(night, measuring_of(night), admit)).test_client().post(path, data=b"?").status_code == 403
