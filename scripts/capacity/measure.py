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

from chapterverse import composition
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.service import EssayContext, FeedbackRequest, feedback_on
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.settings import read_settings
from scripts.bench.simulated_model import CHARACTERS_A_TOKEN, SimulatedModel
from scripts.bench.stages import Stages, watched


def measured(text: str, school: str, context: EssayContext, model: SimulatedModel, stages: Stages) -> dict[str, float]:
    """One essay; "rules" is all but the embedding and the model's own part."""
    stages.clear()
    model.asked.clear()
    with stages.stage("all"):
        feedback_on(FeedbackRequest(text, Scope(school)), context)
    return {
        "embed": stages.cpu("embed"),
        "evidence": stages.cpu("search"),
        "verdicts": 0.0,
        "rules": stages.cpu("all") - stages.cpu("embed") - stages.cpu("search"),
        "prompt_tokens": sum(len(one.instructions) + len(one.material) for one, _ in model.asked) / CHARACTERS_A_TOKEN,
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
    model = SimulatedModel(first=0.0, pace=0.0)
    paid = PaidModel(model, SqlLedger(f"sqlite:///{settings.home}/measured.db"), ceiling=10**12)
    context = composition.essay_context(settings, services)
    context = replace(context, writing=replace(writing, paid=paid), history=replace(context.history, days=0))
    essays = [path.read_text("utf-8") for path in given.essays]
    rounds = [[measured(one, settings.school, context, model, stages) for one in essays] for _ in range(given.times + 1)]
    took = averaged(rounds[1:])  # the first loads what is loaded once
    source = f"measured: {len(essays)} essays, {given.times} times, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    told = {name: round(value, 3) for name, value in took.items()} | {"prompt_tokens": round(took["prompt_tokens"])}
    print(json.dumps({"source": source, **told}, indent=2))


if __name__ == "__main__":
    main()
