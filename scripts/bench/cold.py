"""How long the first answer takes when nothing runs, on the cloud on this machine without a vector machine.

    python -m scripts.bench.cold BOOK.pdf… [--rounds 3]

The books are added in the cloud. In each round the embedder and the api are killed. Timed are the embedder from the start of
its process to its first vector, the api from the start of its process to the first evidence, and the evidence alone of a school
that this instance has not seen. Seconds by the clock, and of CPU, which other work on the machine changes less."""

import argparse
import compileall
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from chapterverse import composition
from chapterverse.library.intake import add_book
from scripts.cloud_local.parts import Part
from scripts.cloud_local.stack import PREFIX, Stack, stack

ROOT = Path(__file__).parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
USER, SYSTEM = 13, 14  # fields of /proc/PID/stat from 0, proc(5)
SESSION = 5
SCHOOL = "default"


def cpu_seconds(part: Part) -> float:
    """Of all processes of a part up to now."""
    assert part.process
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            values = ["", "", *stat.read_text().rpartition(")")[2].split()]  # after the number and the name
            if int(values[SESSION]) == part.process.pid:
                ticks += int(values[USER]) + int(values[SYSTEM])
    return ticks / TICKS


def timed(part: Part, act: Callable[[], None]) -> tuple[float, float]:
    """Seconds by the clock and of the part's CPU until it is done."""
    began, used = time.perf_counter(), cpu_seconds(part) if part.process else 0.0
    act()
    return time.perf_counter() - began, cpu_seconds(part) - used


def add(books: Sequence[Path], running: Stack) -> None:
    """The books, ready in the cloud."""
    os.environ.update({name: value for name, value in running.environment.items() if not name.startswith(PREFIX)})
    there = composition.intake(running.settings().model_copy(update={"embedder": "onnx"}))
    for book in books:
        add_book(book.read_bytes(), book.name, SCHOOL, there.services, there.limits)


def measure(running: Stack, rounds: int) -> None:
    api, embedder = running.parts["api"], running.parts["embedder"]
    essay = (ROOT / "samples" / "essay.md").read_text("utf-8")
    headers = {"Authorization": f"Bearer {running.new_key(SCHOOL)}"}
    http = httpx.Client(base_url=running.url("api"), headers=headers, timeout=600)

    def ask() -> None:
        http.post("/api/v1/essays/evidence", json={"essay": essay}).raise_for_status()

    def start_and_ask() -> None:
        api.start()
        ask()

    def start_again() -> None:
        api.kill()
        api.start()

    taken: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for part in (api, embedder):
            part.kill()
        taken.setdefault("embedder: process to first vector", []).append(timed(embedder, embedder.start))
        taken.setdefault("api: process to first evidence", []).append(timed(api, start_and_ask))
        start_again()
        taken.setdefault("first evidence of a school not seen", []).append(timed(api, ask))
        taken.setdefault("the same again", []).append(timed(api, ask))
    print(f"| | seconds, median of {rounds} | of CPU |\n| --- | --- | --- |")
    for name, seconds in taken.items():
        clock, cpu = zip(*seconds, strict=True)
        print(f"| {name} | {median(clock):.1f} | {median(cpu):.1f} |")
    print(f"\nload {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with TemporaryDirectory(prefix="cold-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL is another user's
        with stack(Path(folder), environment={"CHAPTERVERSE_INDEX": ""}) as running:
            compileall.compile_dir(str(ROOT / "src"), quiet=1)  # as the image is
            add(given.books, running)
            measure(running, given.rounds)


if __name__ == "__main__":
    main()
