"""Vertex AI's batch prediction on a thread of this process: its wire protocol, and a folder for its buckets."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, request
from google.oauth2.credentials import Credentials

from chapterverse.infrastructure.llm import gemini
from chapterverse.infrastructure.llm.gemini import VertexBatch
from chapterverse.infrastructure.storage.folder import FolderBucket
from tests.support.discovery import refused
from tests.support.language_servers import ANSWER_TOKENS, MODEL, PROMPT_TOKENS
from tests.support.serving import serving

JOBS = "/v1/projects/<project>/locations/<location>/batchPredictionJobs"
USAGE = {"promptTokenCount": PROMPT_TOKENS, "candidatesTokenCount": ANSWER_TOKENS}
Line = dict[str, Any]


def says(value: object) -> Callable[[Line], Line]:
    """Every prompt is answered so."""
    text = value if isinstance(value, str) else json.dumps(value)
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
    answer = {"candidates": [candidate], "usageMetadata": USAGE}
    assert refused("aiplatform.GenerateContentResponse", answer) == []
    return lambda _: answer


@dataclass
class Jobs:
    """looks: at a job, that find it under way. respond: what becomes of one request. Its bucket is a folder."""

    root: Path
    respond: Callable[[Line], Line] = field(default_factory=lambda: says({"comments": []}))
    looks: int = 1
    ends: str = "JOB_STATE_SUCCEEDED"
    jobs: dict[str, Line] = field(default_factory=dict)
    looked: dict[str, int] = field(default_factory=dict)
    asked: list[Line] = field(default_factory=list)
    url: str = ""

    @property
    def bucket(self) -> FolderBucket:
        return FolderBucket(self.root)

    def predictor(self) -> VertexBatch:
        """The real client of it."""
        client = gemini.open_client("project", "europe-west1", self.url, Credentials("fake"))
        return VertexBatch(client, MODEL, self.bucket, "gs://results")

    def begin(self, job: Line, parent: str) -> Line:
        name = f"{parent}/{len(self.jobs) + 1}"
        self.jobs[name] = {**job, "name": name, "state": "JOB_STATE_PENDING"}
        self.looked[name] = 0
        return self.jobs[name]

    def look(self, name: str) -> Line:
        job = self.jobs[name]
        self.looked[name] += 1
        if self.looked[name] > self.looks and job["state"] == "JOB_STATE_PENDING":
            job["state"] = self.ends
            self._write(job)
        return job

    def _write(self, job: Line) -> None:
        """The answers, backwards: nobody may rely on their order."""
        [source] = job["inputConfig"]["gcsSource"]["uris"]
        lines = [json.loads(line) for line in self.bucket.read(source.removeprefix("gs://results/")).splitlines()]
        self.asked += lines
        assert [refused("aiplatform.GenerateContentRequest", line["request"]) for line in lines] == [[]] * len(lines)
        out = [{"status": "", **line, "response": self.respond(line["request"])} for line in reversed(lines)]
        folder = job["outputConfig"]["gcsDestination"]["outputUriPrefix"].removeprefix("gs://results/")
        name = f"{folder}/prediction-model-2026-11-20T22:00:00Z/predictions.jsonl"
        self.bucket.write(name, "\n".join(map(json.dumps, out)).encode())


@contextmanager
def vertex_jobs(root: Path) -> Iterator[Jobs]:
    """Running until the block ends; root: the folder that is its bucket."""
    jobs = Jobs(root)
    with serving(_app(jobs)) as jobs.url:
        yield jobs


def _app(jobs: Jobs) -> Flask:
    app = Flask("vertex")

    @app.post(JOBS)
    def create(project: str, location: str) -> Response:
        if unknown := refused("aiplatform.BatchPredictionJob", request.get_json()):
            return Response(json.dumps({"error": {"code": 400, "message": unknown[0]}}), 400, content_type="application/json")
        return jsonify(jobs.begin(request.get_json(), request.path.removeprefix("/v1/")))

    @app.get(JOBS)
    def list_all(project: str, location: str) -> Response:
        name = request.args["filter"].removeprefix('display_name="').removesuffix('"')
        return jsonify(batchPredictionJobs=[job for job in jobs.jobs.values() if job["displayName"] == name])

    @app.after_request
    def says_what_google_would(answer: Response) -> Response:
        kind = "ListBatchPredictionJobsResponse" if request.endpoint == "list_all" else "BatchPredictionJob"
        assert answer.status_code != 200 or refused(f"aiplatform.{kind}", answer.get_json()) == []
        return answer

    @app.get(f"{JOBS}/<job>")
    def get(project: str, location: str, job: str) -> Response:
        return jsonify(jobs.look(request.path.removeprefix("/v1/")))

    @app.post(f"{JOBS}/<job>:cancel")
    def cancel(project: str, location: str, job: str) -> Response:
        jobs.jobs[request.path.removeprefix("/v1/").removesuffix(":cancel")]["state"] = "JOB_STATE_CANCELLED"
        return jsonify({})

    return app
