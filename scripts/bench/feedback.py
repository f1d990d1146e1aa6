"""When a student sees what: the evidence, the first review, all; by rules, and by a language model of fixed service time.

    CHAPTERVERSE_HOME=.demo python scripts/bench/feedback.py samples/essay.md [--times N]

Needs a book in that home (`make demo`). The model is a local server that takes so many seconds, called by the real client."""

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

from chapterverse import composition
from chapterverse.adapters.sql_ledger import SqlLedger
from chapterverse.essay import Essay, parse_essay
from chapterverse.feedback.comments import BY_RULES
from chapterverse.model import Scope
from chapterverse.settings import read_settings
from chapterverse.usecases.essay_feedback import find_evidence
from chapterverse.usecases.services import Services
from chapterverse.usecases.write_feedback import write_feedback
from chapterverse.usecases.writing import PaidModel, Writing
from tests.support.language_servers import language_server, says

DELAYS = (0.5, 1.5, 10.0)  # seconds; the last is beyond the model's share
COMMENT = {"paragraph": 1, "about": "", "comment": "Say why you think so.", "evidence": [], "instead": ""}


@contextmanager
def with_model(writing: Writing, delay: float) -> Iterator[Writing]:
    """The same, with a model that takes that long."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(SqlLedger(f"sqlite:///{folder}/ledger.db")) as ledger,
        language_server(says({"comments": [COMMENT]}, before=delay)) as server,
    ):
        yield replace(writing, paid=PaidModel(server.openai(), ledger))


def seconds_of(essay: Essay, school: str, services: Services, writing: Writing) -> tuple[float, float, float, int]:
    """To the evidence, to the first review, to the end, and how many reviews a model wrote."""
    began = writing.clock()
    found = find_evidence(essay, Scope(school), services)
    evidence = writing.clock() - began
    reviews = write_feedback(found, school, writing, began)
    first = next(reviews)
    first_seen = writing.clock() - began
    by = [each.by for each in (first, *reviews)]
    return evidence, first_seen, writing.clock() - began, sum(writer != BY_RULES for writer in by)


def show(name: str, runs: list[tuple[float, float, float, int]]) -> None:
    evidence, first, last, by_model = (median(column) for column in zip(*runs, strict=True))
    print(f"| {name} | {evidence:.2f} | {first:.2f} | {last:.2f} | {by_model:.0f} of 3 |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("essay", type=Path)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    settings = read_settings()
    services = composition.compose(settings)
    writing = composition.writing(settings, services.embedder)
    essay = parse_essay(given.essay.read_text("utf-8"))
    seconds_of(essay, settings.school, services, writing)  # loads what is loaded once
    print("| written by | evidence, s | first review, s | all, s | by the model |\n| --- | --- | --- | --- | --- |")
    show("rules", [seconds_of(essay, settings.school, services, writing) for _ in range(given.times)])
    for delay in DELAYS:
        with with_model(writing, delay) as slow:
            show(f"a model of {delay} s", [seconds_of(essay, settings.school, services, slow) for _ in range(given.times)])


if __name__ == "__main__":
    main()
