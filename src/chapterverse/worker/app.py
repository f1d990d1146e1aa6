"""What can be asked of the embedder.

POST /v1/embed: texts to vectors, in the online lane; /v1/embed/bulk: in the bulk lane. POST /v1/tokens: of each text, how many
tokens the model makes of it. POST /v1/index, /v1/remove: a task as
Cloud Tasks sends it, in the bulk lane. GET /healthz, /readyz, /metrics. Errors are problems, as the API's are."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal, TypeVar

from flask import Flask, Response, jsonify
from pydantic import Field

from chapterverse.adapters.remote_embedder import BULK, ONLINE, TOKENS
from chapterverse.adapters.vector_wire import to_base64
from chapterverse.errors import TooLarge
from chapterverse.model import TaskKind
from chapterverse.ports import Embedder
from chapterverse.web.bare import bare_app
from chapterverse.web.limits import Gate
from chapterverse.web.operations import read_body
from chapterverse.web.schemas import Request
from chapterverse.web.tasks import do_task, offer
from chapterverse.worker.parts import Worker
from chapterverse.worker.readiness import Readiness

MOST_TEXTS = 1024  # of one request
MOST_CHARACTERS = 60_000  # of one text, which is embedded without a pause; twice what is looked up of one paragraph
MOST_AT_ONCE = 300_000  # characters of one request: about 10 s of two cores, a third of what a student's request may wait
MOST_BYTES = 8 * 2**20
TASKS = (TaskKind.INDEX, TaskKind.CUT, TaskKind.REMOVE)  # files are received by the function


class TokensRequest(Request):
    """Texts."""

    texts: list[Annotated[str, Field(max_length=MOST_CHARACTERS)]] = Field(max_length=MOST_TEXTS)


class EmbedRequest(TokensRequest):
    """Texts of one kind."""

    kind: Literal["query", "passage"]


Asked = TypeVar("Asked", bound=TokensRequest)


def create_app(worker: Worker) -> Flask:
    """A WSGI app; one for a process, whose threads share the one model. The model is loaded from now on."""
    app = bare_app(MOST_BYTES)
    embeds, tasks = Gate(worker.open_requests), Gate(max(1, worker.open_requests // 2))
    _offer(app, worker, ONLINE, embeds, lambda: _embed(worker.lanes.online))
    _offer(app, worker, BULK, tasks, lambda: _embed(worker.lanes.bulk))
    _offer(app, worker, TOKENS, embeds, lambda: _count(worker.lanes.online))
    for kind in TASKS:
        _offer(app, worker, f"/v1/{kind}", tasks, partial(do_task, worker.run, kind))
    _offer_health(app, worker)
    return app


def _offer(app: Flask, worker: Worker, path: str, gate: Gate, answer: Callable[[], Response]) -> None:
    """Bulk work has a gate of its own: a book's tasks, or a night's essays, cannot take the threads that answer students."""
    offer(app, path, worker.admit, gate, answer)


def _count(lane: Embedder) -> Response:
    return jsonify(model=lane.model, tokens=lane.count_tokens(_read(TokensRequest).texts))


def _read(kind: type[Asked]) -> Asked:
    asked = read_body(kind)
    if sum(map(len, asked.texts)) > MOST_AT_ONCE:
        raise TooLarge("too_much_to_embed", max_characters=MOST_AT_ONCE)
    return asked


def _embed(lane: Embedder) -> Response:
    asked = _read(EmbedRequest)
    vectors = lane.embed_queries(asked.texts) if asked.kind == "query" else lane.embed_passages(asked.texts)
    return jsonify(model=lane.model, dimensions=vectors.shape[1], vectors=to_base64(vectors))


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
