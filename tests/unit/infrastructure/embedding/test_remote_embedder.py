"""What our own embedder answers, and what the client makes of it."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from flask import Flask, jsonify
from google.auth.credentials import AnonymousCredentials

from chapterverse.core.errors import BadRequest, EmbedderUnavailable, ModelUnavailable
from chapterverse.infrastructure.embedding import remote as embedding_http
from chapterverse.infrastructure.embedding.remote import RemoteEmbedder
from chapterverse.infrastructure.embedding.vertex import VertexEmbedder
from chapterverse.worker import create_app
from tests.support.embedder_servers import a_worker, vertex_endpoint, worker_server
from tests.support.refusals import refused
from tests.support.servers import free_port
from tests.support.serving import at_work, serving
from tests.support.target import Target
from tests.support.word_embedder import WordEmbedder

NAME = "/v1/projects/school/locations/europe-west4/endpoints/7"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with worker_server(WordEmbedder()) as address:
        yield address


def test_a_long_list_is_sent_in_parts_and_comes_back_whole_and_another_model_is_an_error(url: str) -> None:
    texts = [f"word{i}" for i in range(2 * embedding_http.MAX_TEXTS + 1)]
    vectors = RemoteEmbedder(url, "words").embed_passages([*texts, "half a \ud83d pair"])
    assert np.array_equal(vectors, WordEmbedder().embed_passages([*texts, "half a ? pair"]))

    half = "x" * (embedding_http.MAX_CHARACTERS // 2)
    assert [len(batch) for batch in embedding_http.batches([half, half, "y", half * 3, "z"])] == [2, 1, 1, 1]

    with pytest.raises(ModelUnavailable, match="uses words"):
        RemoteEmbedder(url, "all-MiniLM-L6-v2").embed_queries(["text"])


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_is_busy_or_broken_is_unavailable_for_as_long_as_it_says(target: Target, status: int) -> None:
    target.answer = lambda _: (status, 17)

    with pytest.raises(EmbedderUnavailable) as refused:
        RemoteEmbedder(target.url, "words").embed_queries(["text"])
    assert refused.value.retry_after == 17


@pytest.mark.parametrize(
    ("status", "error"), [(401, ModelUnavailable), (403, ModelUnavailable), (404, ModelUnavailable), (413, BadRequest)]
)
def test_what_trying_again_does_not_change_is_not_tried_again(target: Target, status: int, error: type[Exception]) -> None:
    target.answer = lambda _: (status, None)

    with pytest.raises(error):
        RemoteEmbedder(target.url, "words").embed_queries(["text"])
    assert len(target.got) == 1


@pytest.mark.parametrize("text", ["<html>", "[]", "{}", '{"model": "words", "dimensions": 4096, "vectors": "?"}'])
def test_what_is_no_embedder_is_told_from_one(text: str) -> None:
    app = Flask("no embedder")
    app.post("/v1/embed")(lambda: text)

    with serving(app) as url, refused(ModelUnavailable, "embedder_not_at_url"):
        RemoteEmbedder(url, "words").embed_queries(["text"])


def test_a_token_goes_with_the_call() -> None:
    tokens = list[str]()

    with serving(create_app(a_worker(WordEmbedder(), admit=tokens.append))) as url:
        RemoteEmbedder(url, "words", token=lambda: "abc").embed_queries(["text"])

    assert tokens == ["Bearer abc"]


def test_a_connection_is_used_again_unless_it_was_idle_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = list[int]()

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections stay open

        def do_POST(self) -> None:
            ports.append(self.client_address[1])
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(429)
            self.send_header("Content-Length", "0")
            self.end_headers()

    with at_work(server := ThreadingHTTPServer(("127.0.0.1", 0), Answering)):
        embedder = RemoteEmbedder(f"http://127.0.0.1:{server.server_port}", "words")
        for idle in (1000.0, 1000.0, 0.0):
            monkeypatch.setattr(embedding_http, "IDLE", idle)
            with pytest.raises(EmbedderUnavailable):
                embedder.embed_queries(["text"])

    assert ports[0] == ports[1] != ports[2]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with vertex_endpoint(WordEmbedder()) as address:
        yield address


def at(endpoint: str, model: str = "words", **more: str) -> VertexEmbedder:
    return VertexEmbedder(endpoint, model, credentials=AnonymousCredentials(), **more)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, BadRequest),
        *((status, ModelUnavailable) for status in (403, 404)),
        *((status, EmbedderUnavailable) for status in (429, 500, 503)),
    ],
)
def test_a_refusal_is_told_from_what_may_pass(target: Target, status: int, error: type[Exception]) -> None:
    target.answer = lambda _: (status, None)

    with pytest.raises(error):
        at(f"{target.url}{NAME}").embed_queries(["text"])
    [sent] = target.got
    assert sent.headers["x-goog-request-params"] == "endpoint=projects/school/locations/europe-west4/endpoints/7"


@pytest.mark.parametrize("answer", [{}, {"predictions": []}, {"predictions": [[0.1, 0.2]]}, {"predictions": ["x"]}])
def test_an_endpoint_of_another_model_is_told_from_one(answer: dict[str, object]) -> None:
    app = Flask("another model")
    app.post(f"{NAME}:predict")(lambda: jsonify(answer))

    with serving(app) as address, refused(ModelUnavailable, "embedder_not_at_url"):
        at(f"{address}{NAME}").embed_queries(["text"])


def test_a_server_or_an_endpoint_that_is_not_there_is_unavailable() -> None:
    address = f"http://127.0.0.1:{free_port()}"

    for embedder in (RemoteEmbedder(address, "words"), at(f"{address}{NAME}")):
        with pytest.raises(EmbedderUnavailable):
            embedder.embed_queries(["text"])
