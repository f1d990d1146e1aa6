"""Score `chapterverse inspect --sentences` on books whose every sentence has a known address.

    python -m scripts.eval.addresses FOLDER SCORER [--jobs N]

FOLDER holds NAME.pdf with NAME.gold.jsonl.gz; SCORER is goldbooks/score.py of the shared folder, which explains the figures.
A figure that misses its goal is marked with *; the exit code is 1 if there is one."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import NamedTemporaryFile

import typer

GOALS = {
    "found": 0.985,
    "exact": 0.98,
    "spurious": -0.003,  # at most
    "chapter": 0.99,
    "page": 0.995,
    "label": 0.995,
    "paragraph": 0.99,
    "boxes": 0.95,
}


def score(pdf: Path, scorer: Path) -> dict[str, float]:
    """The scorer's figures, and the seconds that the command took."""
    command = [sys.executable, "-m", "chapterverse.cli.app", "inspect", str(pdf), "--sentences"]
    start = time.monotonic()
    with NamedTemporaryFile(suffix=".jsonl") as sentences:
        subprocess.run(command, stdout=sentences, check=True)
        seconds = time.monotonic() - start
        gold = pdf.with_suffix(".gold.jsonl.gz")
        said = subprocess.run([sys.executable, scorer, gold, sentences.name, "--json"], capture_output=True, check=True).stdout
    return {**json.loads(said), "seconds": seconds}


def cells(figures: dict[str, float]) -> Iterator[str]:
    for name, goal in GOALS.items():
        figure = figures.get(name, 0.0)
        missed = figure > -goal if goal < 0 else figure < goal
        yield f"{figure:8.4f}{'*' if missed else ' '}"


def main(folder: Path, scorer: Path, jobs: int = 2) -> None:
    pdfs = sorted(pdf for pdf in folder.glob("*.pdf") if pdf.with_suffix(".gold.jsonl.gz").exists())
    if not pdfs:
        sys.exit(f"No books with gold addresses in {folder}.")
    widest = max(len(pdf.stem) for pdf in pdfs)
    print(" " * widest, *(f"{name:>9}" for name in GOALS), "  seconds")
    with ThreadPoolExecutor(jobs) as pool:
        rows = list(pool.map(lambda pdf: score(pdf, scorer), pdfs))
    missed = False
    for pdf, figures in zip(pdfs, rows, strict=True):
        row = list(cells(figures))
        missed = missed or any(cell.endswith("*") for cell in row)
        print(f"{pdf.stem:{widest}}", *row, f"{figures['seconds']:8.1f}")
    means = {name: sum(row.get(name, 0.0) for row in rows) / len(rows) for name in [*GOALS, "seconds"]}
    print(f"{'mean':{widest}}", *cells(means), f"{means['seconds']:8.1f}")
    sys.exit(missed)


if __name__ == "__main__":
    typer.run(main)
