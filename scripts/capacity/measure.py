"""CPU seconds of an essay, stage by stage, on this machine: the `stages` of a file of figures.

    CHAPTERVERSE_HOME=… python -m scripts.capacity.measure ESSAY… [--times N]

Medians over the times of the means over the essays. CPU seconds, not the clock's: they change less with other work on the
machine."""

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

from chapterverse.core.hits import Scope
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.model import Dimension, Essay, Subject
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.drafts import ask
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing
from chapterverse.library.services import CollectionServices
from chapterverse.settings import read_settings
from scripts.bench.stages import Stages, watched

CHARACTERS_A_TOKEN = 4  # of English


def measured(essay: Essay, school: str, services: CollectionServices, writing: Writing, stages: Stages) -> dict[str, float]:
    """One essay by rules; "evidence" and "rules" are without the model's part."""
    stages.clear()
    with stages.stage("all evidence"):
        found = find_evidence(essay, Scope(school), services)
    with stages.stage("all rules"):
        list(write_reviews(found, school, replace(writing, paid=None), writing.clock()))
    subject = Subject(essay, found.evidence)
    prompts = [ask(dimension, subject, writing.style) for dimension in Dimension]
    return {
        "embed": stages.cpu("embed"),
        "evidence": stages.cpu("all evidence") - stages.cpu("embed"),
        "verdicts": 0.0,  # by rules nothing is embedded for them any more
        "rules": stages.cpu("all rules"),
        "prompt_tokens": sum(len(each.instructions) + len(each.material) for each in prompts) / CHARACTERS_A_TOKEN,
    }


def averaged(rounds: Sequence[Sequence[dict[str, float]]]) -> dict[str, float]:
    return {name: median(mean(one[name] for one in essays) for essays in rounds) for name in rounds[0][0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("essays", type=Path, nargs="+", metavar="ESSAY")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    settings, stages = read_settings(), Stages()
    services, writing = watched(settings, stages)
    essays = [parse_essay(path.read_text("utf-8")) for path in given.essays]
    rounds = [[measured(one, settings.school, services, writing, stages) for one in essays] for _ in range(given.times + 1)]
    took = averaged(rounds[1:])  # the first loads what is loaded once
    source = f"measured: {len(essays)} essays, {given.times} times, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    told = {name: round(value, 3) for name, value in took.items()} | {"prompt_tokens": round(took["prompt_tokens"])}
    print(json.dumps({"source": source, **told}, indent=2))


if __name__ == "__main__":
    main()
