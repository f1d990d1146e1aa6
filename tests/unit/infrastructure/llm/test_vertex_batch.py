"""Batch prediction by the real client, against a local server that speaks its protocol."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import LanguageModelUnavailable, ModelUnavailable
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, Usage
from tests.support.language_servers import ANSWER_TOKENS, PROMPT_TOKENS
from tests.support.vertex_jobs import Jobs, says, vertex_jobs

FOLDER = "school/batches/b/prediction/"
SCHEMA: Schema = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
PROMPTS = {f"000{n}-content": (Prompt("p-1", f"Instructions {n}.", f"“Essay” {n}."), SCHEMA) for n in (1, 2, 3)}


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with vertex_jobs(tmp_path) as running:
        yield running


def ended(jobs: Jobs, prompts: dict[str, tuple[Prompt, Schema]] = PROMPTS) -> Any:
    """The answers, once they are there."""
    predictor = jobs.predictor()
    job = predictor.ask(FOLDER, prompts)
    assert predictor.answers(FOLDER, job) is None
    return predictor.answers(FOLDER, job)


def test_each_prompt_is_asked_as_by_day_and_gets_its_own_answer_in_whatever_order_they_come(jobs: Jobs) -> None:
    jobs.respond = lambda asked: says({"said": asked["contents"][0]["parts"][0]["text"]})(asked)

    answers = ended(jobs)

    usage = Usage(PROMPT_TOKENS, ANSWER_TOKENS)
    assert answers == {id: ModelAnswer({"said": prompt.material}, usage) for id, (prompt, _) in PROMPTS.items()}
    first = jobs.asked[0]["request"]
    assert first["systemInstruction"]["parts"] == [{"text": "Instructions 1."}]
    assert first["contents"] == [{"role": "user", "parts": [{"text": "“Essay” 1."}]}]
    assert first["generationConfig"]["responseJsonSchema"] == {**SCHEMA, "additionalProperties": False}
    assert first["generationConfig"]["thinkingConfig"] == {"thinkingLevel": "MINIMAL"}


def test_the_same_folder_again_is_the_same_job(jobs: Jobs) -> None:
    predictor = jobs.predictor()

    assert predictor.ask(FOLDER, PROMPTS) == predictor.ask(FOLDER, PROMPTS)
    assert predictor.ask("another/", PROMPTS) != predictor.ask(FOLDER, PROMPTS)
    assert len(jobs.jobs) == 2


@pytest.mark.parametrize(
    "response",
    [
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"candidates": [{"content": {"parts": [{"text": '{"yes": tr'}]}, "finishReason": "MAX_TOKENS"}]},
        {"candidates": [{"content": {"parts": [{"text": "no JSON"}]}, "finishReason": "STOP"}]},
        {"candidates": [{"content": {"parts": [{"text": "[1]"}]}, "finishReason": "STOP"}]},
        {"candidates": []},
        {"candidates": "what?"},
        None,
    ],
)
def test_an_answer_that_cannot_be_used_is_left_out_and_the_others_are_there(jobs: Jobs, response: Any) -> None:
    jobs.respond = lambda asked: response if asked["labels"]["prompt"].startswith("0002") else says({"yes": True})(asked)

    assert set(ended(jobs)) == {"0001-content", "0003-content"}


@pytest.mark.parametrize("ends", ["JOB_STATE_FAILED", "JOB_STATE_CANCELLED", "JOB_STATE_EXPIRED"])
def test_a_job_that_fails_says_so_and_is_not_taken_up_again(jobs: Jobs, ends: str) -> None:
    jobs.ends = ends

    with pytest.raises(ModelUnavailable):
        ended(jobs)

    assert jobs.predictor().ask(FOLDER, PROMPTS) != next(iter(jobs.jobs))


def test_a_job_that_is_forgotten_is_stopped_and_one_that_is_gone_is_no_error(jobs: Jobs) -> None:
    predictor = jobs.predictor()
    job = predictor.ask(FOLDER, PROMPTS)

    predictor.forget(job)
    predictor.forget(f"{job}7")

    assert jobs.jobs[job]["state"] == "JOB_STATE_CANCELLED"


def test_a_service_that_is_away_is_to_be_asked_again(tmp_path: Path) -> None:
    with vertex_jobs(tmp_path) as jobs:
        predictor = jobs.predictor()

    with pytest.raises(LanguageModelUnavailable):
        predictor.ask(FOLDER, PROMPTS)
