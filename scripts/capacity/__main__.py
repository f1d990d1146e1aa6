"""Instances, times and cost of a school's essays, by day and by night.

    python -m scripts.capacity [FIGURES.json] [--users 1000] [--think 300] [--minutes 60] [--essays 1000] [--at-once 32]

Students who work on their essays, all of whom hand one in within a minute at the end of a lesson, the same at a school alone on
terraform/small.tfvars, and a batch by night. FIGURES: as scripts/capacity/figures.json."""

import argparse
from pathlib import Path

from scripts.capacity.figures import DEFAULT, Plan, read_plan
from scripts.capacity.school import WITHIN, Outcome, by_day, by_night
from scripts.capacity.small import Small

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, nargs="?", default=DEFAULT)
    parser.add_argument("--users", type=int, default=1000, help="students at once")
    parser.add_argument("--think", type=float, default=300, help="seconds between an answer and the next essay, on the average")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--essays", type=int, default=1000, help="of the night's batch")
    parser.add_argument("--at-once", type=int, default=32, help="of them at a time")
    parser.add_argument("--warm", type=int, default=6, help="instances kept ready, in the cases that say so")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    plan = read_plan(given.figures)
    ready = warm(plan, given.warm)
    print(f"{HEAD.format(within=WITHIN)}\n|{' --- |' * 12}")
    for name, each in (("from nothing", plan), (f"{given.warm} ready", ready)):
        working = by_day(each, given.users, given.think, given.think, given.minutes, seed=given.seed)
        print(row(f"{given.users} at work, {name}", working))
        rush = by_day(each, given.users, 1e9, 60.0, given.minutes, seed=given.seed)
        print(row(f"{given.users} within a minute, {name}", rush))
    for name, is_ready in (("from nothing", False), ("by its timetable", True)):
        alone = Small.read().plan(plan, ready=is_ready)
        rush = by_day(alone, given.users, 1e9, 60.0, given.minutes, seed=given.seed)
        print(row(f"{given.users} within a minute, a school alone, {name}", rush))
    print(row(f"{given.essays} by night", by_night(plan, given.essays, given.at_once, seed=given.seed)))


if __name__ == "__main__":
    main()
