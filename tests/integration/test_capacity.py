"""The capacity plan's model against queues whose answer is known."""

import json
from collections.abc import Callable
from math import factorial
from pathlib import Path

import numpy as np
import pytest
import simpy

from scripts.capacity import small
from scripts.capacity.cost import HERE, read_use, table
from scripts.capacity.figures import Tier, read_plan, read_prices
from scripts.capacity.school import by_day
from scripts.capacity.service import Service, Steps
from scripts.capacity.small import Small

REQUESTS = 40_000

ONE = Tier(source="", cpus=1, gibibytes=1, concurrency=10**6, start_seconds=0, idle_seconds=0, least=1, most=1)


@pytest.fixture
def env() -> simpy.Environment:
    return simpy.Environment()


def tier(**changes: float) -> Tier:
    return ONE.model_copy(update=changes)


def mean_wait(env: simpy.Environment, cpus: int, load: float, seconds: Callable[[np.random.Generator], float]) -> float:
    """Of requests that come at random to one instance of so many CPUs, each of which is busy for that share of the time; a
    request takes a second on the average."""
    service, random, waits = Service(env, tier(cpus=cpus)), np.random.default_rng(7), []

    def request(takes: float) -> Steps:
        began = env.now
        instance = yield from service.seat()
        yield from service.compute(instance, takes)
        service.leave(instance)
        waits.append(env.now - began - takes)

    def arrivals() -> Steps:
        for _ in range(REQUESTS):
            yield env.timeout(random.exponential(1 / (load * cpus)))
            env.process(request(seconds(random)))

    env.run(until=env.process(arrivals()))
    return float(np.mean(waits))


def erlang_c(servers: int, load: float) -> float:
    """Mean wait in units of the service time for random arrivals and exponential times (M/M/c; Kleinrock 1975, 3.5)."""
    offered = servers * load
    full = offered**servers / factorial(servers) / (1 - load)
    busy = full / (sum(offered**n / factorial(n) for n in range(servers)) + full)
    return busy / (servers * (1 - load))


def test_random_requests_at_several_cpus_wait_as_erlang_says(env: simpy.Environment) -> None:
    wait = mean_wait(env, cpus=4, load=0.7, seconds=lambda random: random.exponential(1.0))

    assert wait == pytest.approx(erlang_c(4, 0.7), rel=0.1)


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
