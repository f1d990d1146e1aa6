"""Embedders behind HTTP, on a thread of this process: real sockets, real requests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, jsonify, request

from chapterverse.core.ports import Embedder
from chapterverse.core.tasks import Task
from chapterverse.infrastructure.embedding.batching import BatchingEmbedder
from chapterverse.infrastructure.local_queue import LocalQueue
from chapterverse.worker import Metrics, Worker, create_app
from tests.support.serving import serving

Run = Callable[[Task, int], None]


def a_worker(embedder: Embedder, run: Run = lambda task, attempt: None, **options: Any) -> Worker:
    """What the embedder's app stands on, with short queues. It admits everybody by default."""
    metrics = Metrics()
    shared = BatchingEmbedder(embedder, batch_tokens=1024, max_queued_texts=5000, observer=metrics)
    given: dict[str, Any] = {
        "embedder": shared,
        "run": run,
        "admit": lambda authorization: None,
        "metrics": metrics,
        "open_requests": 64,
    }
    return Worker(**given | {"queue": LocalQueue()} | options)


@contextmanager
def worker_server(embedder: Embedder) -> Iterator[str]:
    """Our own."""
    with serving(create_app(a_worker(embedder))) as url:
        yield url


@contextmanager
def vertex_endpoint(embedder: Embedder, **options: Any) -> Iterator[str]:
    """An endpoint of Vertex AI with our worker behind it, as its REST interface is described; yields its address.

    https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.endpoints/predict"""
    name = "projects/school/locations/europe-west4/endpoints/7"
    endpoint, container = Flask("vertex"), create_app(a_worker(embedder, **options))

    @endpoint.post(f"/v1/{name}:predict")
    def predict() -> Response | tuple[Response, int]:
        asked = request.get_json()
        answer = container.test_client().post("/v1/predict", json={"instances": asked["instances"]})
        if answer.status_code != HTTPStatus.OK:  # the container's own answer is within the message
            error = {"code": answer.status_code, "message": answer.get_data(as_text=True), "status": "UNKNOWN"}
            return jsonify(error=error), answer.status_code
        return jsonify(predictions=answer.get_json()["predictions"], deployedModelId="1", model="projects/1/models/2")

    with serving(endpoint) as url:
        yield f"{url}/v1/{name}"
