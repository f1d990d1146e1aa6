"""Measurements against the learning platform in tests/support/lti_platform: conformance by clause; how long registration
takes, a hand-in to its report, a revised one, and many at once at a due date.

    python -m scripts.bench.lms [--students 200] [--clauses]

The tool is this program with its default models and a book, in this process; the platform answers over HTTP. --clauses prints
the table of clauses alone."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from chapterverse import composition
from chapterverse.library.intake import add_book
from chapterverse.operations.batch_app import run_essay_task
from chapterverse.settings import Settings
from chapterverse.web.app import create_app
from tests.support.lti import TOOL, Course, course
from tests.support.lti_platform import CASES, HandedIn, lti_platform, run_cases
from tests.support.lti_platform.conformance import CheckOutcome
from tests.support.shelved import shelve
from tests.support.web import Site, site
from tests.unit.lti.test_conformance import OurTool, use_services

SAMPLES = Path(__file__).parents[2] / "samples"
GIVE_UP = 3600.0  # seconds


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--clauses", action="store_true")
    given = parser.parse_args()
    print_clauses()
    if not given.clauses:
        with installed() as running:
            print_times(running, given.students)


def print_clauses() -> None:
    """The tables of conformance: what is taken or refused of the platform, and what is sent to it."""
    with TemporaryDirectory() as folder, site(Path(folder)) as running, course(running) as english:
        english.attached()
        [file] = english.hand_in("u-1", ("essay.txt", "text/plain", b"Essay."))
        outcomes = list(run_cases(english.platform, OurTool(english, file.id), CASES))
    print_table(["Clause", "taken", "refused", "as the clause says"], [cells_of(some) for some in by_clause(outcomes)])
    with TemporaryDirectory() as folder, site(Path(folder)) as running, course(running) as english:
        shelve(running.services, "On Liberty", ("Silencing an opinion robs mankind of truth.",))
        use_services(english)
    calls = groupby(sorted(english.platform.checks), key=lambda each: each[0])
    rows = [(clause, [is_kept for _, is_kept in some]) for clause, some in calls]
    print_table(["Clause", "as the clause says"], [[clause, f"{sum(kept)} of {len(kept)}"] for clause, kept in rows])


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """In Markdown."""
    for cells in (heads, ["---"] * len(heads), *rows):
        sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.write("\n")


def by_clause(outcomes: list[CheckOutcome]) -> list[list[CheckOutcome]]:
    """The outcomes of each clause."""
    ordered = sorted(outcomes, key=lambda each: each.case.clause)
    return [list(some) for _, some in groupby(ordered, key=lambda each: each.case.clause)]


def cells_of(some: list[CheckOutcome]) -> list[str]:
    """A row of the table."""
    must = sum(each.case.accepted for each in some)
    right = sum(each.conforms for each in some)
    return [some[0].case.clause, str(must), str(len(some) - must), f"{right} of {len(some)}"]


@contextmanager
def installed() -> Iterator[Site]:
    """An installation with a book and its queue at work."""
    with TemporaryDirectory() as folder:
        parts = composition.app_context(Settings(home=Path(folder), site_url=TOOL))
        book, intake = (SAMPLES / "on-liberty.pdf").read_bytes(), parts.intake
        add_book(book, "on-liberty.pdf", "school", intake.services, intake.limits)
        queue: Any = parts.batches.queue  # a LocalQueue
        queue.start(partial(run_essay_task, batches=parts.batches, hand_ins=parts.hand_ins))
        yield Site(parts, create_app(parts))
        queue.close()


def print_times(running: Site, students: int) -> None:
    """Registration, one hand-in, a revised one, many at once."""
    with lti_platform(TOOL, lambda: dict(running.anybody("GET", "/lti/jwks").get_json())) as platform:
        english, essay = Course(running, platform), (SAMPLES / "essay.md").read_bytes()
        say("registration, from the pasted address to both sides", seconds_of(lambda: register(english)))
        english.attached()
        for name, words in (
            ("hand-in to report", essay),
            ("revised hand-in to report", essay + b"\n\nSo both should be heard."),
        ):
            say(name, seconds_of(lambda words=words: reported(english, "u-1", words)))  # type: ignore[misc]
        begun = monotonic()
        with ThreadPoolExecutor(students) as pool:
            list(pool.map(lambda n: english.send(platform.hand_in(f"u-{n}", [file(essay, n)])), range(1000, 1000 + students)))
        say(f"{students} notices at once, all answered", monotonic() - begun)
        files = [each for each in platform.handed_in.values() if each.name.startswith("many")]
        ends = sorted(wait_for(each) - begun for each in files)
        say(f"{students} hand-ins at once to the last report", ends[-1])
        lost = sum(1 for each in files if not is_done(each))
        sys.stdout.write(f"lost: {lost}; reported twice: {sum(count(each) > 1 for each in files)}\n")


def file(essay: bytes, number: int) -> tuple[str, str, bytes]:
    """An essay of its own."""
    return f"many-{number}.txt", "text/plain", essay + f"\n\nThis is what I, number {number}, think.".encode()


def register(english: Course) -> None:
    """As an admin does: one address, pasted."""
    done = english.registered()
    assert done.status_code == 200, done.text


def reported(english: Course, user: str, words: bytes) -> None:
    """Hand in, and wait for the report."""
    [one] = english.hand_in(user, ("essay.txt", "text/plain", words))
    wait_for(one)


def wait_for(one: HandedIn) -> float:
    """The time at which its report was there."""
    until = monotonic() + GIVE_UP
    while not is_done(one) and monotonic() < until:
        sleep(0.02)
    return monotonic()


def is_done(one: HandedIn) -> bool:
    """Whether it has its result."""
    return count(one) > 0


def count(one: HandedIn) -> int:
    """How many results it has."""
    return [each["processingProgress"] for each in one.reports].count("Processed")


def seconds_of(work: object) -> float:
    """How long it takes."""
    begun = monotonic()
    work()  # type: ignore[operator]
    return monotonic() - begun


def say(name: str, seconds: float) -> None:
    """Print a time."""
    sys.stdout.write(f"{name}: {seconds:.1f} s\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
