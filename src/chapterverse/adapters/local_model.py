"""A small language model in this process as the language model, by llama.cpp: no server, no key, nothing to pay.

https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md says what a request and its events are."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from chapterverse.adapters.gguf_files import find_gguf
from chapterverse.adapters.llama_server import open_llama
from chapterverse.adapters.model_answers import answers_status
from chapterverse.adapters.streamed_model import Hear, JsonModel, until
from chapterverse.errors import BadAnswer, ChapterverseError
from chapterverse.language import Piece, Prompt, Schema, Usage

CONTEXT = 8192  # tokens of prompt and answer, the most that SmolLM2 was made for; each takes 23 KB of memory

_MARKS = re.compile(r"[<\[](?=\S)")  # how the signs begin that part a prompt for a model: "<|im_end|>", "</s>", "[INST]"


@dataclass(frozen=True)
class LocalModel(JsonModel):
    """LanguageModel on xllamacpp's Server. turn: one answer at a time, because two at once would both be late."""

    server: Any
    model: str
    turn: Lock = field(default_factory=Lock)

    def stream(self, prompt: Prompt, deadline: float, schema: Schema | None = None) -> Iterator[Piece]:
        return until(deadline, partial(self._say, _request(prompt, schema), deadline), daemon=False)

    def _say(self, request: dict[str, Any], deadline: float, hear: Hear) -> None:
        """On a thread that Python waits for at its end: one that is still inside the library then would crash it."""
        answer = _Answer(hear, deadline)
        if not self.turn.acquire(timeout=max(deadline - monotonic(), 0)):
            raise BadAnswer("llm_too_late")
        try:
            self.server.handle_chat_completions(request, answer)
        finally:
            self.turn.release()
        answer.check()


def open_model(name: str) -> LocalModel:
    """The model of a .gguf file, or SmolLM2-135M where name is empty; loaded when this returns. Raises ModelUnavailable."""
    path = find_gguf(name)
    return LocalModel(open_llama(path, CONTEXT), path.stem)


@dataclass
class _Answer:
    """Is told the events of one answer, and tells whether to stop: an error raised here would be lost."""

    hear: Hear
    deadline: float
    ended: str | None = None
    failed: ChapterverseError | None = None

    def __call__(self, event: Mapping[str, Any]) -> bool:
        if error := event.get("error"):
            self.failed = answers_status(error.get("code", 500))
        elif monotonic() >= self.deadline:
            self.failed = BadAnswer("llm_too_late")
        return self.failed is not None or not self.hear(self._piece(event))

    def _piece(self, event: Mapping[str, Any]) -> Piece:
        """Empty where only some more of the prompt was read: who has left is noticed then, too."""
        text = ""
        for choice in event["choices"]:
            text += choice["delta"].get("content") or ""
            self.ended = choice["finish_reason"] or self.ended
        told = event.get("usage")
        return Piece(text, Usage(told["prompt_tokens"], told["completion_tokens"]) if told else None)

    def check(self) -> None:
        """Whether the answer came to its own end. Raises as the port says."""
        if self.failed:
            raise self.failed
        if self.ended != "stop":
            raise BadAnswer("llm_answer_too_long" if self.ended == "length" else "llm_broke_off")


def _request(prompt: Prompt, schema: Schema | None) -> dict[str, Any]:
    """Of progress it is told because nothing else is said, and so nothing could be stopped, while a prompt is read."""
    request = {
        "messages": [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": _MARKS.sub(r"\g<0> ", prompt.material)},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
        "max_tokens": prompt.most_tokens,
        "temperature": prompt.temperature,
    }
    if schema is not None:
        request["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}
    return request
