"""The embedder as a service: `gunicorn "chapterverse.worker:app()"`, one process with many threads that share one model.

POST /v1/embed: texts to vectors, online; /v1/embed/bulk: with low priority. POST /v1/tokens: number of tokens of each text.
POST /v1/predict: any of these, as an endpoint of Vertex AI asks.
POST /v1/index: a task as Cloud Tasks sends it, with low priority; /v1/receive: the same, of a file that
needs text recognition (OCR), one at a time. GET /health, /ready, /metrics.
Errors are problem documents, as in the API."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from flask import Flask, Response, jsonify, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from pydantic import Field
from werkzeug.wrappers import Response as BaseResponse

from chapterverse import composition
from chapterverse.composition.ports import late
from chapterverse.core.errors import ChapterverseError, EmbedderUnavailable, TooLarge
from chapterverse.core.ports import Embedder, TaskQueue
from chapterverse.core.requests import Request
from chapterverse.core.tasks import RECEIVE_SECONDS, Task, TaskKind
from chapterverse.infrastructure.embedding import BULK, ONLINE, PREDICT, to_base64
from chapterverse.infrastructure.embedding import TOKENS as REMOTE_TOKENS
from chapterverse.infrastructure.embedding.batching import BatchingEmbedder, Priority
from chapterverse.infrastructure.logs import start_logging
from chapterverse.settings import Settings, read_settings
from chapterverse.web.bare import Run, bare_app, do_later, do_task, offer, read_body
from chapterverse.web.limits import Gate

if TYPE_CHECKING:
    from chapterverse.library.services import Intake

OURS = "chapterverse_embedder"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0)
TEXTS = tuple(2**power for power in range(13))
TOKENS = tuple(2**power for power in range(4, 17))


class Metrics:
    """Prometheus metrics of one app: numbers only, without texts, books or schools. A BatchingObserver."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ours: Any = {"namespace": OURS, "registry": self.registry}
        by_priority = {"labelnames": ["lane"], **ours}
        self._requests = Counter("requests", "Requests answered.", ["route", "status"], **ours)
        self._waiting = Gauge("waiting_texts", "Texts that wait for the model.", **by_priority)
        self._texts = Histogram("batch_texts", "Texts of a batch.", buckets=TEXTS, **by_priority)
        self._tokens = Histogram("batch_tokens", "Tokens of a batch, estimated.", buckets=TOKENS, **by_priority)
        self._latency = Histogram("answer_seconds", "From asked to embedded.", buckets=SECONDS, **by_priority)
        self._model = Counter("model_seconds", "Seconds that the model worked.", **by_priority)

    def batch_done(self, priority: Priority, texts: int, tokens: int, seconds: float) -> None:
        self._texts.labels(priority).observe(texts)
        self._tokens.labels(priority).observe(tokens)
        self._model.labels(priority).inc(seconds)

    def request_done(self, priority: Priority, seconds: float) -> None:
        self._latency.labels(priority).observe(seconds)

    def observe_queues(self, embedder: BatchingEmbedder) -> None:
        """Report the number of waiting texts at each scrape."""
        for priority in Priority:
            self._waiting.labels(priority).set_function(partial(embedder.waiting, priority))

    def count(self, response: Response) -> Response:
        """Count a response (for Flask's after_request). Unknown paths share one series, or callers could create any number."""
        route = str(request.url_rule or "none")
        self._requests.labels(route, response.status_code).inc()
        return response

    def show(self) -> Response:
        """Response to a scrape."""
        return Response(generate_latest(self.registry), content_type=CONTENT_TYPE_LATEST)


@dataclass(frozen=True, slots=True)
class Worker:
    """What the app uses. run: does a task, given its number of deliveries, with vectors from embedder.bulk. admit: takes the
    Authorization header, or "", and raises Unauthenticated or Forbidden. open_requests: requests of a kind served at once.
    queue: takes the files that come while another one is read."""

    embedder: BatchingEmbedder
    run: Run
    admit: Callable[[str], object]
    metrics: Metrics
    open_requests: int
    queue: TaskQueue


MAX_TEXTS = 1024  # of one request
MAX_CHARACTERS = 60_000  # of one text, which is embedded without a pause; twice the longest paragraph searched
MAX_REQUEST_CHARACTERS = 300_000  # about 10 s of two cores, a third of the time that an online request waits
MAX_INSTANCES = 8  # of a prediction
MAX_BYTES = 8 * 2**20
FILES_AT_ONCE = 1  # a file may take 2 GiB and two cores; functions receive those without text recognition
NEXT_TURN_SECONDS = 60  # until a file that came meanwhile is delivered again
OTHER_SECONDS = 180.0  # of a delivery: to fetch the file, to split and store the text


class TokensRequest(Request):
    """Texts to count the tokens of."""

    texts: list[Annotated[str, Field(max_length=MAX_CHARACTERS)]] = Field(max_length=MAX_TEXTS)


class EmbedRequest(TokensRequest):
    """Texts to embed, all queries or all passages."""

    kind: Literal["query", "passage"]


class Instance(EmbedRequest):
    """One request of a prediction, for the route with this path."""

    path: Literal["/v1/embed", "/v1/embed/bulk", "/v1/tokens"]
    kind: Literal["query", "passage"] = "passage"


class PredictRequest(Request):
    """What Vertex AI sends."""

    instances: list[Instance] = Field(max_length=MAX_INSTANCES)


def create_app(worker: Worker) -> Flask:
    """The WSGI app; begins to load the model. Bulk work has its own gate, so books and batches cannot take the threads that
    serve students."""
    app, embedder = bare_app(MAX_BYTES), worker.embedder
    embeds, tasks = Gate(worker.open_requests), Gate(max(1, worker.open_requests // 2))

    def add(path: str, gate: Gate, answer: Callable[[], BaseResponse]) -> None:
        offer(app, path, worker.admit, gate, answer)

    add(ONLINE, embeds, lambda: jsonify(_embedded(read_body(EmbedRequest), embedder.online)))
    add(BULK, tasks, lambda: jsonify(_embedded(read_body(EmbedRequest), embedder.bulk)))
    add(REMOTE_TOKENS, embeds, lambda: jsonify(_counted(read_body(TokensRequest), embedder.online)))
    add(PREDICT, embeds, lambda: _predict(worker, tasks))
    add(f"/v1/{TaskKind.INDEX}", tasks, partial(do_task, worker.run, TaskKind.INDEX))
    later = partial(do_later, worker.queue, TaskKind.RECEIVE, NEXT_TURN_SECONDS)
    add(f"/v1/{TaskKind.RECEIVE}", Gate(FILES_AT_ONCE, full=later), partial(do_task, worker.run, TaskKind.RECEIVE))
    _offer_health(app, worker)
    return app


def _predict(worker: Worker, tasks: Gate) -> BaseResponse:
    """The response to the requests of a prediction. Bulk ones pass the gate of bulk work as well."""
    instances = read_body(PredictRequest).instances

    def answer() -> BaseResponse:
        return jsonify(predictions=[_predicted(each, worker.embedder) for each in instances])

    return tasks.through(answer) if any(each.path == BULK for each in instances) else answer()


def _predicted(body: Instance, embedder: BatchingEmbedder) -> dict[str, object]:
    if body.path == REMOTE_TOKENS:
        return _counted(body, embedder.online)
    return _embedded(body, embedder.bulk if body.path == BULK else embedder.online)


def _counted(body: TokensRequest, embedder: Embedder) -> dict[str, object]:
    _check_size(body)
    return {"model": embedder.model, "tokens": embedder.count_tokens(body.texts)}


def _embedded(body: EmbedRequest, embedder: Embedder) -> dict[str, object]:
    _check_size(body)
    vectors = embedder.embed_queries(body.texts) if body.kind == "query" else embedder.embed_passages(body.texts)
    return {"model": embedder.model, "dimensions": vectors.shape[1], "vectors": to_base64(vectors)}


def _check_size(body: TokensRequest) -> None:
    if sum(map(len, body.texts)) > MAX_REQUEST_CHARACTERS:
        raise TooLarge("too_much_to_embed", max_characters=MAX_REQUEST_CHARACTERS)


def _offer_health(app: Flask, worker: Worker) -> None:
    """GET /health, /ready, /metrics. The model is loaded meanwhile. What tasks need is loaded and reached by the first of them;
    where it is away, as from a new instance of Cloud Run for up to a minute, they are repeated."""
    loading = ThreadPoolExecutor(1, "warm-up").submit(worker.embedder.online.embed_queries, ["ready"])
    worker.metrics.observe_queues(worker.embedder)

    def ready() -> Response:
        if not loading.done():
            raise EmbedderUnavailable("model_loading")
        error = loading.exception()
        if error and not isinstance(error, ChapterverseError):
            error = EmbedderUnavailable("model_not_working", error=type(error).__name__)
        if error:
            raise error
        return jsonify(status="ok")

    app.add_url_rule("/health", "health", lambda: jsonify(status="ok"))
    app.add_url_rule("/ready", "ready", ready)
    app.add_url_rule("/metrics", "metrics", worker.metrics.show)
    app.after_request(worker.metrics.count)


def app() -> Flask:
    """The app as the settings configure it; its model is still loading."""
    start_logging()
    return create_app(worker(read_settings()))


def worker(s: Settings) -> Worker:
    metrics = Metrics()
    embedder = composition.ports.batching_embedder(s, metrics)
    admit = composition.authenticator(s, s.tasks_url)

    @late
    def intake() -> "Intake":
        books = composition.intake(s, composition.compose(s, embedder.bulk))
        return books.recognizing_for(RECEIVE_SECONDS - books.limits.seconds - OTHER_SECONDS)

    def run(task: Task, attempt: int) -> None:
        from chapterverse.library.intake import run_task  # with the first task: it takes half of a cold start

        run_task(task, attempt, intake)

    return Worker(embedder, run, admit, metrics, s.max_open_requests, late(lambda: intake.queue))
