"""A school alone on terraform/small.tfvars: what that file says of instances, and what it costs in a month.

    python -m scripts.capacity.small [--use USE.json] [--prices PRICES.json]

Without the language model. Each part is a product of figures in USE and PRICES, whose sources say what is assumed."""

import re
from dataclasses import dataclass
from pathlib import Path

import typer

from scripts.capacity.cost import COPIES, HERE, OF_AN_API, Use, read_use
from scripts.capacity.figures import Plan, read_prices

FOLDER = Path(__file__).parents[2] / "terraform"
FREE_JOBS = 3  # of Cloud Scheduler, a month


@dataclass(frozen=True, slots=True)
class Small:
    """Most instances, those that the timetable keeps ready, requests that an instance answers at once, an embedder's CPUs and
    GiB."""

    api_max: int
    embedder_max: int
    api: int
    embedder: int
    max_open_requests: int
    cpu: int
    memory_gib: int

    @classmethod
    def read(cls) -> "Small":
        text = "".join((FOLDER / name).read_text("utf-8") for name in ("small.tfvars", "variables.tf"))
        return cls(**{name: _number(name, text) for name in cls.__dataclass_fields__})

    def plan(self, plan: Plan, *, ready: bool) -> Plan:
        """The plan with this school's services; ready: as between two times of the timetable."""
        api = {"least": self.api * ready, "most": self.api_max, "concurrency": self.max_open_requests}
        embedder = {"least": self.embedder * ready, "most": self.embedder_max, "concurrency": self.max_open_requests}
        sized = {"cpus": self.cpu, "gibibytes": self.memory_gib}
        tiers = {"api": plan.api.model_copy(update=api), "embedder": plan.embedder.model_copy(update=embedder | sized)}
        return plan.model_copy(update=tiers)


def _number(name: str, text: str) -> int:
    """Its value, or its default where it is a part of a variable."""
    found = re.search(rf"\b{name}\s*=\s*(?:optional\(number, )?(\d+)", text)
    assert found, f"{name} is not in {FOLDER}"
    return int(found[1])


def month(use: Use, prices: dict[str, float], small: Small) -> dict[str, float]:
    """What each part costs, in the prices' currency."""
    cpus, gibibytes = OF_AN_API
    idle = small.api * (cpus * prices["idle_cpu_second"] + gibibytes * prices["gibibyte_second"])
    idle += small.embedder * (small.cpu * prices["idle_cpu_second"] + small.memory_gib * prices["gibibyte_second"])
    at_work = prices["cpu_second"] + gibibytes / cpus * prices["gibibyte_second"]
    seconds = use.essays * use.cpu_seconds_of_an_essay / use.busy_share + use.new_books * use.cpu_seconds_of_a_book
    jobs = 4 * use.lines_of_timetable + 1  # up and down, of two services, and the night's
    return {
        "catalog": prices["catalog_small_month"],
        "alerts and logs": prices["watching_small_month"],
        "a way to the mail server": prices["nat_month"],
        "clock": (jobs - FREE_JOBS) * prices["scheduler_job_month"],
        "instances that stand ready": idle * use.lessons_of_a_month * use.ready_minutes * 60,
        "essays and new books": seconds * at_work,
        "books": use.books * use.gibibytes_of_a_book * COPIES * prices["storage_gibibyte_month"],
        "images": prices["images_month"],
    }


def table(parts: dict[str, float]) -> str:
    """A line for each part, and their sum."""
    rows = [f"| {name} | {price:.2f} |" for name, price in {**parts, "all of it": sum(parts.values())}.items()]
    return "\n".join(["| part | $ a month |", "| --- | --- |", *rows])


def main(use: Path = HERE / "use.json", prices: Path = HERE / "prices.json") -> None:
    print(table(month(read_use(use), read_prices(prices), Small.read())))


if __name__ == "__main__":
    typer.run(main)
