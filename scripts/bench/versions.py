"""Compare the speed of two checkouts, in turns on one machine.

    python -m scripts.bench.versions BEFORE NOW [--rounds 5]

Each round runs the same commands as processes of BEFORE, then of NOW: start the program, add the sample book to a new home,
give feedback on the sample essay, find its evidence again. Prints the medians of wall and CPU seconds, and the median of the
rounds' ratios NOW / BEFORE with their range. Both use this environment's packages."""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
BOOK, ESSAY = ROOT / "samples" / "on-liberty.pdf", ROOT / "samples" / "essay.md"
STEPS: dict[str, tuple[str | Path, ...]] = {
    "start (--help)": ("--help",),
    "add a book": ("books", "add", BOOK),
    "feedback": ("feedback", ESSAY),
    "evidence": ("evidence", ESSAY),
}

Times = tuple[float, float]
"""Seconds: wall, CPU of the process and its children."""


def run(checkout: Path, home: Path, arguments: Sequence[str | Path]) -> Times:
    """Times of one command of that checkout. Raises CalledProcessError if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "CHAPTERVERSE_HOME": str(home)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else what has no bytecode yet is compiled in every round
    command = [sys.executable, "-W", "ignore", "-m", "chapterverse.cli.app", *map(str, arguments)]
    used, began = cpu_of_children(), time.monotonic()
    subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True)
    return time.monotonic() - began, cpu_of_children() - used


def cpu_of_children() -> float:
    """Seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def round_of(checkout: Path) -> dict[str, Times]:
    """Times of each step, in a new home."""
    with tempfile.TemporaryDirectory() as home:
        return {name: run(checkout, Path(home), arguments) for name, arguments in STEPS.items()}


def row(name: str, before: Sequence[Times], now: Sequence[Times]) -> str:
    cells = [name]
    for kind in (0, 1):
        ratios = sorted(after[kind] / earlier[kind] for earlier, after in zip(before, now, strict=True))
        seconds = f"{median(each[kind] for each in before):.2f} → {median(each[kind] for each in now):.2f} s"
        cells += [seconds, f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the speed of two checkouts, in turns.")
    parser.add_argument("before", type=Path)
    parser.add_argument("now", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    checkouts = (given.before.resolve(), given.now.resolve())
    for checkout in checkouts:  # compiles the modules, and warms the disk's cache
        round_of(checkout)
    pairs = [[round_of(checkout) for checkout in checkouts] for _ in range(given.rounds)]
    print("| step | wall | ratio | CPU | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for name in STEPS:
        print(row(name, [before[name] for before, _ in pairs], [now[name] for _, now in pairs]))


if __name__ == "__main__":
    main()
