"""What the embedder answers, through its app and a real lane."""

import logging
from functools import partial
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from chapterverse.core.errors import BookBusy, EmbedderUnavailable, Forbidden, ModelUnavailable
from chapterverse.core.ports import Embedder
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.library.intake import run_task
from chapterverse.worker import MAX_CHARACTERS, MAX_REQUEST_CHARACTERS, MAX_TEXTS, create_app
from tests.support.embedder_servers import a_worker
from tests.support.gated_embedder import GatedEmbedder
from tests.support.intake import Town
from tests.support.word_embedder import WordEmbedder

BATCH = {"school": "school", "batch": 3}


def asking(embedder: Embedder | None = None, **options: Any) -> FlaskClient:
    return create_app(a_worker(embedder or WordEmbedder(), **options)).test_client()


@pytest.fixture
def client() -> FlaskClient:
    return asking()


def figure(client: FlaskClient, name: str, **labels: str) -> float:
    families = text_string_to_metric_families(client.get("/metrics").text)
    samples = (sample for family in families for sample in family.samples)
    return next(sample.value for sample in samples if sample.name == name and sample.labels == labels)


@pytest.mark.parametrize(
    "body",
    [
        {"texts": ["a"]},
        {"texts": ["a"], "kind": "essay"},
        {"texts": [1], "kind": "query"},
        {"texts": ["a"] * (MAX_TEXTS + 1), "kind": "query"},
        {"texts": ["a" * (MAX_CHARACTERS + 1)], "kind": "query"},
    ],
    ids=["no kind", "unknown kind", "a number", "too many", "too long"],
)
def test_what_is_not_usable_is_a_problem_that_names_the_field(client: FlaskClient, body: dict[str, Any]) -> None:
    answer = client.post("/v1/embed", json=body)

    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert answer.get_json()["errors"]


def test_more_than_a_student_could_wait_for_is_refused_with_what_to_do(client: FlaskClient) -> None:
    texts = ["a" * MAX_CHARACTERS] * (MAX_REQUEST_CHARACTERS // MAX_CHARACTERS) + ["a"]

    answer = client.post("/v1/embed", json={"texts": texts, "kind": "query"})

    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
    assert "several requests" in answer.get_json()["detail"]


@pytest.mark.parametrize("kind", [TaskKind.INDEX, TaskKind.RECEIVE])
def test_a_task_is_run_with_its_name_and_how_often_it_was_delivered(kind: TaskKind) -> None:
    ran: list[tuple[Task, int]] = []

    client = asking(run=lambda task, attempt: ran.append((task, attempt)))
    headers = {"X-CloudTasks-TaskName": "abc", "X-CloudTasks-TaskRetryCount": "4"}
    assert client.post(f"/v1/{kind}", json=BATCH, headers=headers).status_code == 204

    assert ran == [(Task("abc", kind, BATCH), 5)]


def test_one_file_is_read_at_a_time_and_a_task_that_has_to_come_again_gets_the_status_of_its_error() -> None:
    statuses: list[int] = []

    def run(task: Task, attempt: int) -> None:
        if task.kind is TaskKind.INDEX:
            raise BookBusy("The book is busy.", retry_after=7)
        statuses.extend(client.post(f"/v1/{kind}", json=BATCH).status_code for kind in ("receive", "embed"))

    client = asking(run=run)
    assert client.post("/v1/receive", json=BATCH).status_code == 204
    busy = client.post("/v1/index", json=BATCH)

    assert (busy.status_code, busy.headers["Retry-After"]) == (409, "7")
    assert statuses == [204, 400]  # the other file waits, people do not


def test_waiting_for_another_file_is_no_failed_delivery() -> None:
    added: list[Task] = []
    ran: list[tuple[Task, int]] = []

    class Queue:
        def add(self, task: Task) -> None:
            added.append(task)

    def run(task: Task, attempt: int) -> None:
        ran.append((task, attempt))
        if len(ran) == 1:
            for body in (BATCH, {**BATCH, "turn": 1, "failures": 2}):
                client.post("/v1/receive", json=body, headers={"X-CloudTasks-TaskRetryCount": "3"})

    client = asking(run=run, queue=Queue())
    client.post("/v1/receive", json=BATCH)
    client.post("/v1/receive", json=dict(added[1].body))

    assert [(task.body["turn"], task.body["failures"], task.wait) for task in added] == [(1, 3, 60), (2, 5, 60)]
    assert added[0].name != added[1].name
    assert [attempt for _, attempt in ran] == [1, 6]


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a": [1]}', b'{"a": null}', b'{"school": "school"}'])
def test_a_task_that_does_not_say_what_it_is_about_comes_again_until_it_is_given_up(data: bytes, town: Town) -> None:
    client = asking(run=partial(run_task, intake=town.intake))
    retries = (0, town.intake.attempts - 1, town.intake.attempts)

    answers = [client.post("/v1/index", data=data, headers={"X-CloudTasks-TaskRetryCount": str(n)}) for n in retries]

    assert [answer.status_code for answer in answers] == [400, 400, 204]
    assert {answer.get_json()["code"] for answer in answers[:2]} == {"bad_request"}


def test_who_may_not_call_is_refused_before_anything_is_read() -> None:
    def admit(authorization: str) -> None:
        raise Forbidden("Not you.")

    client = asking(admit=admit)
    assert client.post("/v1/embed", data=b"?").status_code == 403
    assert client.post("/v1/index", data=b"?").status_code == 403
    assert client.get("/health").status_code == 200


def test_it_lives_before_it_is_ready_and_is_ready_when_the_model_has_made_a_vector() -> None:
    model = GatedEmbedder()
    client = asking(model)
    assert model.next_call() == ["ready"]
    assert client.get("/health").status_code == 200
    loading = client.get("/ready")
    assert (loading.status_code, loading.get_json()["code"]) == (503, "embedder_unavailable")

    model.let_through()

    while (status := client.get("/ready").status_code) == 503:
        pass
    assert status == 200


@pytest.mark.parametrize(
    ("error", "status"),
    [(ModelUnavailable("No weights."), 500), (EmbedderUnavailable("No memory."), 503), (RuntimeError("secret"), 503)],
)
def test_a_model_that_cannot_be_loaded_says_so(error: Exception, status: int) -> None:
    class Broken(WordEmbedder):
        def embed_queries(self, texts: Any) -> Any:
            raise error

    client = asking(Broken())
    while "still loading" in (answer := client.get("/ready")).get_json()["detail"]:
        pass

    assert answer.status_code == status
    assert "secret" not in answer.text


def test_bulk_work_leaves_room_for_students() -> None:
    """Two requests at once are answered here, one task among them."""
    meanwhile: list[int] = []

    def run(task: Task, attempt: int) -> None:
        meanwhile.append(client.post("/v1/index", json=BATCH).status_code)
        meanwhile.append(client.post("/v1/embed", json={"texts": ["a"], "kind": "query"}).status_code)

    client = asking(run=run, open_requests=2)
    assert client.post("/v1/index", json=BATCH).status_code == 204

    assert meanwhile == [429, 200]


def test_figures_tell_how_the_embedder_fares_by_lane(client: FlaskClient) -> None:
    client.post("/v1/embed", json={"texts": ["the mind", "of man"], "kind": "query"})
    client.post("/v1/embed/bulk", json={"texts": ["the mind"], "kind": "query"})
    assert client.post("/v1/essay", json=BATCH).status_code == 404  # essays are not written here

    name = "chapterverse_embedder"
    assert figure(client, f"{name}_requests_total", route="/v1/embed", status="200") == 1
    assert figure(client, f"{name}_requests_total", route="none", status="404") == 1
    assert figure(client, f"{name}_waiting_texts", lane="bulk") == 0
    assert figure(client, f"{name}_batch_texts_sum", lane="online") >= 2
    assert figure(client, f"{name}_batch_tokens_sum", lane="online") >= 4
    assert figure(client, f"{name}_answer_seconds_count", lane="online") >= 1
    assert figure(client, f"{name}_answer_seconds_count", lane="bulk") == 1
    assert figure(client, f"{name}_model_seconds_total", lane="online") > 0


def test_no_text_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(WordEmbedder):
        def embed_passages(self, texts: Any) -> Any:
            raise ValueError(f"cannot embed {texts}")

    with caplog.at_level(logging.DEBUG):
        client = asking(Broken())
        answers = [
            client.post("/v1/embed", json={"texts": ["xylophone"], "kind": kind}) for kind in ("query", "passage", "xylophone")
        ]

    assert {answer.status_code for answer in answers} == {500, 400}
    assert "xylophone" not in "".join(str(vars(record)) for record in caplog.records)
    assert "xylophone" not in "".join(answer.text for answer in answers)
