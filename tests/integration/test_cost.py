"""scripts/capacity/cost.py against sums done by hand, and the table that the docs show."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.capacity import small
from scripts.capacity.cost import HERE, INDEX_GIBIBYTES, MONTH, Use, month, read_use, table
from scripts.capacity.figures import read_plan, read_prices
from scripts.capacity.school import by_day
from scripts.capacity.small import Small

DOCS = Path(__file__).parents[2] / "docs" / "capacity.md"
NOTHING = dict.fromkeys(read_prices(), 0.0)
USE = Use(
    students=100,
    essays_of_a_student=2,
    books=20,
    gibibytes_of_a_book=0.5,
    new_books=3,
    gpu_seconds_of_a_book=100,
    open_hours=10,
    busy_share=0.5,
    cpu_seconds_of_an_essay=2,
    prompt_tokens=1000,
    answer_tokens=500,
)


@pytest.mark.parametrize(
    ("prices", "expected"),
    [
        ({"catalog_month": 90.0, "edge_month": 10.0}, 100 / 4),
        ({"idle_cpu_second": 1.0}, 2 * MONTH / 4),
        ({"cpu_second": 0.01}, 200 * 2 / 0.5 * 0.01),
        ({"gpu_cpu_second": 0.01}, 4 * 0.01 * (36_000 / 4 + 300)),
        ({"l4_second": 0.01}, 0.01 * (36_000 / 4 + 300)),
        ({"storage_gibibyte_month": 0.1}, 20 * 0.5 * 3 * 0.1),
        ({"million_prompt_tokens": 3.0, "million_answer_tokens": 4.0}, 200 * (1000 * 3.0 + 500 * 4.0) / 1_000_000),
    ],
)
def test_each_part_is_what_it_comes_to_by_hand(prices: dict[str, float], expected: float) -> None:
    assert month(USE, NOTHING | prices, schools=4).on_gpus == pytest.approx(expected)


def test_more_schools_than_a_gpu_takes_need_another() -> None:
    prices = NOTHING | {"l4_second": 1.0}
    use = replace(USE, new_books=0)

    assert month(use, prices, 10).gpu == pytest.approx(3_600)
    assert month(use, prices, 11).gpu == pytest.approx(36_000 * 2 / 11)


def test_a_thousand_schools_are_six_deployments_each_with_an_index_of_its_own() -> None:
    priced = month(USE, NOTHING | {"catalog_month": 100.0, "index_gibibyte_month": 1.0}, 1000)

    assert priced.shared == pytest.approx((600 + 1000 * INDEX_GIBIBYTES - 6 * 6) / 1000)


def test_an_embedder_on_cpus_costs_the_seconds_of_new_books() -> None:
    priced = month(replace(USE, cpu_seconds_of_a_book=10), NOTHING | {"cpu_second": 1.0}, 1)

    assert priced.on_cpus == pytest.approx(200 * 2 / 0.5 + 3 * 10)


def test_the_use_is_that_of_the_simulation() -> None:
    figures, use = json.loads((HERE / "figures.json").read_text("utf-8")), read_use()
    stages = figures["stages"]

    assert (use.prompt_tokens, use.answer_tokens) == (stages["prompt_tokens"], figures["model"]["answer_tokens"])
    measured = sum(stages[name] for name in ("embed", "evidence", "verdicts", "rules"))
    assert use.cpu_seconds_of_an_essay == pytest.approx(measured, abs=0.01)


def test_every_price_says_where_it_is_from() -> None:
    said = json.loads((HERE / "prices.json").read_text("utf-8"))

    assert "2026" in said.pop("source")
    assert all(one["source"] for one in said.values())


def test_the_docs_show_what_the_command_prints() -> None:
    assert table(read_use(), read_prices()) in DOCS.read_text("utf-8")
    assert small.table(small.month(read_use(), read_prices(), Small.read())) in DOCS.read_text("utf-8")


ALONE = Small(api_max=4, embedder_max=2, api=3, embedder=2, max_open_requests=32, cpu=4, memory_gib=4)


@pytest.mark.parametrize(
    ("part", "prices", "expected"),
    [
        ("catalog", {"catalog_small_month": 20.0}, 20.0),
        ("instances that stand ready", {"idle_cpu_second": 1.0}, (3 * 2 + 2 * 4) * 12 * 52 / 12 * 300),
        ("essays and new books", {"cpu_second": 1.0}, 200 * 2 / 0.5 + 3 * 100),
        ("clock", {"scheduler_job_month": 1.0}, 4 * 2 + 1 - 3),
        ("books", {"storage_gibibyte_month": 0.1}, 20 * 0.5 * 3 * 0.1),
    ],
)
def test_each_part_of_a_lone_schools_month_is_what_it_comes_to_by_hand(
    part: str, prices: dict[str, float], expected: float
) -> None:
    use = replace(USE, cpu_seconds_of_a_book=100, lessons_of_a_week=12, lines_of_timetable=2, ready_minutes=5)

    parts = small.month(use, NOTHING | prices, ALONE)

    assert parts[part] == pytest.approx(expected)
    assert sum(parts.values()) == pytest.approx(expected)


def test_a_lone_school_costs_40_dollars_at_most_and_answers_a_thousand_within_a_minute_in_time() -> None:
    rush = by_day(Small.read().plan(read_plan(), ready=True), users=1000, think=1e9, within=60, minutes=5)

    assert sum(small.month(read_use(), read_prices(), Small.read()).values()) <= 40
    assert rush.refused == 0
    assert rush.quantile(0.95) <= 5
