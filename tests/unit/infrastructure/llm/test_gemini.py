import time
from pathlib import Path
from typing import Any

import pytest
from flask import request
from google.oauth2.credentials import Credentials

from chapterverse.core.errors import BucketUnavailable, LanguageModelUnavailable, ModelUnavailable
from chapterverse.core.ports import Prompt
from chapterverse.infrastructure.llm.gemini import GeminiModel, open_client
from chapterverse.infrastructure.storage.gcs import open_bucket
from tests.support.language_servers import Asked, Reply, language_server, says
from tests.support.refusals import refused

PROMPT = Prompt("a-prompt-1", "Answer in JSON.", "An essay.")
SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "maxLength": 9}}, "required": ["text"]}


def asked_of(model: str, *, least: str = "") -> list[dict[str, Any]]:
    """The configurations of two calls, each with its header; the server thinks at that level at least."""
    seen: list[dict[str, Any]] = []

    def reply(_: Asked) -> Reply:
        config = request.get_json()["generationConfig"]
        safety = request.get_json().get("safetySettings", [])
        seen.append(config | {"timeout": request.headers["X-Server-Timeout"], "safety": safety})
        is_refused = least and config.get("thinkingConfig", {}).get("thinking_level") == "MINIMAL"
        return Reply("Thinking level MINIMAL is not supported", status=400) if is_refused else says({"text": "yes"})

    with language_server() as server:
        server.reply = reply
        gemini = GeminiModel(open_client("project", "europe-west1", server.url, Credentials("fake")), model)
        for _ in range(2):
            gemini.generate(PROMPT, SCHEMA, time.monotonic() + 3)
    return seen


def test_a_model_thinks_as_little_as_it_can_in_its_time_and_refuses_what_is_probably_harmful() -> None:
    config = asked_of("gemini-3.5-flash-lite")[0]
    assert config["thinkingConfig"] == {"thinking_level": "MINIMAL"}
    assert "temperature" not in config
    assert config["timeout"] == "10"  # the least that the server accepts
    assert {each["threshold"] for each in config["safety"]} == {"BLOCK_ONLY_HIGH"}
    text = config["responseJsonSchema"]["properties"]["text"]
    assert text == {"type": "string", "description": "At most 9 characters."}

    config = asked_of("gemini-2.5-flash")[0]
    assert (config["thinkingConfig"], config["temperature"]) == ({"thinking_budget": 0}, pytest.approx(0.2))


def test_a_model_that_refuses_so_little_thinking_is_asked_for_a_little_more_from_then_on() -> None:
    levels = [each.get("thinkingConfig", {}).get("thinking_level") for each in asked_of("gemini-3.1-pro", least="LOW")]

    assert levels == ["MINIMAL", "LOW", "LOW"]


def test_a_proxy_that_is_away_is_not_taken_for_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    with refused(LanguageModelUnavailable, "llm_behind_proxy"):
        GeminiModel(open_client("p", "global", "", Credentials("fake")), "m").generate(PROMPT, SCHEMA, time.monotonic() + 3)


def test_a_machine_without_a_google_account_is_told_how_to_sign_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    with refused(ModelUnavailable, "google_no_account"):
        GeminiModel(open_client("project", "global"), "gemini-3.5-flash-lite").generate(PROMPT, SCHEMA, time.monotonic() + 3)
    with refused(BucketUnavailable, "google_no_account"):
        open_bucket("books")
