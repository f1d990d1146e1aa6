"""What servers say about their models. The answers of llama.cpp are those of a real server, cut to a few fields."""

import json
import logging
import socket
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

import httpx2
import pytest
from openai import DefaultHttpxClient, OpenAI

from chapterverse.core.errors import BadAnswer, BadRequest, ChapterverseError
from chapterverse.core.ports import ModelFacts, Prompt
from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client
from chapterverse.messages import Message, message
from tests.support.language_servers import MODEL, language_server, says
from tests.support.serving import at_work

PROMPT = Prompt("a-prompt-1", "Answer in JSON.", "An essay.")


def test_an_identity_token_goes_beside_the_key_and_is_asked_for_with_every_call() -> None:
    tokens = iter(["first", "second"])
    with language_server(says({})) as server:
        model = OpenAiModel(open_client(f"{server.url}/v1", "a key", lambda: next(tokens)), MODEL)

        for _ in range(2):
            model.generate(PROMPT, {}, time.monotonic() + 10)

        server.openai("a key").generate(PROMPT, {}, time.monotonic() + 10)

    assert [asked.token for asked in server.asked] == ["Bearer first", "Bearer second", ""]


SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "maxLength": 9}}, "required": ["text"]}


def client_of(handle: Callable[[httpx2.Request], httpx2.Response]) -> OpenAI:
    """The client of a server that answers so."""
    http_client = DefaultHttpxClient(transport=httpx2.MockTransport(handle))
    return OpenAI(base_url="http://server/v1", api_key="none", max_retries=0, http_client=http_client)


@dataclass
class Picky:
    """A server that refuses requests with `wrong` fields, as OpenAI, vLLM, Mistral and others do, and answers all else.
    thinks: whether it writes thoughts before the answer."""

    refuses: Callable[[dict[str, Any]], tuple[int, Any] | None] = lambda _: None
    thinks: Callable[[dict[str, Any]], bool] = lambda _: False
    asked: list[dict[str, Any]] = field(default_factory=list)

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(json.loads(request.content))
        if refusal := self.refuses(self.asked[-1]):
            return httpx2.Response(refusal[0], json=refusal[1])
        deltas = [*([{"reasoning": "Hm."}] * self.thinks(self.asked[-1])), {"content": '{"text": "yes"}'}]
        chunks = ({"id": "1", "choices": [{"index": 0, "delta": each, "finish_reason": "stop"}]} for each in deltas)
        text = "".join(f"data: {json.dumps(each)}\n\n" for each in chunks)
        return httpx2.Response(200, text=f"{text}data: [DONE]\n\n", headers={"Content-Type": "text/event-stream"})

    def model(self) -> OpenAiModel:
        return OpenAiModel(client_of(self.handle), MODEL)

    def ask(self, model: OpenAiModel) -> Any:
        return model.generate(PROMPT, SCHEMA, time.monotonic() + 20).value


def unsupported(param: str, **more: Any) -> tuple[int, Any]:
    message = f"Unsupported parameter: '{param}' is not supported with this model."
    return 400, {
        "error": {"message": message, "type": "invalid_request_error", "param": param, "code": "unsupported_parameter"} | more
    }


def reasons(asked: dict[str, Any]) -> tuple[int, Any] | None:
    """As OpenAI's reasoning models do."""
    wrong = [each for each in ("max_tokens", "temperature") if each in asked]
    if not wrong and asked.get("reasoning_effort") == "none":
        return unsupported("reasoning_effort", code="unsupported_value")
    return unsupported(wrong[0]) if wrong else None


def takes_max_tokens_alone(asked: dict[str, Any]) -> tuple[int, Any] | None:
    """As Mistral does, in the form of FastAPI."""
    said = {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs"}]}
    return (422, said) if "stream_options" in asked else None


def takes_no_lengths(asked: dict[str, Any]) -> tuple[int, Any] | None:
    text = "Invalid schema for response_format 'answer': In context=('properties', 'text'), 'maxLength' is not permitted."
    return (400, {"error": {"message": text, "param": "response_format"}}) if "maxLength" in json.dumps(asked) else None


def takes_no_schema(asked: dict[str, Any]) -> tuple[int, Any] | None:
    kind = asked.get("response_format", {}).get("type")
    return (400, {"error": {"message": "response_format: json_schema is not supported"}}) if kind == "json_schema" else None


def takes_no_form(asked: dict[str, Any]) -> tuple[int, Any] | None:
    return (400, {"error": {"message": "unknown field response_format"}}) if "response_format" in asked else None


@pytest.mark.parametrize("refuses", [reasons, takes_max_tokens_alone, takes_no_lengths, takes_no_schema, takes_no_form])
def test_what_a_server_refuses_is_left_out_from_then_on(refuses: Callable[[dict[str, Any]], tuple[int, Any] | None]) -> None:
    picky = Picky(refuses)
    model = picky.model()

    assert picky.ask(model) == {"text": "yes"}
    before = len(picky.asked)
    assert picky.ask(model) == {"text": "yes"}
    assert len(picky.asked) == before + 1
    assert PROMPT.instructions == picky.asked[0]["messages"][0]["content"]
    assert ('"maxLength": 9' in picky.asked[-1]["messages"][0]["content"]) is (refuses in (takes_no_schema, takes_no_form))


@pytest.mark.parametrize(
    ("status", "error", "id"),
    [
        (400, {"message": "'max_tokens' is too large. The maximum context length is 4096"}, "llm_context_too_small"),
        (400, {"message": "Too much.", "code": "context_length_exceeded"}, "llm_context_too_small"),
        (400, {"message": "top secret"}, "llm_refused_request"),
        (400, {"message": "API key not valid. Please pass a valid API key."}, "llm_refused_key"),
        (401, {"message": "Incorrect API key provided"}, "llm_refused_key"),
        (404, {"message": "The model does not exist", "code": "model_not_found"}, "llm_unknown_model"),
        (405, {"message": "Method Not Allowed"}, "llm_unknown_model"),
        (407, {"message": "Sign in to the proxy"}, "llm_behind_proxy"),
        (413, {"message": "Too long: beyond the context length"}, "llm_context_too_small"),
        (413, {"message": "Request Entity Too Large"}, "llm_request_too_large"),
        (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}, "llm_no_credit"),
        (429, {"message": "Slow down"}, "llm_too_many_requests"),
        (400, {"message": "temperature does not support 0.2"}, "llm_refused_setting"),
        (400, {"message": "Automatic parser generation failed: JSON schema error at #/properties/a"}, "llm_refused_schema"),
    ],
)
def test_each_cause_has_a_message_of_its_own(status: int, error: dict[str, str], id: str) -> None:
    with pytest.raises(ChapterverseError) as raised:
        (picky := Picky(lambda _: (status, {"error": error}))).ask(picky.model())

    assert raised.value.id == id


def test_what_is_no_stream_is_asked_for_once() -> None:
    picky = Picky(lambda _: (200, {"a": "page"}))

    with pytest.raises(BadAnswer):
        picky.ask(picky.model())
    assert len(picky.asked) == 1


@contextmanager
def answering(answer: bytes, *, reset: bool = False) -> Iterator[str]:
    """The address of a server that answers every request with these bytes, and resets the connection or closes it."""

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            size = 0
            while (line := self.rfile.readline().strip()) and not line.startswith(b"\x16\x03"):  # of a secure connection
                size = int(line[16:]) if line.lower().startswith(b"content-length: ") else size
            self.rfile.read(size)
            self.wfile.write(answer)
            if reset:
                time.sleep(0.1)
                self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as running, at_work(running):
        yield f"http://127.0.0.1:{running.server_address[1]}/v1"


def refused_by(url: str) -> Message:
    """The message of the error with which the model fails."""
    with pytest.raises(ChapterverseError) as raised:
        OpenAiModel(open_client(url, "secret"), MODEL).generate(PROMPT, SCHEMA, time.monotonic() + 20)
    return raised.value.message


NOBODY = "http://127.0.0.1:1"
OK = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
SEES = b'{"id":"1","choices":[{"index":0,"delta":{"content":"{"},"finish_reason":null}]}'


@pytest.mark.parametrize(
    ("data", "id"),
    [
        (b"[DONE]", "llm_broke_off"),
        (b'{"error": {"message": "Out of memory", "code": 507}}', "llm_status"),
        (b'{"error": {"message": "context size exceeded", "code": 400}}', "llm_context_too_small"),
        (SEES + b'\n\ndata: {"error": {"message": "no temperature", "code": 400}}', "llm_refused_setting"),
        (b"null", "llm_not_openai_protocol"),
        (b'{"choices": null}', "llm_not_openai_protocol"),
        (SEES.replace(b'"{"', b'"\xff"'), "llm_not_openai_protocol"),
        (b'{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', "llm_answer_empty"),
    ],
)
@pytest.mark.parametrize("reset", [True, False])
def test_of_a_stream_that_ends_badly_is_said_why(data: bytes, id: str, reset: bool) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    with answering(head + b"data: " + data + b"\n\n", reset=reset) as url:
        assert refused_by(url).id == id


@pytest.mark.parametrize(("answer", "id"), [(b"", "llm_broke_off"), (OK + b"no gzip", "llm_answer_damaged")])
def test_of_an_answer_that_does_not_begin_is_said_why(answer: bytes, id: str) -> None:
    with answering(answer) as url:
        assert refused_by(url).id == id


@pytest.mark.parametrize("path", ["", "/", "/v1/", "/v1//", "/v1/chat/completions/"])
def test_an_address_may_end_as_providers_show_it(path: str) -> None:
    assert str(open_client(f"http://server{path}").base_url) == "http://server/v1/"


@pytest.mark.parametrize("heeds", [True, False])
def test_a_model_that_thinks_is_told_once_not_to_and_then_let_think(heeds: bool) -> None:
    picky = Picky(thinks=lambda asked: not heeds or asked.get("reasoning_effort") != "none")
    model = picky.model()

    for _ in range(2):
        assert picky.ask(model) == {"text": "yes"}
    assert [each.get("reasoning_effort") for each in picky.asked] == [None, "none", "none"]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_named_without_what_may_be_secret_and_not_followed(status: int) -> None:
    head = f"HTTP/1.1 {status} Moved\r\nLocation: https://elsewhere.example/v1/chat/completions?token=t\r\nContent-Length: 0"
    with answering(f"{head}\r\n\r\n".encode()) as url:
        assert refused_by(url) == message("llm_redirects", address="https://elsewhere.example/v1")


def test_a_server_without_a_certificate_is_told_of() -> None:
    with answering(b"HTTP/1.1 400 Bad request\r\n\r\n") as url:
        assert refused_by(url.replace("http:", "https:")).id == "llm_no_secure_connection"


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("status", [403, 407, 503, None])
def test_a_proxy_that_refuses_or_is_away_is_not_taken_for_the_server(
    status: int | None, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with answering(f"HTTP/1.1 {status} No\r\nContent-Type: text/html\r\n\r\n<html>".encode()) as url:
        monkeypatch.setenv(f"{scheme}_proxy", url if status else NOBODY)
        assert refused_by(f"{scheme}://model.example/v1").id == "llm_behind_proxy"
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert refused_by(NOBODY).id == "llm_away"


def test_the_log_has_the_servers_reason_without_a_students_words(caplog: pytest.LogCaptureFixture) -> None:
    picky = Picky(lambda _: (400, {"error": {"message": "Bad token in: An essay. Grandmother", "code": "invalid"}}))
    prompt = Prompt("p-1", "Answer in JSON.", "An essay. Grandmother lived in Lübeck.")

    with caplog.at_level(logging.DEBUG), pytest.raises(BadRequest):
        picky.model().generate(prompt, SCHEMA, time.monotonic() + 20)

    records = [str(vars(record)) for record in caplog.records]
    assert any("Bad token" in record for record in records)
    assert not any(word in record for record in records for word in ("Grandmother", "Lübeck"))


LLAMA_CPP = {
    "/v1/models": {"data": [{"id": "model.gguf", "meta": {"n_ctx": 16384, "n_params": 1777088000}}]},
    "/props": {"default_generation_settings": {"n_ctx": 8192}, "total_slots": 2},
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
ODD = {"/v1/models": {"data": 5}, "/api/show": {"model_info": []}, "/api/ps": {"models": 1}}
HOSTED = {"/v1/models": {"data": [{"id": "a-large-one"}, {"id": "another", "context_window": 131072}]}}


def facts(answers: Mapping[str, Any], model: str) -> ModelFacts:
    """What a server with these answers, and 404 for all else, says."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        found = answers.get(request.url.path)
        return httpx2.Response(404) if found is None else httpx2.Response(200, json=found)

    return OpenAiModel(client_of(answer), model).facts()


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
        (HOSTED, "A-Large-One", ModelFacts(None, None, others=("a-large-one", "another"))),
        (ODD, "any", ModelFacts(4096, None)),
    ],
    ids=["llama.cpp", "vLLM", "Ollama", "Ollama, loaded", "Ollama, unset", "hosted", "its context", "other case", "odd"],
)
def test_context_and_size_are_what_the_server_says(answers: Mapping[str, Any], model: str, expected: ModelFacts) -> None:
    assert facts(answers, model) == expected


@pytest.mark.parametrize(
    ("name", "billions"),
    [("SmolLM2-135M", 0.135), ("gemma-3n-E4B-it", 4.0), ("Gemma-4-26B-A4B", 26.0), ("gpt-5-mini", None), ("phi-4bit", None)],
)
def test_without_a_word_of_the_server_the_name_says_the_size(name: str, billions: float | None) -> None:
    assert facts(HOSTED, name).billions == billions


def test_a_server_that_is_away_says_nothing() -> None:
    assert OpenAiModel(open_client(NOBODY), "Qwen/Qwen3.5-9B").facts() == ModelFacts()
