"""The capacity plan: its use, its table and what it says of a lone school."""

import json
from pathlib import Path

import pytest

from scripts.capacity import small
from scripts.capacity.cost import HERE, read_use, table
from scripts.capacity.figures import read_plan, read_prices
from scripts.capacity.school import by_day
from scripts.capacity.small import Small

DOCS = Path(__file__).parents[2] / "docs" / "capacity.md"


def test_the_use_is_that_of_the_simulation() -> None:
    figures, use = json.loads((HERE / "figures.json").read_text("utf-8")), read_use()
    stages = figures["stages"]

    assert (use.prompt_tokens, use.answer_tokens) == (stages["prompt_tokens"], figures["model"]["answer_tokens"])
    measured = sum(stages[name] for name in ("embed", "evidence", "verdicts", "rules"))
    assert use.cpu_seconds_of_an_essay == pytest.approx(measured, abs=0.01)


def test_the_docs_show_what_the_command_prints() -> None:
    assert table(read_use(), read_prices()) in DOCS.read_text("utf-8")
    assert small.table(small.month(read_use(), read_prices(), Small.read())) in DOCS.read_text("utf-8")


def test_a_lone_school_costs_40_dollars_at_most_and_answers_a_thousand_within_a_minute_in_time() -> None:
    rush = by_day(Small.read().plan(read_plan(), ready=True), users=1000, think=1e9, within=60, minutes=5)

    assert sum(small.month(read_use(), read_prices(), Small.read()).values()) <= 40
    assert rush.refused == 0
    assert rush.quantile(0.95) <= 5
