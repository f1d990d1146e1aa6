"""Any server that speaks OpenAI's chat completions as the language model: vLLM, llama.cpp, OpenAI, a school's own. And what it
says about its model, asked in the ways of vLLM, llama.cpp and Ollama.

https://platform.openai.com/docs/api-reference/chat"""

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import IntEnum
from http import HTTPStatus
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import httpx2
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, DefaultHttpxClient, OpenAI, OpenAIError
from openai.types.chat import ChatCompletionChunk

from chapterverse.core.errors import BadAnswer, LanguageModelUnavailable, ModelRefused, ModelUnavailable
from chapterverse.core.ports import AnswerPiece, ModelFacts, Prompt, Schema, Usage
from chapterverse.infrastructure.llm import streaming

SECONDS = 2.0  # for each request
FACTS_SECONDS = 600.0  # that what a server said is not asked again
AWAY_SECONDS = 20.0  # that a server that did not answer is not asked again
OF_PROXIES = {403, 502, 503, 504}  # what they answer themselves, in a page, where the connection is not secure
OLLAMA_CONTEXT = 4096  # tokens, unless the model or the server is set otherwise
_SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)(M|B)(?![a-z])", re.IGNORECASE)  # "qwen3.5:4b", "Gemma-4-26B-A4B", "SmolLM2-135M"
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


def facts_of(client: OpenAI, model: str) -> ModelFacts | None:
    """What the server says, and the size that the model's name says; None if the server does not answer."""
    client_once = client.with_options(timeout=SECONDS, max_retries=0)
    root = str(client.base_url).rstrip("/").removesuffix("/v1")

    def get(address: str) -> Any:
        return _read(lambda: client_once.get(address, cast_to=object))

    if (listed := get("/models")) is None:
        return None
    entries = _items(listed, "data")
    own = next((each for each in entries if _at(each, "id") == model), entries[0] if len(entries) == 1 else {})
    props, show, running = get(f"{root}/props"), None, None
    if props is None:
        show = _read(lambda: client_once.post(f"{root}/api/show", body={"model": model}, cast_to=object))
        running = get(f"{root}/api/ps") if show else None
    loaded = next((each for each in _items(running, "models") if model in (_at(each, "name"), _at(each, "model"))), None)
    contexts = (
        _at(props, "default_generation_settings", "n_ctx"),  # of one of llama.cpp's slots
        _at(own, "max_model_len"),
        _at(loaded, "context_length"),
        _ollama_context(show),
        _at(own, "context_length") or _at(own, "context_window") or _at(own, "meta", "n_ctx"),
    )
    context, size = next((int(each) for each in contexts if each), None), next(_billions(own, show, model), None)
    ids = () if own else (str(_at(each, "id")) for each in entries)
    return ModelFacts(context, size, _at(props, "total_slots"), others=tuple(get_close_matches(model, ids, cutoff=0)))


def _read(ask: Callable[[], Any]) -> Any:
    """The answer as JSON; None without one: servers know some of the addresses only."""
    try:
        found = ask()
        return found if isinstance(found, Mapping) else None
    except (OpenAIError, httpx2.HTTPError, ValueError):
        return None


def _ollama_context(show: Any) -> int | None:
    if not show:
        return None
    found = _NUM_CTX.search(str(show.get("parameters") or ""))
    info = _at(show, "model_info")
    known = info.items() if isinstance(info, Mapping) else ()
    most = next((int(each) for name, each in known if name.endswith(".context_length")), OLLAMA_CONTEXT)
    return int(found[1]) if found else min(most, OLLAMA_CONTEXT)


def _billions(own: Any, show: Any, model: str) -> Iterator[float]:
    """Of parameters, by the server, then by the model's name."""
    counts = (_at(own, "meta", "n_params"), _at(show, "model_info", "general.parameter_count"))
    yield from (count / 1e9 for count in counts if count)
    yield from (float(found[1]) / (1000 if found[2] in "mM" else 1) for found in _SIZE.finditer(model))


def _at(value: Any, *keys: str) -> Any:
    """What stands there in JSON; None if nothing does."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _items(value: Any, key: str) -> list[Any]:
    """The list that stands there; empty if none does."""
    found = _at(value, key)
    return found if isinstance(found, list) else []


class Form(IntEnum):
    """How a server is asked for JSON: with the schema, with it but for limits on texts, for any JSON, not at all."""

    SCHEMA = 0
    STRICT = 1
    OBJECT = 2
    TEXT = 3


THOUGHTS = ("reasoning", "reasoning_content")  # fields of Ollama and vLLM, of llama.cpp and others
EFFORTS = ("", "none", "minimal", "low")  # of reasoning; a model that refuses a temperature reasons


@dataclass(frozen=True)
class Dialect:
    """The requests that a server takes. limit: its name for the limit on tokens. left_out: settings that it refuses. effort: an
    index of EFFORTS. spells: whether the schema is in the prompt, too; may_think: whether less was asked for in vain."""

    form: Form = Form.SCHEMA
    limit: str = "max_tokens"
    left_out: frozenset[str] = frozenset()
    effort: int = 0
    spells: bool = False
    may_think: bool = False

    def request(self, prompt: Prompt, schema: Schema) -> dict[str, Any]:
        spells = self.spells or self.form >= Form.OBJECT
        spelled = f"\n\n{SPELLED}\n{json.dumps(streaming.inlined(schema))}" if spells else ""
        settings = {
            self.limit: prompt.max_tokens,
            "temperature": prompt.temperature,
            "stream_options": {"include_usage": True},
            "reasoning_effort": EFFORTS[self.effort],
        }
        return {
            "messages": [
                {"role": "system", "content": prompt.instructions + spelled},
                {"role": "user", "content": prompt.material},
            ],
            **{name: value for name, value in settings.items() if name not in self.left_out and value != ""},
            **self._form_of(schema),
        }

    def _form_of(self, schema: Schema) -> dict[str, Any]:
        if self.form is Form.TEXT:
            return {}
        if self.form is Form.OBJECT:
            return {"response_format": {"type": "json_object"}}
        sent = streaming.inlined(schema)
        sent = sent if self.form is Form.SCHEMA else streaming.without_text_limits(sent)
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": sent, "strict": True}}}

    def after(self, refusal: streaming.Refusal) -> "Dialect | None":
        """The dialect without what the server refuses."""
        match refusal.setting:
            case "max_tokens" if self.limit == "max_tokens":
                return replace(self, limit="max_completion_tokens")
            case "temperature" if "temperature" not in self.left_out:
                return replace(self, left_out=self.left_out | {"temperature"}, effort=self.effort or 1)
            case "reasoning_effort" if self.effort:
                return replace(self, effort=(self.effort + 1) % len(EFFORTS), left_out=self.left_out | {"temperature"})
            case "thinking" if not self.may_think:  # Ollama lets every model think that can, unless it is told not to
                return replace(self, effort=self.effort or 1, may_think=True)
            case "stream_options" if "stream_options" not in self.left_out:
                return replace(self, left_out=self.left_out | {"stream_options"})
        return replace(self, form=Form(self.form + 1)) if refusal.is_about_form and self.form < Form.TEXT else None

    def spelling(self) -> "Dialect":
        return replace(self, spells=True)


SPELLED = "Answer with one JSON object of this schema, and nothing else:"


@dataclass(eq=False)
class OpenAiModel(streaming.StreamedModel[Dialect]):
    """LanguageModel on such a server; model: its name there."""

    client: OpenAI
    model: str
    way: Dialect = Dialect()
    until_deadline: bool = False
    known: ModelFacts = field(default_factory=ModelFacts)
    known_until: float = 0.0

    def facts(self) -> ModelFacts:
        """What the server said about the model, nothing if it has not answered yet, and how it was asked last."""
        if monotonic() >= self.known_until:
            found = facts_of(self.client, self.model)
            self.known, self.known_until = found or self.known, monotonic() + (FACTS_SECONDS if found else AWAY_SECONDS)
        return replace(self.known, takes_schema=self.way.form < Form.OBJECT)

    def _ask(self, way: Dialect, prompt: Prompt, schema: Schema, seconds: float) -> Iterator[AnswerPiece]:
        asked = way.request(prompt, schema)
        create = self.client.with_options(timeout=seconds).chat.completions.create
        with openai_errors_as_ours(), create(model=self.model, stream=True, **asked) as chunks:
            yield from _pieces(chunks, "event-stream" in chunks.response.headers.get("Content-Type", ""), way.may_think)


def open_client(url: str, key: str = "", token: Callable[[], str] | None = None) -> OpenAI:
    """A client without retries of its own that follows no redirect: the key stays where it was sent. url: /v1 is added to one
    without a path; what the client itself adds may stand at its end.

    token: returns the identity token for Cloud Run, sent in a separate header:
    https://cloud.google.com/run/docs/authenticating/service-to-service"""
    logging.getLogger("openai").setLevel(logging.WARNING)  # at DEBUG it logs prompts with essays
    url = url.rstrip("/").removesuffix("/chat/completions")
    url = url if urlsplit(url).path else f"{url}/v1"

    def add(request: httpx2.Request) -> None:
        if token:
            request.headers["X-Serverless-Authorization"] = f"Bearer {token()}"

    http_client = DefaultHttpxClient(event_hooks={"request": [add]}, follow_redirects=False)
    return OpenAI(base_url=url, api_key=key or "none", max_retries=0, http_client=http_client)


@contextmanager
def openai_errors_as_ours() -> Iterator[None]:
    """Turn errors of openai 3 into ours and Refusal; while streaming, the JSON parser raises as well."""
    try:
        yield
    except APIStatusError as error:
        if redirected := error.response.next_request:
            address = str(redirected.url.copy_with(query=None)).removesuffix("/chat/completions")
            raise ModelUnavailable("llm_redirects", address=address) from error
        url, retry_after = str(error.request.url), error.response.headers.get("Retry-After", "")
        of_proxy = isinstance(error.body, str) and error.status_code in OF_PROXIES
        if of_proxy and url.startswith("http:") and streaming.has_proxy(url):
            raise ModelUnavailable("llm_behind_proxy") from error
        raise streaming.refusal_in(error.status_code, error.body or error.message, retry_after) from error
    except APITimeoutError as error:  # the timeout is the deadline
        raise BadAnswer("llm_too_late") from error
    except APIConnectionError as error:
        raise streaming.disconnected(error.__cause__, str(error.request.url)) from error
    except APIError as error:  # in the stream itself, where asking in another way would repeat what came
        status = _at(error.body, "code")
        raise streaming.refusal_in(status if isinstance(status, int) else 500, error.body).error() from error
    except (OpenAIError, ValueError, AttributeError, TypeError) as error:  # openai does not check what JSON it gets
        raise BadAnswer("llm_not_openai_protocol") from error


def _pieces(chunks: Iterable[ChatCompletionChunk], is_stream: bool, may_think: bool) -> Iterator[AnswerPiece]:
    ended, chunk = None, None
    for chunk in chunks:
        for choice in chunk.choices:
            if not may_think and any(getattr(choice.delta, name, None) for name in THOUGHTS):
                raise streaming.Refusal(HTTPStatus.BAD_REQUEST, codes=frozenset({"thinking"}))
            if choice.delta.refusal:
                raise ModelRefused("llm_refused")
            if choice.delta.content:
                yield AnswerPiece(choice.delta.content)
            ended = choice.finish_reason or ended
        if chunk.usage:
            yield AnswerPiece("", Usage(chunk.usage.prompt_tokens, chunk.usage.completion_tokens))
    if chunk is None and not is_stream:  # a page of the web, or another protocol
        raise BadAnswer("llm_not_openai_protocol")
    if ended is None:
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0)
    if ended == "content_filter":
        raise ModelRefused("llm_refused")
    if ended == "length":
        yield AnswerPiece("", cut=True)
