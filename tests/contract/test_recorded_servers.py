"""The client on recorded responses of real servers, both with Qwen2.5-Coder-1.5B, Q4_K_M: llama.cpp's own (xllamacpp
2026.10.11549) and that of llama-cpp-python 0.3.36, which has no JSON schemas and counts no tokens in a stream."""

import json
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import DefaultHttpxClient, OpenAI

from chapterverse.core.errors import ChapterverseError
from chapterverse.core.ports import ModelAnswer, Prompt, Usage
from chapterverse.infrastructure.llm.openai_compatible import Form, OpenAiModel

FILES = (Path(__file__).parents[1] / "fixtures/recorded").glob("*.json")
RECORDED: dict[str, Any] = {each.stem: json.loads(each.read_text("utf-8")) for each in FILES}

PROMPT = Prompt("animals-1", "Answer in JSON.", "Name two animals.")
SCHEMA = {
    "type": "object",
    "properties": {"animals": {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 2}},
    "required": ["animals"],
}


def model(server: str, *names: str) -> OpenAiModel:
    """The client on a server that answers with these recordings one after the other."""
    left = list(names)

    def respond(_: httpx2.Request) -> httpx2.Response:
        each = RECORDED[server][left.pop(0)]
        return httpx2.Response(each["status"], text=each["body"], headers={"Content-Type": each["type"]})

    http = DefaultHttpxClient(transport=httpx2.MockTransport(respond))
    return OpenAiModel(OpenAI(base_url="http://server/v1", api_key="none", max_retries=0, http_client=http), "model.gguf")


def answer(of: OpenAiModel) -> ModelAnswer:
    return of.generate(PROMPT, SCHEMA, time.monotonic() + 20)


def animals(of: OpenAiModel) -> str:
    return " and ".join(sorted(map(str, answer(of).value["animals"]))).lower()


@pytest.mark.parametrize(("server", "usage"), [("llama-cpp", Usage(21, 18)), ("llama-cpp-python", Usage())])
def test_an_answer_in_the_form_asked_for_and_one_without_a_form_in_a_code_block(server: str, usage: Usage) -> None:
    assert answer(model(server, "answer")).usage == usage
    assert animals(model(server, "answer")) == "cat and dog"
    assert "```" in RECORDED[server]["no form"]["body"]
    assert animals(model(server, "no form")) == "cat and dog"


@pytest.mark.parametrize(
    ("server", "name", "id"),
    [
        ("llama-cpp", "cut", "llm_answer_too_long"),
        ("llama-cpp", "max_completion_tokens", "llm_answer_too_long"),
        ("llama-cpp", "too long", "llm_context_too_small"),
        ("llama-cpp-python", "cut", "llm_answer_too_long"),
        ("llama-cpp-python", "wrong model", "llm_answer_too_long"),  # it answers with the one that it has
        ("llama-cpp-python", "too long", "llm_broke_off"),  # an empty answer: only its log has the reason
        ("llama-cpp-python", "bad temperature", "llm_status"),
    ],
)
def test_of_what_gives_no_answer_is_said_why(server: str, name: str, id: str) -> None:
    with pytest.raises(ChapterverseError) as raised:
        answer(model(server, name, name, name))

    assert raised.value.id == id


@pytest.mark.parametrize(
    ("server", "refusals", "form"),
    [
        ("llama-cpp", ["bad schema"], Form.STRICT),
        ("llama-cpp", ["bad ref"], Form.STRICT),
        ("llama-cpp-python", ["no schema", "no schema"], Form.OBJECT),
    ],
)
def test_a_schema_that_the_server_refuses_is_left_out(server: str, refusals: list[str], form: Form) -> None:
    asked = model(server, *refusals, "answer")

    assert animals(asked) == "cat and dog"
    assert asked.way.form is form
