"""A recorded answer is given again, word for word; an unknown prompt is stored and refused, and answered once it is written."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest
from werkzeug.serving import make_server

from chapterverse.core.errors import LanguageModelUnavailable
from chapterverse.core.ports import Prompt
from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client
from scripts.eval.recorded_model import Record, application

PATIENCE = 60.0  # seconds: a busy machine
PROMPT = Prompt("claims-1", "Name the claim.", "Dogs share there food.")
SCHEMA = {"type": "object", "properties": {"claim": {"type": "string"}}, "required": ["claim"], "additionalProperties": False}


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "record")


@pytest.fixture
def model(record: Record) -> Iterator[OpenAiModel]:
    server = make_server("127.0.0.1", 0, application(record), threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    yield OpenAiModel(open_client(f"http://127.0.0.1:{server.server_port}/v1"), "recorded")
    server.shutdown()


def test_an_unknown_prompt_is_refused_stored_and_answered_once_the_answer_is_written(
    record: Record, model: OpenAiModel
) -> None:
    with pytest.raises(LanguageModelUnavailable):
        model.generate(PROMPT, SCHEMA, monotonic() + PATIENCE)

    [unknown] = (record.folder / "unknown").glob("*.json")
    assert json.loads(unknown.read_text("utf-8"))["material"] == PROMPT.material
    unknown.with_suffix(".answer").write_text(json.dumps({"claim": "Dogs share. " * 50}), "utf-8")
    assert record.collect() == 1
    answer = model.generate(PROMPT, SCHEMA, monotonic() + PATIENCE)
    assert answer.value == {"claim": "Dogs share. " * 50}
    assert answer.usage.answer_tokens > 100
    assert Record(record.folder).answers == record.answers
    assert "1 calls answered" in record.figures()


def test_an_answer_that_is_no_json_is_named(record: Record) -> None:
    assert record.answer("a", "b", SCHEMA) is None
    [unknown] = (record.folder / "unknown").glob("*.json")
    unknown.with_suffix(".answer").write_text("Dogs share.", "utf-8")

    with pytest.raises(ValueError, match=unknown.stem):
        record.collect()
    assert unknown.exists()
