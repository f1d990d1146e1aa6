"""Vertex AI's batch prediction: many prompts in one job, for half the price, answered within hours.

https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-from-cloud-storage"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from google.genai import Client
from google.genai.types import BatchJob, CreateBatchJobConfig, GenerateContentResponse, JobState, ListBatchJobsConfig
from pydantic import ValidationError

from chapterverse.core.errors import ChapterverseError, ModelUnavailable, NotFound
from chapterverse.core.ports import Bucket, ModelAnswer, Prompt, Schema, Usage
from chapterverse.infrastructure.llm.gemini import config_of, gemini_errors_as_ours, pieces, way_of
from chapterverse.infrastructure.llm.streaming import object_in

INPUT, OUTPUT, ANSWERS = "prompts.jsonl", "answers", "predictions.jsonl"
LABEL = "prompt"  # of a request; returned with the answer, because answers come in any order
ENDED = {JobState.JOB_STATE_SUCCEEDED, JobState.JOB_STATE_PARTIALLY_SUCCEEDED}
FAILED = {JobState.JOB_STATE_FAILED, JobState.JOB_STATE_CANCELLED, JobState.JOB_STATE_EXPIRED}


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
        with gemini_errors_as_ours():
            job = self._begun(folder) or self.client.batches.create(
                model=self.model,
                src=f"{self.address}/{folder}{INPUT}",
                config=CreateBatchJobConfig(display_name=folder, dest=f"{self.address}/{folder}{OUTPUT}"),
            )
        return job.name or ""

    def answers(self, folder: str, job: str) -> dict[str, ModelAnswer] | None:
        """The usable answers by prompt id; None while the job runs."""
        with gemini_errors_as_ours():
            state = self.client.batches.get(name=job).state
        if state in FAILED:
            raise ModelUnavailable("prediction_failed")
        return dict(self._read(folder)) if state in ENDED else None

    def forget(self, job: str) -> None:
        """Stop the job if it still runs. Its files are deleted with the folder."""
        try:
            with gemini_errors_as_ours():
                self.client.batches.cancel(name=job)
        except ChapterverseError:
            return  # already ended or removed

    def _begun(self, folder: str) -> BatchJob | None:
        """A job of that name, if a process that was killed meanwhile began one."""
        listed: Iterable[BatchJob] = self.client.batches.list(config=ListBatchJobsConfig(filter=f'display_name="{folder}"'))
        return next((job for job in listed if job.display_name == folder and job.state not in FAILED), None)

    def _read(self, folder: str) -> Iterator[tuple[str, ModelAnswer]]:
        """Usable answers with the ids of their prompts."""
        for name in self.bucket.names(f"{folder}{OUTPUT}"):
            if name.endswith(ANSWERS):
                for line in self.bucket.read(name).splitlines():
                    yield from _answers_in(line)


def _request(id: str, prompt: Prompt, schema: Schema, model: str) -> dict[str, Any]:
    config = config_of(way_of(model), prompt, schema).model_dump(mode="json", by_alias=True, exclude_none=True)
    instructions, safety = config.pop("systemInstruction"), config.pop("safetySettings")
    whole = {
        "contents": [{"role": "user", "parts": [{"text": prompt.material}]}],
        "systemInstruction": {"parts": [{"text": instructions}]},
        "safetySettings": safety,
        "generationConfig": config,
        "labels": {LABEL: id},
    }
    return {"request": whole}


def _answers_in(line: bytes) -> Iterator[tuple[str, ModelAnswer]]:
    """The answer in a line; none for a prompt that was refused or failed or an answer that is no JSON object, which are then
    written without the batch job."""
    try:
        value = json.loads(line)
        id = value["request"]["labels"][LABEL]
        found = list(pieces([GenerateContentResponse.model_validate(value["response"])]))
        usage = sum((piece.usage for piece in found if piece.usage), Usage())
        yield id, ModelAnswer(object_in("".join(piece.text for piece in found)), usage)
    except (ValueError, KeyError, TypeError, ValidationError, NotFound, ChapterverseError):
        return
