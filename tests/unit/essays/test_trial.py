"""The trial of a language model says what works and what to do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelFacts
from chapterverse.essays.writing.trial import try_model
from chapterverse.infrastructure.quotas import SqlLedger
from tests.support.language_servers import Reply, language_server, says

COMMENT = {"paragraph": 1, "words": "Homework should be shorter.", "part": "content", "kind": "question", "evidence": []}
COMMENT |= {"see": [], "criterion": 0, "comment": "How much shorter? You could say what you would do with the hour."}
GOOD = {"comments": [COMMENT], "summary": "Your point is plain."}
Try = Callable[..., Any]


@pytest.fixture
def trial(tmp_path: Path) -> Try:
    """Tries a model that answers so, with these facts about it."""

    def tried(reply: Reply, facts: ModelFacts | None = None, seconds: float = 30) -> Any:
        with language_server(reply) as server:
            paid = PaidModel(server.openai(), SqlLedger(f"sqlite:///{tmp_path}/ledger.db"), ceiling=10**9)
            return try_model(replace(paid, facts=lambda: facts) if facts else paid, "school", seconds)

    return tried


def ids(trial: Any) -> list[str]:
    return [remark.id for remark in trial.remarks]


@pytest.mark.parametrize(
    ("reply", "facts", "works", "remark"),
    [
        (says({**GOOD, "comments": []}), ModelFacts(), False, "model_says_nothing"),
        (Reply('{"comments": [', ended="length"), ModelFacts(), False, "llm_answer_too_long"),
        *((Reply(status=status), ModelFacts(others=("A-Model",)), False, "llm_no_such_model") for status in (400, 404)),
        (says(GOOD), ModelFacts(takes_schema=False), True, "model_takes_no_schema"),
        (says(GOOD), ModelFacts(billions=1.5), True, "model_chooses_only"),
        (says(GOOD), ModelFacts(context_tokens=2048), True, "model_context_small"),
    ],
)
def test_what_does_not_work_is_said(trial: Try, reply: Reply, facts: ModelFacts, works: bool, remark: str) -> None:
    found = trial(reply, facts)

    assert (found.works, ids(found)[0]) == (works, remark)


def test_why_a_server_refuses_is_said_in_its_own_words(trial: Try) -> None:
    _, its_own = trial(Reply("It does not chat", status=400), ModelFacts()).remarks

    assert its_own.values == {"reason": "It does not chat"}


def test_how_much_too_slow_a_model_is_counts_the_calls_that_its_server_answers_one_after_the_other(trial: Try) -> None:
    slow = says(GOOD, before=0.5)

    in_time = trial(slow, ModelFacts(context_tokens=8192, billions=9, at_once=8), seconds=10)
    assert (in_time.works, ids(in_time), in_time.usage.prompt_tokens > 0) == (True, [], True)
    found = trial(slow, ModelFacts(at_once=1), seconds=2)
    assert (found.works, ids(found)) == (False, ["model_too_slow"])
    assert found.remarks[0].values["needed"] > 2


def test_how_much_too_slow_a_model_is_at_least_is_said_where_it_never_ends(trial: Try, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chapterverse.essays.writing.trial.LONGEST_SECONDS", 0.2)

    found = trial(Reply("{}", before=60), ModelFacts(at_once=1), seconds=0.3)
    assert (found.works, ids(found)) == (False, ["model_unfinished"])
    assert found.remarks[0].values["needed"] > 1
