"""Two books and ten essays through a new deployment, and a table of times.

    KEY=cv_… python -m scripts.cloud_check URL [--books FILE.pdf FILE.pdf] [--essay FILE] [--minutes 20]

KEY: an API key of scope teacher. The first essay meets programs that start; the others show what a school will see. It ends
with 1 at the first step that does not work, and names the log to read. Both books are removed in the end."""

import argparse
import os
import sys
import time
from pathlib import Path
from statistics import median

import httpx

from scripts.smoke import PATIENCE, SAMPLES, Failed, Smoke

ESSAYS = 10
LOGS = "gcloud logging read 'resource.type=cloud_run_revision severity>=WARNING' --limit=20 --freshness=1h"


def check(runs: list[Smoke]) -> list[tuple[str, float]]:
    """What was done, and the seconds that it took. Raises Failed."""
    times = list[tuple[str, float]]()

    def timed(what: str, began: float) -> None:
        times.append((what, time.monotonic() - began))

    began = time.monotonic()
    books = [run.upload() for run in runs]
    try:
        for number, (run, book) in enumerate(zip(runs, books, strict=True), start=1):
            run.wait_for(book)
            timed(f"book {number}: from its upload to searchable", began)
        first, later = 0.0, list[float]()
        for _ in range(ESSAYS):
            seconds = runs[0].feedback()
            later += [seconds] if first else []
            first = first or seconds
        times += [("first essay: to its evidence", first), (f"the other {ESSAYS - 1}: median", median(later))]
        times += [(f"the other {ESSAYS - 1}: longest", max(later))]
    finally:
        began = time.monotonic()
        for run, book in zip(runs, books, strict=True):
            run.remove(book)
    timed("both books removed", began)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url", help="where the HTTP interface is reached")
    parser.add_argument("--books", type=Path, nargs=2, default=[SAMPLES / "on-liberty.pdf"] * 2, help="two PDFs")
    parser.add_argument("--essay", type=Path, default=SAMPLES / "essay.md", help="an essay that the books have something on")
    parser.add_argument("--minutes", type=float, default=20, help="how long a book may take")
    asked = parser.parse_args()
    if not (key := os.environ.get("KEY", "")):
        parser.error("set KEY to an API key of scope teacher: chapterverse keys create --scope teacher")
    essay, headers = asked.essay.read_text("utf-8"), {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=asked.url, headers=headers, timeout=PATIENCE) as teacher:
        runs = [
            Smoke(teacher, book.read_bytes(), essay, asked.minutes, name=f"cloud-check-{number}.pdf")
            for number, book in enumerate(asked.books, start=1)
        ]
        try:
            times = check(runs)
        except (Failed, httpx.HTTPError) as error:
            sys.exit(f"{error or type(error).__name__}\nSee: {LOGS}")
    for what, seconds in times:
        print(f"{what:44} {seconds:8.1f} s")


if __name__ == "__main__":
    main()
