"""Gemini on Vertex AI as the language model.

https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from google.auth.credentials import Credentials
from google.auth.exceptions import GoogleAuthError
from google.genai import Client
from google.genai.errors import APIError
from google.genai.types import (
    FinishReason,
    GenerateContentConfig,
    GenerateContentResponse,
    GenerateContentResponseUsageMetadata,
    HttpOptions,
    ThinkingConfig,
)

from chapterverse.core.errors import BadAnswer, LanguageModelUnavailable, ModelRefused, ModelUnavailable
from chapterverse.core.ports import AnswerPiece, ModelFacts, Prompt, Schema, Usage
from chapterverse.infrastructure.llm.streaming import StreamedModel, answers_status

CONTEXT_TOKENS = 1_000_000


@dataclass(frozen=True)
class GeminiModel(StreamedModel):
    """LanguageModel on Gemini. It holds the client, because a stream breaks when its client is garbage-collected."""

    client: Client
    model: str

    def facts(self) -> ModelFacts:
        """What the documentation says: every model reads at least so much, and the sizes are not published."""
        return ModelFacts(context_tokens=CONTEXT_TOKENS)

    def _open(self, prompt: Prompt, schema: Schema | None, seconds: float) -> Iterator[AnswerPiece]:
        config = GenerateContentConfig(
            system_instruction=prompt.instructions,
            temperature=prompt.temperature,
            max_output_tokens=prompt.max_tokens,
            thinking_config=ThinkingConfig(thinking_budget=0),  # thinking takes too long
            http_options=HttpOptions(timeout=max(int(seconds * 1000), 1)),
            **_in_form(schema),
        )
        with gemini_errors_as_ours():
            yield from pieces(
                self.client.models.generate_content_stream(model=self.model, contents=prompt.material, config=config)
            )


def open_client(project: str, location: str, url: str = "", credentials: Credentials | None = None) -> Client:
    """A client without retries of its own. url: another address than Google's; credentials: the workload's own by default."""
    options = HttpOptions(base_url=url or None, api_version="v1")
    try:
        return Client(vertexai=True, project=project, location=location, credentials=credentials, http_options=options)
    except GoogleAuthError as error:
        raise ModelUnavailable("llm_no_google_account") from error


@contextmanager
def gemini_errors_as_ours() -> Iterator[None]:
    """Turn errors of google-genai 2 into ours; its transport is httpx."""
    try:
        yield
    except APIError as error:
        headers = getattr(error.response, "headers", None) or {}
        raise answers_status(error.code, headers.get("Retry-After", "")) from error
    except GoogleAuthError as error:
        raise ModelUnavailable("llm_no_google_token") from error
    except httpx.TimeoutException as error:  # the timeout is the deadline
        raise BadAnswer("llm_too_late") from error
    except httpx.TransportError as error:
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0) from error
    except ValueError as error:  # a chunk that is no valid JSON
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0) from error


def _in_form(schema: Schema | None) -> dict[str, Any]:
    return {"response_mime_type": "application/json", "response_json_schema": dict(schema)} if schema else {}


def pieces(chunks: Iterable[GenerateContentResponse]) -> Iterator[AnswerPiece]:
    """Pieces of an answer from its chunks. Raises ModelRefused, BadAnswer, LanguageModelUnavailable."""
    ended, usage = None, Usage()
    for chunk in chunks:
        if chunk.prompt_feedback and chunk.prompt_feedback.block_reason:
            raise ModelRefused("llm_refused")
        for candidate in chunk.candidates or ():
            for part in (candidate.content and candidate.content.parts) or ():
                if part.text and not part.thought:
                    yield AnswerPiece(part.text)
            ended = candidate.finish_reason or ended
        usage = _usage(chunk.usage_metadata) if chunk.usage_metadata else usage
    _check(ended)
    yield AnswerPiece("", usage)


def _usage(usage: GenerateContentResponseUsageMetadata) -> Usage:
    """Usage of a call; thinking costs as much as answers."""
    return Usage(usage.prompt_token_count or 0, (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0))


def _check(ended: FinishReason | None) -> None:
    """Raise an error unless the answer is complete."""
    if ended is None:
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0)
    if ended is FinishReason.MAX_TOKENS:
        raise BadAnswer("llm_answer_too_long")
    if ended is not FinishReason.STOP:
        raise ModelRefused("llm_refused")
