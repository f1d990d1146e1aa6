"""How the embedder fares, for Prometheus. Numbers only: no text, no book, no school."""

from functools import partial

from flask import Response, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from chapterverse.adapters.lanes import Lane, Lanes

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

    def ran(self, lane: Lane, texts: int, tokens: int, seconds: float) -> None:
        """See Watch."""
        self._texts.labels(lane).observe(texts)
        self._tokens.labels(lane).observe(tokens)
        self._model.labels(lane).inc(seconds)

    def answered(self, lane: Lane, seconds: float) -> None:
        """See Watch."""
        self._latency.labels(lane).observe(seconds)

    def look_at(self, lanes: Lanes) -> None:
        """From now on it is told, too, how many texts wait there."""
        for lane in Lane:
            self._waiting.labels(lane).set_function(partial(lanes.waiting, lane))

    def count(self, response: Response) -> Response:
        """For Flask's after_request. What is no route of ours is one for all, or callers could make series without end."""
        route = str(request.url_rule or "none")
        self._requests.labels(route, response.status_code).inc()
        return response

    def show(self) -> Response:
        """The answer to a scrape."""
        return Response(generate_latest(self.registry), content_type=CONTENT_TYPE_LATEST)
