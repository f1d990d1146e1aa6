"""A language model's server on a thread of this process: it speaks Gemini's protocol and OpenAI's, and says what it is told."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, request
from google.oauth2.credentials import Credentials
from werkzeug.serving import WSGIRequestHandler, make_server

from chapterverse.core.ports import LanguageModel
from chapterverse.infrastructure.llm import gemini, openai_compatible
from scripts.bench.simulated_model import answer, title_of
from tests.support.discovery import refused
from tests.support.serving import at_work

MODEL = "a-model"
PROMPT_TOKENS, ANSWER_TOKENS = 700, 90


@dataclass(frozen=True)
class Asked:
    """A request, whatever the protocol."""

    instructions: str
    material: str
    schema: dict[str, Any] | None
    token: str = ""  # of the caller, where the platform asks for one


@dataclass(frozen=True)
class Reply:
    """What the server does with one request. broken: the connection ends after the text, in the midst of the stream;
    before, between: seconds of waiting, before the first piece and between pieces."""

    text: str = ""
    status: int = 200
    retry_after: str = ""
    ended: str = "stop"  # stop, length, refused, "" for a stream that simply stops
    broken: bool = False
    before: float = 0.0
    between: float = 0.0

    @property
    def pieces(self) -> list[str]:
        """The text in pieces that cut words and escapes."""
        return [self.text[start : start + 7] for start in range(0, len(self.text), 7)]


@dataclass
class LanguageServer:
    """url: of either protocol's root. It answers with `replies` one after the other, the last of them again and again; or with
    what `reply` makes of the request."""

    replies: list[Reply] = field(default_factory=list)
    reply: Callable[[Asked], Reply] | None = None
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    def will(self, *replies: Reply) -> None:
        """From now on."""
        self.replies = list(replies)

    def next(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        if self.reply:
            return self.reply(asked)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def openai(self, key: str = "") -> LanguageModel:
        """The real client of it."""
        return openai_compatible.OpenAiModel(openai_compatible.open_client(f"{self.url}/v1", key), MODEL)

    def gemini(self) -> LanguageModel:
        """The real client of it."""
        return gemini.GeminiModel(gemini.open_client("project", "europe-west1", self.url, Credentials("fake")), MODEL)


def says(value: Any, **more: Any) -> Reply:
    """A whole answer in JSON."""
    return Reply(json.dumps(value, ensure_ascii=False), **more)


def as_simulated(asked: Asked) -> Reply:
    """What the simulated model answers."""
    return says(answer(title_of(asked.schema or {}), asked.material))


@contextmanager
def language_server(*replies: Reply) -> Iterator[LanguageServer]:
    """Running until the block ends."""
    server = LanguageServer(list(replies))
    running = make_server("127.0.0.1", 0, _app(server), threaded=True, request_handler=_Quiet)
    running.daemon_threads = True  # one that still says its slow reply ends with the tests
    server.url = f"http://127.0.0.1:{running.server_port}"
    with at_work(running):
        yield server


class _Quiet(WSGIRequestHandler):
    """HTTP/1.1: streams are chunked, so that a client can tell one that was cut from one that ended."""

    protocol_version = "HTTP/1.1"

    def log(self, *_: Any) -> None:
        pass


class _Cut(ConnectionError):
    """The server is gone; werkzeug closes the connection without a word."""


def _app(server: LanguageServer) -> Flask:
    app = Flask("language")

    @app.post("/v1/chat/completions")
    def completions() -> Response:
        asked = request.get_json()
        assert asked["stream"]
        form = asked.get("response_format", {}).get("json_schema", {}).get("schema")
        token = request.headers.get("X-Serverless-Authorization", "")
        said = server.next(Asked(asked["messages"][0]["content"], asked["messages"][1]["content"], form, token))
        return _answer(said, _openai_events(said))

    @app.post("/v1/projects/<project>/locations/<location>/publishers/google/models/<model>:streamGenerateContent")
    def generate(project: str, location: str, model: str) -> Response:
        asked = request.get_json()
        if unknown := refused("aiplatform.GenerateContentRequest", asked):
            return _answer(Reply(status=400, text=unknown[0]), iter(()))
        contents = (asked["systemInstruction"], asked["contents"][0])
        instructions, material = ("".join(part["text"] for part in each["parts"]) for each in contents)
        said = server.next(Asked(instructions, material, asked["generationConfig"].get("responseJsonSchema")))
        return _answer(said, as_google_would(_gemini_events(said)))

    return app


def _answer(said: Reply, events: Iterator[dict[str, Any] | str]) -> Response:
    time.sleep(said.before)
    if said.status != 200:
        headers = {"Retry-After": said.retry_after} if said.retry_after else {}
        body = json.dumps({"error": {"code": said.status, "message": said.text or "My grandmother", "status": "FAILED"}})
        return Response(body, said.status, headers, content_type="application/json")
    lines = (f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n" for event in events)
    return Response(lines, content_type="text/event-stream")


def _openai_events(said: Reply) -> Iterator[dict[str, Any] | str]:
    whole = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": MODEL}

    def event(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**whole, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    if said.ended == "refused":
        yield event({"refusal": "I cannot help with that."})
    for piece in said.pieces:
        yield event({"content": piece})
        time.sleep(said.between)
    _cut_if(said.broken)
    if said.ended:
        yield event({}, "stop" if said.ended == "refused" else said.ended)
        usage = {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": ANSWER_TOKENS}
        yield {**whole, "choices": [], "usage": {**usage, "total_tokens": PROMPT_TOKENS + ANSWER_TOKENS}}
        yield "[DONE]"


def _gemini_events(said: Reply) -> Iterator[dict[str, Any]]:
    if said.ended == "refused":
        yield {"promptFeedback": {"blockReason": "SAFETY"}}
        return
    for piece in said.pieces:
        yield {"candidates": [{"content": {"role": "model", "parts": [{"text": piece}]}}]}
        time.sleep(said.between)
    _cut_if(said.broken)
    if said.ended:
        last = {"finishReason": {"stop": "STOP", "length": "MAX_TOKENS"}[said.ended], "content": {"role": "model", "parts": []}}
        usage = {"promptTokenCount": PROMPT_TOKENS, "candidatesTokenCount": ANSWER_TOKENS}
        yield {"candidates": [last], "usageMetadata": usage}


def as_google_would(events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any] | str]:
    for event in events:
        assert refused("aiplatform.GenerateContentResponse", event) == []
        yield event


def _cut_if(broken: bool) -> None:
    if broken:
        raise _Cut
