"""What a school costs in a month: 20 books, 1,000 students.

    python -m scripts.capacity.cost [--use USE.json] [--prices PRICES.json]

    shared = catalog + index + edge + watching + one api instance kept ready, for each 192 schools: a deployment
    own    = students × essays × CPU seconds / busy × price of a CPU and its memory    (what answers, while it is kept for it)
           + GPU seconds: the hours that the school is open, and its new books, on an L4 with 4 CPUs and 16 GiB
           + books × GiB × 3 × price of storage                                      (upload, artefacts, older versions)
    model  = students × essays × (prompt tokens × price + answer tokens × price)
    month  = shared / schools + own + model; with an embedder on CPUs there is no GPU, and new books take CPU seconds

USE, PRICES: as use.json and prices.json beside this file, each price with its source. Schools are open at the same hours, so a
GPU's are paid once for as many of them as it serves."""

import json
import math
from dataclasses import dataclass, fields
from pathlib import Path

import typer

from scripts.capacity.figures import read_prices

HERE = Path(__file__).parent
HOUR = 3600
MONTH = 730 * HOUR  # seconds
SCHOOLS = (1, 10, 50, 192, 1000)
OF_A_DEPLOYMENT = 192  # schools; more fill the memory of the largest machine for Chroma (terraform/sizing.tf)
INDEX_GIBIBYTES = 20 * 7500 * 384 * 4 * 3 / 2**30  # of a school, as terraform/sizing.tf reckons
SMALLEST_INDEX = 6  # GiB that index_month pays for
SCHOOLS_OF_A_GPU = 10  # that one instance serves at once; assumed, as no GPU was measured under a school's load
OF_A_GPU = (4, 16)  # CPUs and GiB, the least that Cloud Run gives an L4
OF_AN_API = (2, 2)
COPIES = 3  # of a PDF's size: the upload, the artefacts, older versions for a month


@dataclass(frozen=True, slots=True)
class Use:
    """A school's month. open_hours: in which questions may come; busy_share: of an instance's time that is not idle.

    Of a school alone: lessons at whose end essays are handed in, the minutes for which instances stand ready then, and the
    cron expressions that say when."""

    students: int
    essays_of_a_student: float
    books: int
    gibibytes_of_a_book: float
    new_books: float
    gpu_seconds_of_a_book: float
    open_hours: float
    busy_share: float
    cpu_seconds_of_an_essay: float
    prompt_tokens: float
    answer_tokens: float
    cpu_seconds_of_a_book: float = 0
    lessons_of_a_week: float = 0
    lines_of_timetable: float = 0
    ready_minutes: float = 0

    @property
    def lessons_of_a_month(self) -> float:
        """Of four weeks and a bit."""
        return self.lessons_of_a_week * 52 / 12

    @property
    def essays(self) -> float:
        return self.students * self.essays_of_a_student


@dataclass(frozen=True, slots=True)
class Month:
    """In the prices' currency, one school's part."""

    shared: float
    answers: float
    gpu: float
    books_on_cpus: float
    storage: float
    model: float

    @property
    def on_gpus(self) -> float:
        return self.shared + self.answers + self.gpu + self.storage + self.model

    @property
    def on_cpus(self) -> float:
        return self.on_gpus - self.gpu + self.books_on_cpus


def month(use: Use, prices: dict[str, float], schools: int) -> Month:
    """Of each of so many schools that are alike and share a deployment."""

    def second(cpus: float, gibibytes: float) -> float:
        return cpus * prices["cpu_second"] + gibibytes * prices["gibibyte_second"]

    cpus, gibibytes = OF_AN_API
    ready = MONTH * (cpus * prices["idle_cpu_second"] + gibibytes * prices["gibibyte_second"])
    deployments = math.ceil(schools / OF_A_DEPLOYMENT)
    more_index = max(0.0, schools / deployments * INDEX_GIBIBYTES - SMALLEST_INDEX) * prices["index_gibibyte_month"]
    of_each = sum(prices[f"{part}_month"] for part in ("catalog", "index", "edge", "watching")) + ready + more_index
    gpu = OF_A_GPU[0] * prices["gpu_cpu_second"] + OF_A_GPU[1] * prices["gpu_gibibyte_second"] + prices["l4_second"]
    gpus = math.ceil(schools / SCHOOLS_OF_A_GPU) / schools
    tokens = use.prompt_tokens * prices["million_prompt_tokens"] + use.answer_tokens * prices["million_answer_tokens"]
    return Month(
        shared=of_each * deployments / schools,
        answers=use.essays * use.cpu_seconds_of_an_essay / use.busy_share * second(1, gibibytes / cpus),
        gpu=gpu * (use.open_hours * HOUR * gpus + use.new_books * use.gpu_seconds_of_a_book),
        books_on_cpus=use.new_books * use.cpu_seconds_of_a_book * second(1, 1),
        storage=use.books * use.gibibytes_of_a_book * COPIES * prices["storage_gibibyte_month"],
        model=use.essays * tokens / 1_000_000,
    )


def read_use(path: Path = HERE / "use.json") -> Use:
    said = json.loads(path.read_text("utf-8"))
    return Use(**{field.name: said[field.name] for field in fields(Use)})


def table(use: Use, prices: dict[str, float]) -> str:
    """A line for each number of schools."""
    head = "| schools | shared, each | answers | GPU | storage | language model | a school, a month, on GPUs | on CPUs |"
    rows = [
        f"| {schools:,} | {each.shared:,.1f} | {each.answers:,.2f} | {each.gpu:,.0f} | {each.storage:,.2f} "
        f"| {each.model:,.2f} | {each.on_gpus:,.0f} | {each.on_cpus:,.0f} |"
        for schools in SCHOOLS
        for each in [month(use, prices, schools)]
    ]
    return "\n".join([head, "| --- | --- | --- | --- | --- | --- | --- | --- |", *rows])


def main(use: Path = HERE / "use.json", prices: Path = HERE / "prices.json") -> None:
    print(table(read_use(use), read_prices(prices)))


if __name__ == "__main__":
    typer.run(main)
