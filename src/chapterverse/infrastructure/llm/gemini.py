"""Gemini on Vertex AI as the language model.

https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil

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
    HarmBlockThreshold,
    HarmCategory,
    HttpOptions,
    SafetySetting,
    ThinkingConfig,
    ThinkingLevel,
)

from chapterverse.core.errors import BadAnswer, LanguageModelUnavailable, ModelRefused, ModelUnavailable
from chapterverse.core.ports import AnswerPiece, ModelFacts, Prompt, Schema, Usage
from chapterverse.core.recent import lazy
from chapterverse.infrastructure.llm.forms import inlined, without_text_limits
from chapterverse.infrastructure.llm.refusals import Refusal, refusal_in
from chapterverse.infrastructure.llm.streaming import Learned, StreamedModel

CONTEXT_TOKENS = 1_000_000
LEAST_SERVER_SECONDS = 10  # the API refuses a shorter deadline of its own
SAFETY = [  # essays are about wars and crimes, too; what we show is checked
    SafetySetting(category=each, threshold=HarmBlockThreshold.BLOCK_ONLY_HIGH)
    for each in (
        HarmCategory.HARM_CATEGORY_HARASSMENT,
        HarmCategory.HARM_CATEGORY_HATE_SPEECH,
        HarmCategory.HARM_CATEGORY_SEXUALLY_EXPLICIT,
        HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT,
    )
]


@dataclass(frozen=True)
class GeminiWay:
    """The requests that a model of Gemini takes: before 3 there is a budget of thoughts and a temperature, later a level.
    thinking: None for the model's own."""

    thinking: ThinkingConfig | None
    has_temperature: bool

    def after(self, refusal: Refusal) -> "GeminiWay | None":
        """More thinking, where the model refuses so little."""
        if refusal.setting != "thinking" or not self.thinking:
            return None
        more = ThinkingConfig(thinking_level=ThinkingLevel.LOW)
        return replace(self, thinking=more if self.thinking.thinking_level is ThinkingLevel.MINIMAL else None)

    def spelling(self) -> "GeminiWay":
        return self


def way_of(model: str) -> GeminiWay:
    """How the model is asked first, with as little thinking as it has: more takes too long."""
    if model.startswith(("gemini-1", "gemini-2")):
        return GeminiWay(ThinkingConfig(thinking_budget=0), has_temperature=True)
    return GeminiWay(ThinkingConfig(thinking_level=ThinkingLevel.MINIMAL), has_temperature=False)


def config_of(way: GeminiWay, prompt: Prompt, schema: Schema) -> GenerateContentConfig:
    """The configuration of a request."""
    return GenerateContentConfig(
        system_instruction=prompt.instructions,
        temperature=prompt.temperature if way.has_temperature else None,
        max_output_tokens=prompt.max_tokens,
        thinking_config=way.thinking,
        safety_settings=SAFETY,
        response_mime_type="application/json",
        response_json_schema=without_text_limits(inlined(schema)),
    )


@dataclass(frozen=True)
class GeminiModel(StreamedModel[GeminiWay]):
    """LanguageModel on Gemini. It holds the client, because a stream breaks when its client is garbage-collected."""

    client: Client
    model: str

    @lazy
    def learned(self) -> Learned[GeminiWay]:
        """How this model is asked."""
        return Learned(way_of(self.model))

    def facts(self) -> ModelFacts:
        """What the documentation says: every model reads at least so much, and the sizes are not published."""
        return ModelFacts(context_tokens=CONTEXT_TOKENS)

    def _ask(self, way: GeminiWay, prompt: Prompt, schema: Schema, seconds: float) -> Iterator[AnswerPiece]:
        server_seconds = max(ceil(seconds), LEAST_SERVER_SECONDS)
        headers = {"X-Server-Timeout": str(server_seconds)}  # the client would send its own timeout
        config = config_of(way, prompt, schema)
        config.http_options = HttpOptions(timeout=max(int(seconds * 1000), 1), headers=headers)
        with gemini_errors():
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
    """Turn errors of google-genai 2 into ours."""
    try:
        with gemini_errors():
            yield
    except Refusal as refusal:
        raise refusal.error() from refusal


@contextmanager
def gemini_errors() -> Iterator[None]:
    """Turn errors of google-genai 2 into ours and Refusal; its transport is httpx."""
    try:
        yield
    except APIError as error:
        headers = getattr(error.response, "headers", None) or {}
        raise refusal_in(error.code, error.details, headers.get("Retry-After", "")) from error
    except GoogleAuthError as error:
        raise ModelUnavailable("llm_no_google_token") from error
    except httpx.TimeoutException as error:  # the timeout is the deadline
        raise BadAnswer("llm_too_late") from error
    except httpx.TransportError as error:
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0) from error
    except ValueError as error:  # a chunk that is no valid JSON
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0) from error


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
    yield AnswerPiece("", usage, cut=ended is FinishReason.MAX_TOKENS)


def _usage(usage: GenerateContentResponseUsageMetadata) -> Usage:
    """Usage of a call; thinking costs as much as answers."""
    return Usage(usage.prompt_token_count or 0, (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0))


def _check(ended: FinishReason | None) -> None:
    """Raise an error unless the answer has ended."""
    if ended is None:
        raise LanguageModelUnavailable("llm_broke_off", retry_after=0)
    if ended not in {FinishReason.STOP, FinishReason.MAX_TOKENS}:
        raise ModelRefused("llm_refused")
