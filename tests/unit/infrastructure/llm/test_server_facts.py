"""What servers say about their models. The answers of llama.cpp are those of a real server, cut to a few fields."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from flask import Flask, Response, abort, jsonify
from werkzeug.serving import make_server

from chapterverse.core.ports import ModelFacts
from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client

LLAMA_CPP = {
    "/v1/models": {
        "object": "list",
        "data": [
            {
                "id": "model.gguf",
                "owned_by": "llamacpp",
                "meta": {"n_vocab": 151936, "n_ctx": 16384, "n_ctx_train": 32768, "n_params": 1777088000},
            }
        ],
    },
    "/props": {"default_generation_settings": {"n_ctx": 8192}, "total_slots": 2, "model_alias": "model.gguf"},
}
VLLM = {"/v1/models": {"data": [{"id": "Qwen/Qwen3.5-9B", "owned_by": "vllm", "max_model_len": 32768}]}}
OLLAMA = {
    "/v1/models": {"data": [{"id": "qwen3.5:4b", "owned_by": "library"}, {"id": "gemma4:26b", "owned_by": "library"}]},
    "/api/show": {
        "parameters": "temperature 0.7\nnum_ctx                        8192",
        "model_info": {"general.parameter_count": 4022468096, "qwen3.context_length": 262144},
    },
    "/api/ps": {"models": []},
}
UNSET = {"/api/show": {"model_info": {"gemma4.context_length": 262144}}}
HOSTED = {"/v1/models": {"data": [{"id": "a-large-one"}, {"id": "another", "context_window": 131072}]}}


@contextmanager
def serving(answers: Mapping[str, Any]) -> Iterator[str]:
    """Address of a server with these answers and 404 for all else."""
    app = Flask("facts")

    @app.route("/<path:path>", methods=["GET", "POST"])
    def answer(path: str) -> Response:
        return jsonify(answers[f"/{path}"]) if f"/{path}" in answers else abort(404)

    running = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/v1"
    finally:
        running.shutdown()
        thread.join()


def facts(answers: Mapping[str, Any], model: str) -> ModelFacts:
    with serving(answers) as url:
        return OpenAiModel(open_client(url), model).facts()


@pytest.mark.parametrize(
    ("answers", "model", "expected"),
    [
        (LLAMA_CPP, "any", ModelFacts(8192, 1.777088, at_once=2)),  # of a slot, not of the server
        (VLLM, "Qwen/Qwen3.5-9B", ModelFacts(32768, 9.0)),
        (OLLAMA, "qwen3.5:4b", ModelFacts(8192, 4.022468096)),
        (
            OLLAMA | {"/api/ps": {"models": [{"name": "qwen3.5:4b", "context_length": 16384}]}},
            "qwen3.5:4b",
            ModelFacts(16384, 4.022468096),
        ),
        (OLLAMA | UNSET, "gemma4:26b", ModelFacts(4096, 26.0)),
        (HOSTED, "a-large-one", ModelFacts(None, None)),
        (HOSTED, "another", ModelFacts(131072, None)),
    ],
    ids=["llama.cpp", "vLLM", "Ollama", "Ollama, loaded", "Ollama, unset", "hosted", "hosted with its context"],
)
def test_context_and_size_are_what_the_server_says(answers: Mapping[str, Any], model: str, expected: ModelFacts) -> None:
    assert facts(answers, model) == expected


@pytest.mark.parametrize(
    ("name", "billions"),
    [("SmolLM2-135M", 0.135), ("gemma-3n-E4B-it", 4.0), ("Gemma-4-26B-A4B", 26.0), ("gpt-5-mini", None), ("phi-4bit", None)],
)
def test_without_a_word_of_the_server_the_name_says_the_size(name: str, billions: float | None) -> None:
    assert facts(HOSTED, name).billions == billions


def test_a_server_that_is_away_says_nothing_and_is_asked_again_later() -> None:
    with serving(VLLM) as url:
        pass

    assert OpenAiModel(open_client(url), "Qwen/Qwen3.5-9B").facts() == ModelFacts()
