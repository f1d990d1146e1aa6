"""Any server that speaks OpenAI's chat completions as the language model: vLLM, llama.cpp, OpenAI, a school's own.

https://platform.openai.com/docs/api-reference/chat"""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any
from urllib.parse import urlsplit

import httpx2
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, DefaultHttpxClient, OpenAI, OpenAIError
from openai.types.chat import ChatCompletionChunk

from chapterverse.core.errors import BadAnswer, LanguageModelUnavailable, ModelRefused
from chapterverse.core.ports import AnswerPiece, ModelFacts, Prompt, Schema, Usage
from chapterverse.core.recent import lazy
from chapterverse.infrastructure.llm.forms import inlined, without_text_limits
from chapterverse.infrastructure.llm.refusals import Refusal, refusal_in
from chapterverse.infrastructure.llm.server_facts import KnownFacts
from chapterverse.infrastructure.llm.streaming import Learned, StreamedModel


class Form(IntEnum):
    """How a server is asked for JSON: with the schema, with it but for limits on texts, for any JSON, not at all."""

    SCHEMA = 0
    STRICT = 1
    OBJECT = 2
    TEXT = 3


EFFORTS = ("", "none", "minimal", "low")  # of reasoning; a model that refuses a temperature reasons


@dataclass(frozen=True)
class Dialect:
    """The requests that a server takes. limit: its name for the limit on tokens. left_out: settings that it refuses. effort: an
    index of EFFORTS. spells: whether the schema is in the prompt, too."""

    form: Form = Form.SCHEMA
    limit: str = "max_tokens"
    left_out: frozenset[str] = frozenset()
    effort: int = 0
    spells: bool = False

    def request(self, prompt: Prompt, schema: Schema) -> dict[str, Any]:
        """The fields of a request."""
        spelled = f"\n\n{SPELLED}\n{json.dumps(inlined(schema))}" if self.spells or self.form >= Form.OBJECT else ""
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
        sent = inlined(schema) if self.form is Form.SCHEMA else without_text_limits(inlined(schema))
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": sent, "strict": True}}}

    def after(self, refusal: Refusal) -> "Dialect | None":
        """The dialect without what the server refuses."""
        match refusal.setting:
            case "max_tokens" if self.limit == "max_tokens":
                return replace(self, limit="max_completion_tokens")
            case "temperature" if "temperature" not in self.left_out:
                return replace(self, left_out=self.left_out | {"temperature"}, effort=self.effort or 1)
            case "reasoning_effort" if self.effort:
                return replace(self, effort=(self.effort + 1) % len(EFFORTS), left_out=self.left_out | {"temperature"})
            case "stream_options" if "stream_options" not in self.left_out:
                return replace(self, left_out=self.left_out | {"stream_options"})
        if refusal.is_about_form and self.form < Form.TEXT:
            return replace(self, form=Form(self.form + 1))
        return None

    def spelling(self) -> "Dialect":
        return replace(self, spells=True)


SPELLED = "Answer with one JSON object of this schema, and nothing else:"


@dataclass(frozen=True)
class OpenAiModel(StreamedModel[Dialect]):
    """LanguageModel on such a server; model: its name there."""

    client: OpenAI
    model: str
    learned: Learned[Dialect] = field(default_factory=lambda: Learned(Dialect()))

    @lazy
    def known(self) -> KnownFacts:
        """What the server says about the model."""
        return KnownFacts(self.client, self.model)

    def facts(self) -> ModelFacts:
        """What the server says about the model, and how it was asked last."""
        return replace(self.known(), takes_schema=self.learned.way.form < Form.OBJECT)

    def _ask(self, way: Dialect, prompt: Prompt, schema: Schema, seconds: float) -> Iterator[AnswerPiece]:
        asked = way.request(prompt, schema)
        create = self.client.with_options(timeout=seconds).chat.completions.create
        with openai_errors_as_ours(), create(model=self.model, stream=True, **asked) as chunks:
            yield from _pieces(chunks)


def open_client(url: str, key: str = "", token: Callable[[], str] | None = None) -> OpenAI:
    """A client without retries of its own. url: /v1 is added to one without a path.

    token: returns the identity token for Cloud Run, sent in a separate header:
    https://cloud.google.com/run/docs/authenticating/service-to-service"""
    logging.getLogger("openai").setLevel(logging.WARNING)  # at DEBUG it logs prompts with essays
    url = url if urlsplit(url).path.strip("/") else f"{url.rstrip('/')}/v1"
    return OpenAI(base_url=url, api_key=key or "none", max_retries=0, http_client=_with(token) if token else None)


def _with(token: Callable[[], str]) -> DefaultHttpxClient:
    def add(request: httpx2.Request) -> None:
        request.headers["X-Serverless-Authorization"] = f"Bearer {token()}"

    return DefaultHttpxClient(event_hooks={"request": [add]})


@contextmanager
def openai_errors_as_ours() -> Iterator[None]:
    """Turn errors of openai 3 into ours and Refusal; while streaming, httpx2 and the JSON parser raise as well."""
    try:
        yield
    except APIStatusError as error:
        retry_after = error.response.headers.get("Retry-After", "")
        raise refusal_in(error.status_code, error.body or error.message, retry_after) from error
    except (APITimeoutError, httpx2.TimeoutException) as error:  # the timeout is the deadline
        raise BadAnswer("llm_too_late") from error
    except APIConnectionError as error:
        raise LanguageModelUnavailable("llm_away", retry_after=0) from error
    except (APIError, httpx2.TransportError) as error:  # other APIErrors are in the stream itself
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0) from error
    except (OpenAIError, ValueError) as error:
        raise BadAnswer("llm_not_openai_protocol") from error


def _pieces(chunks: Iterable[ChatCompletionChunk]) -> Iterator[AnswerPiece]:
    ended, chunk = None, None
    for chunk in chunks:
        for choice in chunk.choices:
            if choice.delta.refusal:
                raise ModelRefused("llm_refused")
            if choice.delta.content:
                yield AnswerPiece(choice.delta.content)
            ended = choice.finish_reason or ended
        if chunk.usage:
            yield AnswerPiece("", Usage(chunk.usage.prompt_tokens, chunk.usage.completion_tokens))
    if chunk is None:  # a page of the web, or another protocol
        raise BadAnswer("llm_not_openai_protocol")
    _check(ended)
    if ended == "length":
        yield AnswerPiece("", cut=True)


def _check(ended: str | None) -> None:
    """Raise an error unless the answer has ended."""
    if ended is None:
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0)
    if ended == "content_filter":
        raise ModelRefused("llm_refused")
