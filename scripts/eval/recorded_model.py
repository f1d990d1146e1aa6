"""A language model that answers from a record, so that the path with a managed model is measured, and measured again.

    python -m scripts.eval.recorded_model serve FOLDER [--port 8100]   # an OpenAI-compatible server on 127.0.0.1
    python -m scripts.eval.recorded_model collect FOLDER               # answers written by hand -> FOLDER/answers.jsonl
    python -m scripts.eval.recorded_model figures FOLDER               # calls and tokens since the last start

Use it with CHAPTERVERSE_LLM_MODEL=recorded CHAPTERVERSE_LLM_URL=http://127.0.0.1:8100/v1. An answer is found by a digest of
instructions, material and schema. An unknown prompt gets status 503 and is stored as FOLDER/unknown/DIGEST.json; the reader who
plays the model writes the answer alone, an object or text, to FOLDER/unknown/DIGEST.answer. Tokens are estimated: a quarter of
the characters."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.serving import make_server

from chapterverse.core.names import fingerprint

PIECE = 200  # characters of an answer in one event
CHARACTERS_A_TOKEN = 4


@dataclass
class Record:
    """The answers in a folder by the digest of their prompt."""

    folder: Path
    answers: dict[str, str] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._file.exists():
            rows = map(json.loads, self._file.read_text("utf-8").splitlines())
            self.answers = {row["digest"]: row["answer"] for row in rows}

    @property
    def _file(self) -> Path:
        return self.folder / "answers.jsonl"

    def answer(self, instructions: str, material: str, schema: object) -> str | None:
        """The recorded answer; None, and the prompt is stored, if there is none."""
        digest = fingerprint(instructions, material, json.dumps(schema, sort_keys=True), digits=32)
        with self._lock:
            found = self.answers.get(digest)
            tokens = (len(instructions) + len(material)) // CHARACTERS_A_TOKEN
            self._count(
                {
                    "digest": digest,
                    "known": found is not None,
                    "read": tokens,
                    "written": len(found or "") // CHARACTERS_A_TOKEN,
                }
            )
            if found is None:
                unknown = self.folder / "unknown"
                unknown.mkdir(exist_ok=True)
                prompt = {"instructions": instructions, "material": material, "schema": schema}
                (unknown / f"{digest}.json").write_text(json.dumps(prompt, ensure_ascii=False, indent=1), "utf-8")
        return found

    def _count(self, call: dict[str, object]) -> None:
        with (self.folder / "calls.jsonl").open("a", encoding="utf-8") as calls:
            calls.write(json.dumps(call) + "\n")

    def collect(self) -> int:
        """Move the answers written to unknown/ into the record; returns how many. Raises ValueError with the file of an answer
        that should be JSON and is not."""
        written = sorted((self.folder / "unknown").glob("*.answer"))
        for file in written:
            prompt, answer = json.loads(file.with_suffix(".json").read_text("utf-8")), file.read_text("utf-8").strip()
            if prompt["schema"]:
                try:
                    json.loads(answer)
                except ValueError as error:
                    raise ValueError(f"{file.name} is no JSON: {error}") from error
            self.answers[file.stem] = answer
        rows = ({"digest": digest, "answer": answer} for digest, answer in sorted(self.answers.items()))
        self._file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
        for file in written:
            file.with_suffix(".json").unlink()
            file.unlink()
        return len(written)

    def figures(self) -> str:
        """Calls, and the tokens read and written by those with an answer."""
        calls = [json.loads(line) for line in (self.folder / "calls.jsonl").read_text("utf-8").splitlines()]
        known = [call for call in calls if call["known"]]
        read, written = sum(call["read"] for call in known), sum(call["written"] for call in known)
        return f"{len(known)} calls answered, {len(calls) - len(known)} unknown; tokens read {read}, written {written}"


def application(record: Record) -> Flask:
    """The server: POST /v1/chat/completions, with or without a stream."""
    app = Flask(__name__)

    @app.post("/v1/chat/completions")
    def complete() -> Response | tuple[Response, int]:
        asked: dict[str, Any] = request.get_json()
        texts = {message["role"]: message["content"] for message in asked["messages"]}
        schema = asked.get("response_format", {}).get("json_schema", {}).get("schema")
        answer = record.answer(texts.get("system", ""), texts["user"], schema)
        if answer is None:
            return jsonify(error={"message": "This prompt has no recorded answer yet."}), 503
        read, written = sum(map(len, texts.values())) // CHARACTERS_A_TOKEN, len(answer) // CHARACTERS_A_TOKEN
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        head = {"id": "recorded", "created": 0, "model": asked["model"]}
        if asked.get("stream"):
            return Response(_events(head, answer, usage), mimetype="text/event-stream")
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
        return jsonify(**head, object="chat.completion", choices=[choice], usage=usage)

    return app


def _events(head: dict[str, object], answer: str, usage: dict[str, int]) -> Iterator[str]:
    """The answer as server-sent events of chat.completion.chunk."""

    def event(**parts: object) -> str:
        return f"data: {json.dumps({**head, 'object': 'chat.completion.chunk', **parts})}\n\n"

    for start in range(0, len(answer), PIECE):
        delta = {"role": "assistant", "content": answer[start : start + PIECE]}
        yield event(choices=[{"index": 0, "delta": delta, "finish_reason": None}])
    yield event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
    yield event(choices=[], usage=usage)
    yield "data: [DONE]\n\n"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("command", choices=["serve", "collect", "figures"])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--port", type=int, default=8100)
    given = arguments.parse_args()
    record = Record(given.folder)
    if given.command == "collect":
        print(f"{record.collect()} answers recorded, {len(record.answers)} in all")
    elif given.command == "figures":
        print(record.figures())
    else:
        (given.folder / "calls.jsonl").unlink(missing_ok=True)
        make_server("127.0.0.1", given.port, application(record), threaded=True).serve_forever()


if __name__ == "__main__":
    main()
