"""Gemini on Vertex AI as the language model, and its batch prediction: many prompts in one job, for half the price, answered
within hours.

https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-from-cloud-storage"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import httpx
from google.auth.credentials import Credentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from google.genai import Client, types
from google.genai.errors import APIError

from chapterverse.core import errors
from chapterverse.core.ports import AnswerPiece, Bucket, ModelAnswer, ModelFacts, Prompt, Schema, Usage
from chapterverse.infrastructure.llm import streaming

CONTEXT_TOKENS = 1_000_000
LEAST_SERVER_SECONDS = 10  # the API refuses a shorter deadline of its own
SAFETY = [  # essays are about wars and crimes, too; what we show is checked
    types.SafetySetting(
        category=types.HarmCategory(f"HARM_CATEGORY_{each}"), threshold=types.HarmBlockThreshold.BLOCK_ONLY_HIGH
    )
    for each in ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")
]


@dataclass(frozen=True)
class GeminiWay:
    """The requests that a model of Gemini takes: before 3 there is a budget of thoughts and a temperature, later a level.
    thinking: None for the model's own."""

    thinking: types.ThinkingConfig | None
    has_temperature: bool

    def after(self, refusal: streaming.Refusal) -> "GeminiWay | None":
        """More thinking, where the model refuses so little."""
        if refusal.setting != "thinking" or not self.thinking:
            return None
        more = types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW)
        return replace(self, thinking=more if self.thinking.thinking_level is types.ThinkingLevel.MINIMAL else None)

    def spelling(self) -> "GeminiWay":
        return self


def way_of(model: str) -> GeminiWay:
    """How the model is asked first, with as little thinking as it has: more takes too long."""
    if model.startswith(("gemini-1", "gemini-2")):
        return GeminiWay(types.ThinkingConfig(thinking_budget=0), has_temperature=True)
    return GeminiWay(types.ThinkingConfig(thinking_level=types.ThinkingLevel.MINIMAL), has_temperature=False)


def config_of(way: GeminiWay, prompt: Prompt, schema: Schema) -> types.GenerateContentConfig:
    return types.GenerateContentConfig(
        system_instruction=prompt.instructions,
        temperature=prompt.temperature if way.has_temperature else None,
        max_output_tokens=prompt.max_tokens,
        thinking_config=way.thinking,
        safety_settings=SAFETY,
        response_mime_type="application/json",
        response_json_schema=streaming.without_text_limits(streaming.inlined(schema)),
    )


class GeminiModel(streaming.StreamedModel[GeminiWay]):
    """LanguageModel on Gemini. It holds the client, because a stream breaks when its client is garbage-collected."""

    def __init__(self, client: Client, model: str, *, until_deadline: bool = False) -> None:
        self.client, self.model, self.way, self.until_deadline = client, model, way_of(model), until_deadline

    def facts(self) -> ModelFacts:
        """What the documentation says: every model reads at least so much, and the sizes are not published."""
        return ModelFacts(context_tokens=CONTEXT_TOKENS)

    def _ask(self, way: GeminiWay, prompt: Prompt, schema: Schema, seconds: float) -> Iterator[AnswerPiece]:
        server_seconds = max(ceil(seconds), LEAST_SERVER_SECONDS)
        headers = {"X-Server-Timeout": str(server_seconds)}  # the client would send its own timeout
        config = config_of(way, prompt, schema)
        config.http_options = types.HttpOptions(timeout=max(int(seconds * 1000), 1), headers=headers)
        with gemini_errors():
            yield from pieces(
                self.client.models.generate_content_stream(model=self.model, contents=prompt.material, config=config)
            )


def open_client(project: str, location: str, url: str = "", credentials: Credentials | None = None) -> Client:
    """A client without retries of its own. url: another address than Google's; credentials: the workload's own by default."""
    options = types.HttpOptions(base_url=url or None, api_version="v1")
    try:
        return Client(vertexai=True, project=project, location=location, credentials=credentials, http_options=options)
    except GoogleAuthError as error:
        raise errors.ModelUnavailable("google_no_account") from error


@contextmanager
def gemini_errors_as_ours() -> Iterator[None]:
    """Turn errors of google-genai 2 into ours."""
    try:
        with gemini_errors():
            yield
    except streaming.Refusal as refusal:
        raise refusal.error() from refusal


@contextmanager
def gemini_errors() -> Iterator[None]:
    """Turn errors of google-genai 2 into ours and Refusal; its transport is httpx."""
    try:
        yield
    except APIError as error:
        headers = getattr(error.response, "headers", None) or {}
        raise streaming.refusal_in(error.code, error.details, headers.get("Retry-After", "")) from error
    except GoogleAuthError as error:
        lacks_account = isinstance(error, DefaultCredentialsError)
        raise errors.ModelUnavailable("google_no_account" if lacks_account else "llm_no_google_token") from error
    except httpx.TimeoutException as error:  # the timeout is the deadline
        raise errors.BadAnswer("llm_too_late") from error
    except httpx.RequestError as error:
        raise streaming.disconnected(error, str(error.request.url)) from error
    except ValueError as error:  # a chunk that is no valid JSON
        raise errors.LanguageModelUnavailable("llm_broke_off", retry_after=0) from error


def pieces(chunks: Iterable[types.GenerateContentResponse]) -> Iterator[AnswerPiece]:
    """Pieces of an answer from its chunks. Raises ModelRefused, BadAnswer, LanguageModelUnavailable."""
    ended, usage = None, Usage()
    for chunk in chunks:
        if chunk.prompt_feedback and chunk.prompt_feedback.block_reason:
            raise errors.ModelRefused("llm_refused")
        for candidate in chunk.candidates or ():
            for part in (candidate.content and candidate.content.parts) or ():
                if part.text and not part.thought:
                    yield AnswerPiece(part.text)
            ended = candidate.finish_reason or ended
        if used := chunk.usage_metadata:  # thinking costs as much as answers
            written = (used.candidates_token_count or 0) + (used.thoughts_token_count or 0)
            usage = Usage(used.prompt_token_count or 0, written)
    if ended is None:
        raise errors.LanguageModelUnavailable("llm_broke_off", retry_after=0)
    if ended not in {types.FinishReason.STOP, types.FinishReason.MAX_TOKENS}:
        raise errors.ModelRefused("llm_refused")
    yield AnswerPiece("", usage, cut=ended is types.FinishReason.MAX_TOKENS)


INPUT, OUTPUT, ANSWERS = "prompts.jsonl", "answers", "predictions.jsonl"
LABEL = "prompt"  # of a request; returned with the answer, because answers come in any order
ENDED = {types.JobState.JOB_STATE_SUCCEEDED, types.JobState.JOB_STATE_PARTIALLY_SUCCEEDED}
FAILED = {types.JobState.JOB_STATE_FAILED, types.JobState.JOB_STATE_CANCELLED, types.JobState.JOB_STATE_EXPIRED}


@dataclass(frozen=True)
class VertexBatch:
    """A language model that answers many prompts in one job, within hours. bucket: that of `address` ("gs://results"), which
    Vertex AI reads prompts from and writes answers to. folder: of the job's files, ends with a slash.

    Raises as LanguageModel does, and ModelUnavailable for a failed job."""

    client: Client
    model: str
    bucket: Bucket
    address: str

    def ask(self, folder: str, prompts: Mapping[str, tuple[Prompt, Schema]]) -> str:
        """Begin a job with these prompts, each with the form of its answer; return its name. Prompt ids consist of digits,
        small letters and "-". The same folder again returns the same job."""
        lines = (json.dumps(_request(id, *each, self.model), ensure_ascii=False) for id, each in prompts.items())
        self.bucket.write(f"{folder}{INPUT}", "\n".join(lines).encode("utf-8", "replace"))
        listing = types.ListBatchJobsConfig(filter=f'display_name="{folder}"')
        with gemini_errors_as_ours():
            listed: Iterable[types.BatchJob] = self.client.batches.list(config=listing)
            begun = (job for job in listed if job.display_name == folder and job.state not in FAILED)
            job = next(begun, None) or self.client.batches.create(  # begun by a process that was killed meanwhile
                model=self.model,
                src=f"{self.address}/{folder}{INPUT}",
                config=types.CreateBatchJobConfig(display_name=folder, dest=f"{self.address}/{folder}{OUTPUT}"),
            )
        return job.name or ""

    def answers(self, folder: str, job: str) -> dict[str, ModelAnswer] | None:
        """The usable answers by prompt id; None while the job runs."""
        with gemini_errors_as_ours():
            state = self.client.batches.get(name=job).state
        if state in FAILED:
            raise errors.ModelUnavailable("prediction_failed")
        if state not in ENDED:
            return None
        files = (name for name in self.bucket.names(f"{folder}{OUTPUT}") if name.endswith(ANSWERS))
        return dict(found for name in files for line in self.bucket.read(name).splitlines() for found in _answers_in(line))

    def forget(self, job: str) -> None:
        """Stop the job if it still runs. Its files are deleted with the folder."""
        with suppress(errors.ChapterverseError), gemini_errors_as_ours():  # already ended or removed
            self.client.batches.cancel(name=job)


def _request(id: str, prompt: Prompt, schema: Schema, model: str) -> dict[str, Any]:
    config = config_of(way_of(model), prompt, schema).model_dump(mode="json", by_alias=True, exclude_none=True)
    instructions, safety = config.pop("systemInstruction"), config.pop("safetySettings")
    return {
        "request": {
            "contents": [{"role": "user", "parts": [{"text": prompt.material}]}],
            "systemInstruction": {"parts": [{"text": instructions}]},
            "safetySettings": safety,
            "generationConfig": config,
            "labels": {LABEL: id},
        }
    }


def _answers_in(line: bytes) -> Iterator[tuple[str, ModelAnswer]]:
    """The answer in a line; none for a prompt that was refused or failed or an answer that is no JSON object, which are then
    written without the batch job."""
    with suppress(ValueError, KeyError, TypeError, errors.ChapterverseError):
        value = json.loads(line)
        id = value["request"]["labels"][LABEL]
        found = list(pieces([types.GenerateContentResponse.model_validate(value["response"])]))
        usage = sum((piece.usage for piece in found if piece.usage), Usage())
        yield id, ModelAnswer(streaming.object_in("".join(piece.text for piece in found)), usage)
