"""Any server that speaks OpenAI's chat completions as the language model: vLLM, llama.cpp, OpenAI, a school's own.

https://platform.openai.com/docs/api-reference/chat"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, DefaultHttpxClient, OpenAI, OpenAIError
from openai.types.chat import ChatCompletionChunk

from chapterverse.core.errors import BadAnswer, LanguageModelUnavailable, ModelRefused
from chapterverse.core.lazy import lazy
from chapterverse.core.ports import AnswerPiece, ModelFacts, Prompt, Schema, Usage
from chapterverse.infrastructure.llm.server_facts import KnownFacts
from chapterverse.infrastructure.llm.streaming import StreamedModel, answers_status


@dataclass(frozen=True)
class OpenAiModel(StreamedModel):
    """LanguageModel on such a server; model: its name there."""

    client: OpenAI
    model: str

    @lazy
    def facts(self) -> Callable[[], ModelFacts]:
        """Returns what the server says about the model."""
        return KnownFacts(self.client, self.model)

    def _open(self, prompt: Prompt, schema: Schema | None, seconds: float) -> Iterator[AnswerPiece]:
        with (
            openai_errors_as_ours(),
            self.client.with_options(timeout=seconds).chat.completions.create(
                model=self.model,
                messages=[
                    {"role": "system", "content": prompt.instructions},
                    {"role": "user", "content": prompt.material},
                ],
                stream=True,
                stream_options={"include_usage": True},
                max_completion_tokens=prompt.max_tokens,
                temperature=prompt.temperature,
                **_in_form(schema),
            ) as chunks,
        ):
            yield from _pieces(chunks)


def open_client(url: str, key: str = "", token: Callable[[], str] | None = None) -> OpenAI:
    """A client without retries of its own. url: ends in /v1.

    token: returns the identity token for Cloud Run, sent in a separate header:
    https://cloud.google.com/run/docs/authenticating/service-to-service"""
    logging.getLogger("openai").setLevel(logging.WARNING)  # at DEBUG it logs prompts with essays
    return OpenAI(base_url=url, api_key=key or "none", max_retries=0, http_client=_with(token) if token else None)


def _with(token: Callable[[], str]) -> DefaultHttpxClient:
    def add(request: httpx2.Request) -> None:
        request.headers["X-Serverless-Authorization"] = f"Bearer {token()}"

    return DefaultHttpxClient(event_hooks={"request": [add]})


@contextmanager
def openai_errors_as_ours() -> Iterator[None]:
    """Turn errors of openai 3 into ours; while streaming, httpx2 and the JSON parser raise as well."""
    try:
        yield
    except APIStatusError as error:
        raise answers_status(error.status_code, error.response.headers.get("Retry-After", "")) from error
    except (APITimeoutError, httpx2.TimeoutException) as error:  # the timeout is the deadline
        raise BadAnswer("llm_too_late") from error
    except APIConnectionError as error:
        raise LanguageModelUnavailable("llm_away", retry_after=0) from error
    except (APIError, httpx2.TransportError) as error:  # other APIErrors are in the stream itself
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0) from error
    except (OpenAIError, ValueError) as error:
        raise BadAnswer("llm_not_openai_protocol") from error


def _in_form(schema: Schema | None) -> dict[str, Any]:
    if schema is None:
        return {}
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": True}}}


def _pieces(chunks: Iterable[ChatCompletionChunk]) -> Iterator[AnswerPiece]:
    ended = None
    for chunk in chunks:
        for choice in chunk.choices:
            if choice.delta.refusal:
                raise ModelRefused("llm_refused")
            if choice.delta.content:
                yield AnswerPiece(choice.delta.content)
            ended = choice.finish_reason or ended
        if chunk.usage:
            yield AnswerPiece("", Usage(chunk.usage.prompt_tokens, chunk.usage.completion_tokens))
    _check(ended)


def _check(ended: str | None) -> None:
    """Raise an error unless the answer is complete."""
    if ended is None:
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0)
    if ended == "content_filter":
        raise ModelRefused("llm_refused")
    if ended == "length":
        raise BadAnswer("llm_answer_too_long")
