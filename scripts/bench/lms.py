"""How long registration at the learning platform in tests/support/lti_platform takes, a hand-in to its report, a revised
one, and many at once at a due date.

    python -m scripts.bench.lms [--students 200]

The tool is this program with its default models and a book, in this process; the platform answers over HTTP."""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from chapterverse import composition
from chapterverse.library.intake import add_book
from chapterverse.operations.batch_app import run_essay_task
from chapterverse.settings import read_settings
from chapterverse.web.app import create_app
from tests.support.lti import TOOL, Course
from tests.support.lti_platform.model import HandedIn
from tests.support.lti_platform.server import lti_platform
from tests.support.web import Site

SAMPLES = Path(__file__).parents[2] / "samples"
GIVE_UP = 3600.0  # seconds


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    given = parser.parse_args()
    with installed() as running:
        print_times(running, given.students)


@contextmanager
def installed() -> Iterator[Site]:
    """An installation with a book and its queue at work."""
    with TemporaryDirectory() as folder:
        parts = composition.app_context(read_settings().model_copy(update={"home": Path(folder), "site_url": TOOL}))
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
