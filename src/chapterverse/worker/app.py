"""What can be asked of the embedder.

POST /v1/embed: texts to vectors, in the online lane; /v1/embed/bulk: in the bulk lane. POST /v1/index, /v1/remove: a task as
Cloud Tasks sends it, in the bulk lane. GET /healthz, /readyz, /metrics. Errors are problems, as the API's are."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Literal

from flask import Flask, Response, jsonify, request
from pydantic import Field, TypeAdapter, ValidationError

from chapterverse.adapters.remote_embedder import BULK, ONLINE
from chapterverse.adapters.vector_wire import to_base64
from chapterverse.model import Task, TaskKind
from chapterverse.ports import Embedder
from chapterverse.web.bare import bare_app
from chapterverse.web.limits import Gate
from chapterverse.web.operations import read_body, refuse
from chapterverse.web.schemas import Request
from chapterverse.worker.parts import Worker
from chapterverse.worker.readiness import Readiness

MOST_TEXTS = 1024  # of one request
MOST_CHARACTERS = 250_000  # of one text; an essay of the most words is half of that, and a text is embedded without a pause
MOST_BYTES = 8 * 2**20
TASKS = (TaskKind.INDEX, TaskKind.REMOVE)  # files are received by the function
TASK_BODY = TypeAdapter(dict[str, str | int])
NAME, RETRIES = "X-CloudTasks-TaskName", "X-CloudTasks-TaskRetryCount"

log = logging.getLogger(__name__)


class EmbedRequest(Request):
    """Texts of one kind."""

    texts: list[Annotated[str, Field(max_length=MOST_CHARACTERS)]] = Field(max_length=MOST_TEXTS)
    kind: Literal["query", "passage"]


def create_app(worker: Worker) -> Flask:
    """A WSGI app; one for a process, whose threads share the one model. The model is loaded from now on."""
    app = bare_app(MOST_BYTES)
    embeds, tasks = Gate(worker.open_requests), Gate(max(1, worker.open_requests // 2))
    _offer(app, worker, ONLINE, embeds, lambda: _embed(worker.lanes.online))
    _offer(app, worker, BULK, tasks, lambda: _embed(worker.lanes.bulk))
    for kind in TASKS:
        _offer(app, worker, f"/v1/{kind}", tasks, lambda kind=kind: _do_task(worker, kind))  # type: ignore[misc]
    _offer_health(app, worker)
    return app


def _offer(app: Flask, worker: Worker, path: str, gate: Gate, answer: Callable[[], Response]) -> None:
    """Bulk work has a gate of its own: a book's tasks, or a night's essays, cannot take the threads that answer students."""

    def view() -> Response:
        worker.admit(request.headers.get("Authorization", ""))
        return gate.through(answer)  # type: ignore[return-value]  # what comes out went in

    app.add_url_rule(path, path, view, methods=["POST"])


def _embed(lane: Embedder) -> Response:
    asked = read_body(EmbedRequest)
    vectors = lane.embed_queries(asked.texts) if asked.kind == "query" else lane.embed_passages(asked.texts)
    return jsonify(model=lane.model, dimensions=vectors.shape[1], vectors=to_base64(vectors))


def _do_task(worker: Worker, kind: TaskKind) -> Response:
    name, attempt = request.headers.get(NAME, ""), 1 + request.headers.get(RETRIES, 0, int)
    worker.run(Task(name, kind, _task_body()), attempt)
    log.info("task done", extra={"task": name})
    return Response(status=HTTPStatus.NO_CONTENT)


def _task_body() -> dict[str, str | int]:
    try:
        return TASK_BODY.validate_json(request.get_data(), strict=True)
    except ValidationError as error:
        refuse(error)


def _offer_health(app: Flask, worker: Worker) -> None:
    readiness = Readiness(worker.lanes.online)
    readiness.start()
    worker.metrics.look_at(worker.lanes)

    def readyz() -> Response:
        readiness.check()
        return jsonify(status="ok")

    app.add_url_rule("/healthz", "healthz", lambda: jsonify(status="ok"))
    app.add_url_rule("/readyz", "readyz", readyz)
    app.add_url_rule("/metrics", "metrics", worker.metrics.show)
    app.after_request(worker.metrics.count)
