"""How the embedder fares, for Prometheus. Numbers only: no text, no book, no school.

What the embedder's app stands on; composition fills it in, tests build their own.

Whether the model is loaded and makes vectors.

What can be asked of the embedder.

POST /v1/embed: texts to vectors, in the online lane; /v1/embed/bulk: in the bulk lane. POST /v1/tokens: of each text, how many
tokens the model makes of it. POST /v1/index, /v1/remove: a task as
Cloud Tasks sends it, in the bulk lane. GET /healthz, /readyz, /metrics. Errors are problems, as the API's are.

The embedder as a program: `gunicorn "chapterverse.worker:app()"`, one process with many threads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread
from typing import Annotated, Literal, TypeVar

from flask import Flask, Response, jsonify, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from pydantic import Field

from chapterverse import composition
from chapterverse.core.errors import ChapterverseError, EmbedderUnavailable, TooLarge
from chapterverse.core.ports import Embedder
from chapterverse.core.tasks import Task, TaskKind
from chapterverse.infrastructure.embedding.batching import BatchingEmbedder, Priority
from chapterverse.infrastructure.embedding.remote import BULK, ONLINE, to_base64
from chapterverse.infrastructure.embedding.remote import TOKENS as REMOTE_TOKENS
from chapterverse.infrastructure.telemetry.logs import start_logging
from chapterverse.infrastructure.telemetry.traces import start_tracing
from chapterverse.operations.tasks import run_task
from chapterverse.settings import Settings, read_settings
from chapterverse.web.bare import bare_app
from chapterverse.web.limits import Gate
from chapterverse.web.operations import read_body
from chapterverse.web.schemas import Request
from chapterverse.web.tasks import do_task, offer

OURS = "chapterverse_embedder"

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0)

TEXTS = tuple(2**power for power in range(13))

TOKENS = tuple(2**power for power in range(4, 17))


class Metrics:
    """One registry for one app, so that two in a process do not mix; a Watch of the lanes."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        all_, by_lane = self.registry, ["lane"]
        self._requests = Counter("requests", "Requests answered.", ["route", "status"], OURS, registry=all_)
        self._waiting = Gauge("waiting_texts", "Texts that wait for the model.", by_lane, OURS, registry=all_)
        self._texts = Histogram("batch_texts", "Texts of a batch.", by_lane, OURS, registry=all_, buckets=TEXTS)
        self._tokens = Histogram("batch_tokens", "Tokens of a batch, estimated.", by_lane, OURS, registry=all_, buckets=TOKENS)
        self._latency = Histogram("answer_seconds", "From asked to embedded.", by_lane, OURS, registry=all_, buckets=SECONDS)
        self._model = Counter("model_seconds", "Seconds that the model worked.", by_lane, OURS, registry=all_)

    def ran(self, lane: Priority, texts: int, tokens: int, seconds: float) -> None:
        """See Watch."""
        self._texts.labels(lane).observe(texts)
        self._tokens.labels(lane).observe(tokens)
        self._model.labels(lane).inc(seconds)

    def answered(self, lane: Priority, seconds: float) -> None:
        """See Watch."""
        self._latency.labels(lane).observe(seconds)

    def look_at(self, lanes: BatchingEmbedder) -> None:
        """From now on it is told, too, how many texts wait there."""
        for lane in Priority:
            self._waiting.labels(lane).set_function(partial(lanes.waiting, lane))

    def count(self, response: Response) -> Response:
        """For Flask's after_request. What is no route of ours is one for all, or callers could make series without end."""
        route = str(request.url_rule or "none")
        self._requests.labels(route, response.status_code).inc()
        return response

    def show(self) -> Response:
        """The answer to a scrape."""
        return Response(generate_latest(self.registry), content_type=CONTENT_TYPE_LATEST)


@dataclass(frozen=True, slots=True)
class Worker:
    """run: does a task, told how often it was delivered, from 1; its vectors come from lanes.bulk. admit: takes the
    Authorization header, or "", and raises Unauthenticated or Forbidden. open_requests: of one kind, answered at once."""

    lanes: BatchingEmbedder
    run: Callable[[Task, int], None]
    admit: Callable[[str], object]
    metrics: Metrics
    open_requests: int = 64


class ModelReadiness:
    """The model is tried once, on a thread of its own, so that it is loaded while the process already answers."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._tried = Event()
        self._error: ChapterverseError | None = None
        self._thread = Thread(target=self._try, name="warm-up", daemon=True)

    def start(self) -> None:
        """Returns at once."""
        self._thread.start()

    def check(self) -> None:
        """Raises EmbedderUnavailable until the first vector is there, and then whatever has kept it from coming."""
        if not self._tried.is_set():
            raise EmbedderUnavailable("model_loading")
        if self._error:
            raise self._error

    def _try(self) -> None:
        try:
            self._embedder.embed_queries(["ready"])
        except ChapterverseError as error:
            self._error = error
        except Exception as error:  # no caller is there to be told; who asks for readiness is
            self._error = EmbedderUnavailable("model_not_working", error=type(error).__name__)
        finally:
            self._tried.set()


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
    _offer(app, worker, REMOTE_TOKENS, embeds, lambda: _count(worker.lanes.online))
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
    readiness = ModelReadiness(worker.lanes.online)
    readiness.start()
    worker.metrics.look_at(worker.lanes)

    def readyz() -> Response:
        readiness.check()
        return jsonify(status="ok")

    app.add_url_rule("/healthz", "healthz", lambda: jsonify(status="ok"))
    app.add_url_rule("/readyz", "readyz", readyz)
    app.add_url_rule("/metrics", "metrics", worker.metrics.show)
    app.after_request(worker.metrics.count)


def app() -> Flask:
    """All that the settings choose. The model is being loaded when this returns."""
    start_logging()
    start_tracing("chapterverse-embedder")
    return create_app(worker(read_settings()))


def worker(s: Settings) -> Worker:
    """Tasks are done with vectors from the bulk lane of the one model."""
    metrics = Metrics()
    lanes = composition.batching_embedder(s, metrics)
    intake = composition.intake(s, composition.compose(s, lanes.bulk, before=composition.previous_bulk_embedder(s)))
    return Worker(
        lanes, partial(run_task, intake=intake), composition.authenticator(s, s.tasks_url), metrics, s.max_open_requests
    )
