"""The client on recorded responses of a real server: llama.cpp's (xllamacpp 2026.10.11549, Qwen2.5-Coder-1.5B, Q4_K_M)."""

import json
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import DefaultHttpxClient, OpenAI

from chapterverse.core.errors import BadAnswer, BadRequest
from chapterverse.core.ports import ModelAnswer, Prompt, Usage
from chapterverse.infrastructure.llm.openai_compatible import Form, OpenAiModel

RECORDED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "fixtures/recorded/llama-cpp.json").read_text("utf-8"))
PROMPT = Prompt("animals-1", "Answer in JSON.", "Name two animals.")
SCHEMA = {
    "type": "object",
    "properties": {"animals": {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 2}},
    "required": ["animals"],
}
TWO = {"animals": ["Dog", "Cat"]}


def model(*names: str) -> OpenAiModel:
    """The client on a server that answers with these recordings one after the other."""
    left = list(names)

    def respond(_: httpx2.Request) -> httpx2.Response:
        each = RECORDED[left.pop(0)]
        return httpx2.Response(each["status"], text=each["body"], headers={"Content-Type": each["type"]})

    http = DefaultHttpxClient(transport=httpx2.MockTransport(respond))
    return OpenAiModel(OpenAI(base_url="http://server/v1", api_key="none", max_retries=0, http_client=http), "model.gguf")


def answer(of: OpenAiModel) -> ModelAnswer:
    return of.generate(PROMPT, SCHEMA, time.monotonic() + 20)


def test_an_answer_in_the_form_of_the_schema_and_one_without_a_form_in_a_code_block() -> None:
    assert answer(model("answer")) == ModelAnswer(TWO, Usage(21, 18))
    assert "```" in RECORDED["no form"]["body"]
    assert answer(model("no form")).value == TWO


@pytest.mark.parametrize(
    ("name", "id"),
    [("cut", "llm_answer_too_long"), ("max_completion_tokens", "llm_answer_too_long"), ("too long", "llm_context_too_small")],
)
def test_an_answer_that_reached_its_limit_before_the_first_item_and_a_prompt_beyond_the_context(name: str, id: str) -> None:
    with pytest.raises((BadAnswer, BadRequest)) as raised:
        answer(model(name))

    assert raised.value.id == id


@pytest.mark.parametrize("name", ["bad schema", "bad ref"])
def test_a_schema_that_the_server_refuses_is_left_out(name: str) -> None:
    server = model(name, "answer")

    assert answer(server).value == TWO
    assert server.way.form is Form.STRICT


def test_a_setting_that_it_refuses_is_left_out() -> None:
    server = model("bad temperature", "answer")

    assert answer(server).value == TWO
    assert "temperature" in server.way.left_out
