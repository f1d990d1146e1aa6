"""Essays of a school on their way through the services, in simulated time."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import simpy

from scripts.capacity.figures import Plan, Tier
from scripts.capacity.service import Refused, Service, Steps

WITHIN = 5.0  # seconds (S1, "Latency Requirements")


@dataclass
class Outcome:
    """answers, evidence: seconds until each was there; hours: of simulated time; cost: of all of it, as prices are."""

    answers: list[float] = field(default_factory=list)
    evidence: list[float] = field(default_factory=list)
    refused: int = 0
    instances: dict[str, int] = field(default_factory=dict)
    hours: float = 0.0
    cost: dict[str, float] = field(default_factory=dict)

    def quantile(self, share: float) -> float:
        return float(np.quantile(self.answers, share)) if self.answers else float("nan")

    @property
    def in_time(self) -> float:
        """Share of all that were asked for."""
        asked = len(self.answers) + self.refused
        return sum(seconds <= WITHIN for seconds in self.answers) / asked if asked else float("nan")

    @property
    def cost_of_thousand(self) -> float:
        return sum(self.cost.values()) / len(self.answers) * 1000 if self.answers else float("nan")


@dataclass
class School:
    """A plan at work. Each essay is drawn to be long or short, and the model to be slow or quick, by the seed."""

    plan: Plan
    env: simpy.Environment
    random: np.random.Generator
    outcome: Outcome = field(default_factory=Outcome)

    def __post_init__(self) -> None:
        self.api, self.embedder = Service(self.env, self.plan.api), Service(self.env, self.plan.embedder)

    def essay(self) -> Steps:
        """One, from its arrival to its feedback; the seat at the function is held throughout."""
        stages, began, length = self.plan.stages, self.env.now, self._varied(1.0)
        try:
            seat = yield from self.api.seat()
            try:
                yield from self._embed(stages.embed * length)
                yield from self.api.compute(seat, stages.evidence * length)
                self.outcome.evidence.append(self.env.now - began)
                asked = self.env.timeout(self._varied(self.plan.model.seconds))
                yield from self._embed(stages.verdicts * length)
                yield from self.api.compute(seat, stages.rules * length)
                yield asked
            finally:
                self.api.leave(seat)
        except Refused:
            self.outcome.refused += 1
        else:
            self.outcome.answers.append(self.env.now - began)

    def student(self, think: float, within: float) -> Steps:
        """Somebody who hands in an essay again and again, so many seconds after the last answer on the average, first at any
        moment `within` so many."""
        yield self.env.timeout(self.random.uniform(0, within))
        while True:
            yield from self.essay()
            yield self.env.timeout(self.random.exponential(think))

    def batch(self, essays: Iterator[int]) -> Steps:
        """One of those who do essays one after the other until there are none; one that is refused comes again."""
        for _ in essays:
            answered = len(self.outcome.answers)
            while len(self.outcome.answers) == answered:
                yield from self.essay()

    def close(self, night: bool) -> Outcome:
        """What it came to."""
        prices, model, done = self.plan.prices, self.plan.model, len(self.outcome.answers)
        tokens = (
            self.plan.stages.prompt_tokens * prices.million_prompt_tokens + model.answer_tokens * prices.million_answer_tokens
        )
        self.outcome.instances = {"api": self.api.most, "embedder": self.embedder.most}
        self.outcome.hours = self.env.now / 3600
        self.outcome.cost = {
            "api": self.api.billed() * self._second_of(self.plan.api),
            "embedder": self.embedder.billed() * self._second_of(self.plan.embedder),
            "model": done * tokens / 1e6 * (prices.night if night else 1.0),
        }
        return self.outcome

    def _embed(self, seconds: float) -> Steps:
        seat = yield from self.embedder.seat()
        try:
            yield from self.embedder.compute(seat, seconds)
        finally:
            self.embedder.leave(seat)

    def _second_of(self, tier: Tier) -> float:
        return tier.cpus * self.plan.prices.cpu_second + tier.gibibytes * self.plan.prices.gibibyte_second

    def _varied(self, mean: float) -> float:
        """Gamma of that mean and the plan's spread."""
        if not self.plan.spread or not mean:
            return mean
        shape = 1 / self.plan.spread**2
        return float(self.random.gamma(shape, mean / shape))


def by_day(plan: Plan, users: int, think: float, within: float, minutes: float, *, seed: int = 0) -> Outcome:
    """So many students at once."""
    school = School(plan, simpy.Environment(), np.random.default_rng(seed))
    for _ in range(users):
        school.env.process(school.student(think, within))
    school.env.run(until=minutes * 60)
    return school.close(night=False)


def by_night(plan: Plan, essays: int, at_once: int, *, seed: int = 0) -> Outcome:
    """All the essays of a batch, so many at once; ends with the last."""
    school = School(plan, simpy.Environment(), np.random.default_rng(seed))
    numbered = iter(range(essays))
    workers = [school.env.process(school.batch(numbered)) for _ in range(at_once)]
    school.env.run(until=simpy.AllOf(school.env, workers))
    return school.close(night=True)
