"""When a student sees what, stage by stage: by rules, by a language model of fixed time.

    CHAPTERVERSE_HOME=.demo python -m scripts.bench.feedback samples/essay.md [--times N]

Needs a book in that home (`make demo`). The model of fixed time is a local server called by the real client. Stages are
medians in seconds by the clock: embed; search; other, with the re-scoring, until the evidence; the model,
from its first question to its last word, beside which rules work."""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.model import BY_RULES, Essay
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.library.services import CollectionServices
from chapterverse.settings import read_settings
from scripts.bench.stages import Stages, watched
from tests.support.language_servers import FREE, choice, language_server, says

DELAYS = (0.5, 1.5, 10.0)  # seconds; the last is beyond the model's share
COLUMNS = ("embed", "search", "other", "evidence", "model", "first review", "all", "by model")
Row = dict[str, float]


@contextmanager
def with_model(writing: Writing, delay: float, stages: Stages) -> Iterator[Writing]:
    """The same, with a model that takes that long."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(SqlLedger(f"sqlite:///{folder}/ledger.db")) as ledger,
        language_server(says({"comments": [choice(kind) for kind in FREE]}, before=delay)) as server,
    ):
        yield replace(writing, paid=PaidModel(stages.before(server.openai(), "model"), ledger))


def seconds_of(essay: Essay, school: str, services: CollectionServices, writing: Writing, stages: Stages) -> Row:
    """One essay."""
    stages.clear()
    began = writing.clock()
    found = find_evidence(essay, Scope(school), services)
    evidence = writing.clock() - began
    reviews = write_reviews(found, school, writing, began)
    first = next(reviews)
    first_seen = writing.clock() - began
    by = [each.by for each in (first, *reviews)]
    embed, search = stages.spent("embed"), stages.spent("search")
    return {
        "embed": embed,
        "search": search,
        "other": evidence - embed - search,
        "evidence": evidence,
        "model": stages.wall("model"),
        "first review": first_seen,
        "all": writing.clock() - began,
        "by model": float(sum(writer != BY_RULES for writer in by)),
    }


def show(name: str, runs: list[Row]) -> None:
    *seconds, by_model = (median(run[column] for run in runs) for column in COLUMNS)
    print(f"| {name} | {' | '.join(f'{each:.2f}' for each in seconds)} | {by_model:.0f} of 3 |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("essay", type=Path)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    settings, stages = read_settings(), Stages()
    services, writing = watched(settings, stages)
    essay = parse_essay(given.essay.read_text("utf-8"))

    def runs(with_: Writing) -> list[Row]:
        return [seconds_of(essay, settings.school, services, with_, stages) for _ in range(given.times)]

    runs(writing)  # loads what is loaded once
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {given.times} times")
    print(f"| written by | {' | '.join(COLUMNS)} |\n|{' --- |' * (len(COLUMNS) + 1)}")
    show("rules", runs(replace(writing, paid=None)))
    for delay in DELAYS:
        with with_model(writing, delay, stages) as slow:
            show(f"a model of {delay} s", runs(slow))


if __name__ == "__main__":
    main()
