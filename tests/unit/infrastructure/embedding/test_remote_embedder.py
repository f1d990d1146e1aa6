"""What our own embedder answers, and what the client makes of it."""

from collections.abc import Iterator

import numpy as np
import pytest
from flask import Flask, Response, jsonify, request
from opentelemetry import trace

from chapterverse.core.errors import BadRequest, EmbedderUnavailable, ModelUnavailable
from chapterverse.infrastructure.embedding import remote as embedding_http
from chapterverse.infrastructure.embedding.remote import RemoteEmbedder
from chapterverse.worker import create_app
from tests.support.embedder_servers import a_worker, worker_server
from tests.support.refusals import refused
from tests.support.servers import free_port
from tests.support.serving import serving
from tests.support.word_embedder import WordEmbedder


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with worker_server(WordEmbedder()) as address:
        yield address


def answering(status: int, headers: dict[str, str] | None = None, text: str = "") -> Flask:
    app = Flask("answering")

    @app.post("/v1/embed")
    def embed() -> Response:
        return Response(text, status, headers)

    return app


def ask(app: Flask) -> None:
    with serving(app) as url:
        RemoteEmbedder(url, "words").embed_queries(["text"])


def test_a_long_list_is_sent_in_parts_and_comes_back_whole(url: str) -> None:
    texts = [f"word{i}" for i in range(2 * embedding_http.MAX_TEXTS + 1)]

    vectors = RemoteEmbedder(url, "words").embed_passages(texts)

    assert np.array_equal(vectors, WordEmbedder().embed_passages(texts))


def test_long_texts_are_not_sent_all_at_once() -> None:
    half = "x" * (embedding_http.MAX_CHARACTERS // 2)

    assert [len(batch) for batch in embedding_http.batches([half, half, "y", half * 3, "z"])] == [2, 1, 1, 1]


def test_another_model_than_the_one_expected_is_an_error(url: str) -> None:
    with pytest.raises(ModelUnavailable, match="uses words"):
        RemoteEmbedder(url, "all-MiniLM-L6-v2").embed_queries(["text"])


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(EmbedderUnavailable):
        RemoteEmbedder(f"http://127.0.0.1:{free_port()}", "words").embed_queries(["text"])


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_is_busy_or_broken_is_unavailable_for_as_long_as_it_says(status: int) -> None:
    with pytest.raises(EmbedderUnavailable) as refused:
        ask(answering(status, {"Retry-After": "17"}))

    assert refused.value.retry_after == 17


@pytest.mark.parametrize(
    ("status", "error"), [(401, ModelUnavailable), (403, ModelUnavailable), (404, ModelUnavailable), (413, BadRequest)]
)
def test_what_trying_again_does_not_change_is_not_tried_again(status: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        ask(answering(status))


@pytest.mark.parametrize("text", ["<html>", "[]", "{}", '{"model": "words", "dimensions": 4096, "vectors": "?"}'])
def test_what_is_no_embedder_is_told_from_one(text: str) -> None:
    with refused(ModelUnavailable, "embedder_not_at_url"):
        ask(answering(200, text=text))


def test_a_token_goes_with_every_call() -> None:
    sent: list[str] = []

    with a_worker(WordEmbedder(), admit=sent.append) as worker, serving(create_app(worker)) as url:
        RemoteEmbedder(url, "words", token=lambda: "abc").embed_queries(["text"])

    assert sent == ["Bearer abc"]


def test_a_text_that_utf_8_cannot_say_is_sent_as_one_that_it_can(url: str) -> None:
    vectors = RemoteEmbedder(url, "words").embed_queries(["half a \ud83d pair"])

    assert np.array_equal(vectors, WordEmbedder().embed_queries(["half a ? pair"]))


def test_the_trace_of_the_caller_goes_with_the_call() -> None:
    seen: list[str | None] = []
    app = Flask("echo")

    @app.post("/v1/embed")
    def embed() -> Response:
        seen.append(request.headers.get("traceparent"))
        return jsonify()

    context = trace.SpanContext(0x1234, 0x56, is_remote=True, trace_flags=trace.TraceFlags(1))
    with trace.use_span(trace.NonRecordingSpan(context)), pytest.raises(ModelUnavailable):
        ask(app)

    assert seen == [f"00-{0x1234:032x}-{0x56:016x}-01"]
