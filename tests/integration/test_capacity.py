"""The capacity plan's model against queues whose answer is known, and against what Cloud Run says it does."""

import json
from collections.abc import Callable
from math import factorial
from pathlib import Path

import numpy as np
import pytest
import simpy

from scripts.capacity import small
from scripts.capacity.cost import HERE, read_use, table
from scripts.capacity.figures import Plan, Tier, read_plan, read_prices
from scripts.capacity.school import by_day, by_night
from scripts.capacity.service import Refused, Service, Steps
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


def ask(env: simpy.Environment, service: Service, requests: int, takes: float) -> tuple[list[float], list[float]]:
    """So many requests at once: when they were answered, and when refused."""
    answered: list[float] = []
    refused: list[float] = []

    def request() -> Steps:
        try:
            instance = yield from service.seat()
            yield from service.compute(instance, takes)
            service.leave(instance)
            answered.append(env.now)
        except Refused:
            refused.append(env.now)

    for _ in range(requests):
        env.process(request())
    return answered, refused


def test_requests_without_a_seat_start_as_many_instances_as_seat_them(env: simpy.Environment) -> None:
    service = Service(env, tier(least=0, most=50, concurrency=10, cpus=10, start_seconds=5))
    answered, _ = ask(env, service, requests=95, takes=1)

    env.run(until=30)

    assert service.most == 10
    assert answered == [6.0] * 95


@pytest.fixture
def plan() -> Plan:
    """Without chance: an essay takes 0.1 + 0.2 + 0.3 + 0.4 s of CPU, the model, asked beside the last two, 2 s."""
    read = read_plan().model_dump()
    read["stages"] |= {"embed": 0.1, "evidence": 0.2, "verdicts": 0.3, "rules": 0.4, "prompt_tokens": 1_000_000}
    read["model"] |= {"seconds": 2.0, "answer_tokens": 100_000}
    read["prices"] |= {"million_prompt_tokens": 1.0, "million_answer_tokens": 10.0, "night": 0.5}
    for name in ("api", "embedder"):
        read[name] |= {"least": 1, "start_seconds": 0}
    return Plan.model_validate(read | {"spread": 0})


def test_an_essay_takes_its_stages_and_the_model_beside_the_last(plan: Plan) -> None:
    outcome = by_day(plan, users=1, think=1e9, within=0, minutes=1)

    assert outcome.evidence == pytest.approx([0.3])
    assert outcome.answers == pytest.approx([2.3])


def test_cost_is_instances_by_the_second_and_tokens_at_half_the_price_by_night(plan: Plan) -> None:
    outcome = by_night(plan, essays=10, at_once=1)

    second_of_api = plan.api.cpus * plan.prices.cpu_second + plan.api.gibibytes * plan.prices.gibibyte_second
    assert outcome.hours * 3600 == pytest.approx(23)
    assert outcome.cost["api"] == pytest.approx(23 * second_of_api)
    assert outcome.cost["model"] == pytest.approx(10 * (1.0 + 1.0) * 0.5)


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
