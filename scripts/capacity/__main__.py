"""Instances, times and cost of a school's essays, by day and by night.

    python -m scripts.capacity [FIGURES.json] [--users 1000] [--minutes 60] [--kept 6]

Students who work on their essays, all of whom hand one in within a minute at the end of a lesson, the same at a school alone on
terraform/small.tfvars, and a batch by night. FIGURES: as scripts/capacity/figures.json."""

from pathlib import Path
from typing import Annotated

import typer

from scripts.capacity.figures import DEFAULT, Plan, read_plan
from scripts.capacity.school import WITHIN, Outcome, by_day, by_night
from scripts.capacity.small import Small

THINK = 300.0  # seconds between an answer and the next essay, on the average
AT_NIGHT = 32  # essays at a time
HEAD = (
    "| case | essays | refused | evidence p95, s | answer p50, s | p95, s | within {within:.0f} s | functions | embedders | "
    "took, h | cost of 1,000 | of it model |"
)


def row(name: str, outcome: Outcome) -> str:
    thousand = 1000 / max(len(outcome.answers), 1)
    evidence = sorted(outcome.evidence)[int(len(outcome.evidence) * 0.95)] if outcome.evidence else float("nan")
    cells = (
        name,
        f"{len(outcome.answers):,}",
        str(outcome.refused),
        f"{evidence:.1f}",
        f"{outcome.quantile(0.5):.1f}",
        f"{outcome.quantile(0.95):.1f}",
        f"{outcome.in_time:.0%}",
        str(outcome.instances["api"]),
        str(outcome.instances["embedder"]),
        f"{outcome.hours:.2f}",
        f"${outcome.cost_of_thousand:.2f}",
        f"${outcome.cost['model'] * thousand:.2f}",
    )
    return f"| {' | '.join(cells)} |"


def warm(plan: Plan, instances: int) -> Plan:
    """The same with so many instances of each kept ready."""
    tiers = {
        name: getattr(plan, name).model_copy(update={"least": min(instances, getattr(plan, name).most)})
        for name in ("api", "embedder")
    }
    return plan.model_copy(update=tiers)


def main(
    figures: Annotated[Path, typer.Argument()] = DEFAULT, users: int = 1000, minutes: float = 60, kept: int = 6, seed: int = 0
) -> None:
    """users: students at once; kept: instances kept ready, in the cases that say so."""
    plan = read_plan(figures)
    ready = warm(plan, kept)
    print(f"{HEAD.format(within=WITHIN)}\n|{' --- |' * 12}")
    for name, each in (("from nothing", plan), (f"{kept} ready", ready)):
        working = by_day(each, users, THINK, THINK, minutes, seed=seed)
        print(row(f"{users} at work, {name}", working))
        rush = by_day(each, users, 1e9, 60.0, minutes, seed=seed)
        print(row(f"{users} within a minute, {name}", rush))
    for name, is_ready in (("from nothing", False), ("by its timetable", True)):
        alone = Small.read().plan(plan, ready=is_ready)
        rush = by_day(alone, users, 1e9, 60.0, minutes, seed=seed)
        print(row(f"{users} within a minute, a school alone, {name}", rush))
    print(row(f"{users} by night", by_night(plan, users, AT_NIGHT, seed=seed)))


if __name__ == "__main__":
    typer.run(main)
