"""What of containers/llm can be tried without a GPU: the start script before a program called vllm, and the paths it serves."""

import asyncio
import importlib.util
import os
import re
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

FOLDER = Path(__file__).parents[2] / "containers" / "llm"
MODEL = "Some/Model"


@pytest.fixture(scope="module")
def paths() -> ModuleType:
    """The middleware as vLLM loads it: a module by its name alone."""
    spec = importlib.util.spec_from_file_location("only_these", FOLDER / "only_these.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A volume with a model in it."""
    (tmp_path / "models" / MODEL).mkdir(parents=True)
    (tmp_path / "models" / MODEL / "config.json").touch()
    return tmp_path / "models"


def start(models: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """The script, with a `vllm` that says how it was called."""
    program = models.parent / "vllm"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', "utf-8")
    program.chmod(0o755)
    image = dict(re.findall(r"^\s*(?:ENV )?(MAX_\w+|PORT)=(\w+)", (FOLDER / "Dockerfile").read_text("utf-8"), re.MULTILINE))
    environment = {"PATH": f"{models.parent}:{os.environ['PATH']}", "MODELS": str(models), "MODEL": MODEL, **image, **variables}
    command = ["sh", str(FOLDER / "start.sh"), "--quantization", "fp8"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


async def app(scope: Any, _receive: Any, send: Any) -> None:
    """What vLLM would say."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["path"].encode()})


async def status(paths: ModuleType, method: str, path: str) -> int:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(paths.OnlyThese(app)), base_url="http://llm") as client:
        return (await client.request(method, path)).status_code


@pytest.mark.parametrize(
    ("variables", "said"),
    [({}, "VLLM_API_KEY"), ({"VLLM_API_KEY": "secret", "MODEL": "Another/Model"}, "Another/Model")],
    ids=["key", "weights"],
)
def test_without_a_key_or_weights_nothing_starts(models: Path, variables: dict[str, str], said: str) -> None:
    ended = start(models, **variables)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert said in ended.stderr


def test_it_serves_the_model_under_its_name_and_logs_no_request(models: Path) -> None:
    words = start(models, VLLM_API_KEY="secret").stdout.splitlines()

    assert words[:4] == ["serve", f"{models}/{MODEL}", "--served-model-name", MODEL]
    assert {"--no-enable-log-requests", "--disable-uvicorn-access-log", "--disable-fastapi-docs"} <= set(words)
    assert words[words.index("--middleware") + 1] == "only_these.OnlyThese"
    assert words[-2:] == ["--quantization", "fp8"]
    assert "secret" not in words


@pytest.mark.parametrize(
    ("method", "path", "answer"),
    [
        ("GET", "/health", 200),
        ("POST", "/v1/chat/completions", 200),
        ("POST", "/v1/completions", 200),
        ("POST", "/invocations", 404),
        ("POST", "/pause", 404),
        ("GET", "/metrics", 404),
        ("GET", "/v1/chat/completions", 404),
        ("POST", "/v1/load_lora_adapter", 404),
        ("POST", "//v1/completions", 404),
    ],
)
def test_only_what_chapterverse_asks_is_there(paths: ModuleType, method: str, path: str, answer: int) -> None:
    assert asyncio.run(status(paths, method, path)) == answer


def test_a_web_socket_is_closed_at_once(paths: ModuleType) -> None:
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    asyncio.run(paths.OnlyThese(app)({"type": "websocket", "path": "/v1/realtime"}, None, send))

    assert said == [{"type": "websocket.close", "code": 1000}]
