"""What one school to a thousand need: memory of the index and its machine, instances, database connections.

    python -m scripts.capacity.schools [FIGURES.json] [--schools 1,10,100,1000] [--share 0.1] [--students 1000] [--think 300]

Arithmetic only. CPU seconds are those of scripts/capacity/figures.json; the index's arithmetic and its machines are those of
terraform/sizing.tf, read from there."""

import argparse
import re
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from scripts.capacity.figures import DEFAULT, Plan, read_plan

SIZING = Path(__file__).parents[2] / "terraform" / "sizing.tf"
BOOKS, DIMENSIONS, BYTES = 20, 384, 4  # of a school (S1, Scale), of MiniLM, of a float32
IN_MEMORY = 3  # times the bare vectors: with graph and metadata (docs/vector-index.md, terraform/sizing.tf)
AIM = 0.6  # share of its CPUs that Cloud Run's autoscaler lets an instance use (docs/capacity.md)
CLAIMS = 64  # connections that an embedder's tasks may hold beside its pool (terraform/sizing.tf)
HEAD = "schools, sentences (million), index in memory (GiB), one Chroma VM, essays a second, functions, embedders, connections"


@dataclass(frozen=True, slots=True)
class Sizing:
    """What terraform/sizing.tf says. machines: GiB of each for the index, the smallest first."""

    sentences_a_book: int
    pool: int
    machines: dict[str, int]

    @classmethod
    def read(cls) -> "Sizing":
        text = SIZING.read_text("utf-8")
        machines = {name: int(gib) for name, gib in re.findall(r'"(e2-[\w-]+)"\s*=\s*(\d+)', text)}
        return cls(_number("sentences_of_a_book", text), _number("pool", text), machines)

    def machine_for(self, gib: int) -> str:
        """The smallest that holds so much."""
        return next((name for name, held in self.machines.items() if held >= gib), "none")


def _number(name: str, text: str) -> int:
    found = re.search(rf"^\s*{name}\s*=\s*(\d+)$", text, re.MULTILINE)
    assert found, f"{name} is not in {SIZING}"
    return int(found[1])


def essays_a_second(plan: Plan) -> tuple[float, float]:
    """Of one function and of one embedder that work as much as the autoscaler lets them. An essay keeps its seat at the
    function while others work on it."""
    stages = plan.stages
    at_function, at_embedder = stages.evidence + stages.rules, stages.embed + stages.verdicts
    by_seats = plan.api.concurrency / (at_function + at_embedder + plan.model.seconds)
    return AIM * min(plan.api.cpus / at_function, by_seats), AIM * plan.embedder.cpus / at_embedder


def row(schools: int, plan: Plan, sizing: Sizing, essays: float) -> list[str]:
    """essays: a second, of all of them."""
    sentences = schools * BOOKS * sizing.sentences_a_book
    gib = ceil(sentences * DIMENSIONS * BYTES * IN_MEMORY / 2**30)
    functions, embedders = (ceil(essays / each) for each in essays_a_second(plan))
    connections = functions * sizing.pool + embedders * (sizing.pool + CLAIMS)
    return [
        f"{schools:,}",
        f"{sentences / 1e6:,.2f}",
        f"{gib:,}",
        sizing.machine_for(gib),
        f"{essays:.1f}",
        f"{functions:,}",
        f"{embedders:,}",
        f"{connections:,}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, nargs="?", default=DEFAULT)
    parser.add_argument("--schools", default="1,10,50,100,192,1000")
    parser.add_argument("--share", type=float, default=0.1, help="of the schools are at work at the same time; at least one is")
    parser.add_argument("--students", type=int, default=1000, help="of a school, at once")
    parser.add_argument("--think", type=float, default=300, help="seconds between two essays of one student")
    given = parser.parse_args()
    plan, sizing = read_plan(given.figures), Sizing.read()
    print(f"| {HEAD.replace(', ', ' | ')} |\n|{' --- |' * len(HEAD.split(', '))}")
    for schools in map(int, given.schools.split(",")):
        essays = max(1.0, schools * given.share) * given.students / given.think
        print(f"| {' | '.join(row(schools, plan, sizing, essays))} |")


if __name__ == "__main__":
    main()
