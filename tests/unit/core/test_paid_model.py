import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import BadAnswer
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelFacts, Prompt, Schema
from chapterverse.infrastructure.quotas import SqlLedger
from tests.support.language_servers import Reply, language_server, says


def paid(facts: ModelFacts) -> PaidModel:
    unused: Any = None
    return PaidModel(unused, unused, facts=lambda: facts)


def with_items(items: Sequence[str]) -> Prompt:
    return Prompt("p-1", "i" * 300, "".join(items), max_tokens=100)


def test_a_small_model_does_not_write_and_as_many_items_as_fit_its_context_stay_in_the_prompt() -> None:
    for billions, writes in ((None, True), (1.78, False), (3.2, False), (3.9, True), (26.0, True)):
        assert paid(ModelFacts(billions=billions)).writes is writes
    prompt, kept = paid(ModelFacts(context_tokens=400)).fitted(with_items, ["a" * 300, "b" * 200, "c" * 200, "d"])

    assert list(kept) == ["a" * 300, "b" * 200]
    assert prompt == with_items(kept)
    assert paid(ModelFacts(context_tokens=400)).room(with_items([])) == 200
    assert paid(ModelFacts(context_tokens=150)).room(with_items([])) == -50


def asked(reply: Reply, facts: ModelFacts, prompt: Prompt, home: Path, schema: Schema | None = None) -> None:
    with language_server(reply) as server:
        ledger = SqlLedger(f"sqlite:///{home}/ledger.db")
        PaidModel(server.openai(), ledger, facts=lambda: facts).answer("school", prompt, schema or {}, time.monotonic() + 20)


def test_a_prompt_that_the_server_has_cut_in_silence_is_no_answer(tmp_path: Path) -> None:
    long = Prompt("p-1", "Answer.", "word " * 3000)

    with pytest.raises(BadAnswer, match="context"):
        asked(says({}), ModelFacts(context_tokens=2048), long, tmp_path)
    asked(says({}), ModelFacts(context_tokens=32_768), long, tmp_path)


def test_another_model_reads_a_second_time_if_one_is_named(tmp_path: Path) -> None:
    with language_server(says({"by": "writer"})) as writer, language_server(says({"by": "checker"})) as checker:
        both = PaidModel(writer.openai(), SqlLedger(f"sqlite:///{tmp_path}/ledger.db"), checker=checker.openai())
        prompts = [Prompt(name, "Answer.", "Yes?") for name in ("essay-comments-2", "check-comments-2")]
        answers = [both.answer("school", prompt, {}, time.monotonic() + 20).value for prompt in prompts]

    assert answers == [{"by": "writer"}, {"by": "checker"}]


def test_why_an_answer_is_not_usable_is_logged_without_its_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}

    with pytest.raises(BadAnswer):
        asked(says({"age": "my grandmother"}), ModelFacts(), Prompt("p-1", "Answer.", "Yes?"), tmp_path, schema)

    [line] = [vars(each) for each in caplog.records if "prompt" in vars(each)]
    assert (line["prompt"], line["why"], line["problem"]) == ("p-1", "llm_answer_not_schema", "age")
    assert "grandmother" not in str(line)
