"""What an endpoint of Vertex AI answers, and what the client makes of it."""

from collections.abc import Iterator

import pytest
from flask import Flask, Response, jsonify, request
from google.auth.credentials import AnonymousCredentials

from chapterverse.core.errors import BadRequest, EmbedderUnavailable, ModelUnavailable
from chapterverse.infrastructure.embedding.vertex import VertexEmbedder
from tests.support.embedder_servers import vertex_endpoint
from tests.support.refusals import refused
from tests.support.servers import free_port
from tests.support.serving import serving
from tests.support.word_embedder import WordEmbedder

NAME = "/v1/projects/school/locations/europe-west4/endpoints/7"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with vertex_endpoint(WordEmbedder()) as address:
        yield address


def at(url: str, model: str = "words", **more: str) -> VertexEmbedder:
    return VertexEmbedder(url, model, credentials=AnonymousCredentials(), **more)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, BadRequest),
        (403, ModelUnavailable),
        (404, ModelUnavailable),
        (429, EmbedderUnavailable),
        (500, EmbedderUnavailable),
        (503, EmbedderUnavailable),
    ],
)
def test_a_refusal_is_told_from_what_may_pass(status: int, error: type[Exception]) -> None:
    app, asked = Flask("refusing"), list[str]()

    @app.post(f"{NAME}:predict")
    def predict() -> tuple[Response, int]:
        asked.append(request.headers.get("x-goog-request-params", ""))
        return jsonify(error={"code": status, "message": "No.", "status": "NO"}), status

    with serving(app) as address, pytest.raises(error):
        at(f"{address}{NAME}").embed_queries(["text"])

    assert asked == ["endpoint=projects/school/locations/europe-west4/endpoints/7"]


@pytest.mark.parametrize("answer", [{}, {"predictions": []}, {"predictions": [[0.1, 0.2]]}, {"predictions": ["x"]}])
def test_what_is_no_embedder_is_told_from_one(answer: dict[str, object]) -> None:
    app = Flask("another model")
    app.post(f"{NAME}:predict")(lambda: jsonify(answer))

    with serving(app) as address, refused(ModelUnavailable, "embedder_not_at_url"):
        at(f"{address}{NAME}").embed_queries(["text"])


def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(EmbedderUnavailable):
        at(f"http://127.0.0.1:{free_port()}{NAME}").embed_queries(["text"])
