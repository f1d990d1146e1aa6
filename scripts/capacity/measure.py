"""CPU seconds of an essay, stage by stage, on this machine: the `stages` of a file of figures.

    CHAPTERVERSE_HOME=… python -m scripts.capacity.measure ESSAY… [--times N]

Medians over the times of the means over the essays. CPU seconds, not the clock's: they change less with other work on the
machine."""

import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

import typer

from chapterverse import composition
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.service import EssayContext, FeedbackRequest, feedback_on
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.settings import read_settings
from scripts.bench.simulated_model import CHARACTERS_A_TOKEN, SimulatedModel


@dataclass(frozen=True)
class Timed:
    """A port whose calls are timed; spent: CPU seconds by its name."""

    port: Any
    name: str
    spent: Counter[str]

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self.port, attribute)
        return self._timed(found) if callable(found) else found

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            began = process_time()
            try:
                return call(*arguments, **named)
            finally:
                self.spent[self.name] += process_time() - began

        return timed


def measured(text: str, school: str, context: EssayContext, model: SimulatedModel, spent: Counter[str]) -> dict[str, float]:
    """One essay; "rules" is all but the embedding and the model's own part."""
    spent.clear()
    model.asked.clear()
    began = process_time()
    feedback_on(FeedbackRequest(text, Scope(school)), context)
    return {
        "embed": spent["embed"],
        "evidence": spent["search"],
        "verdicts": 0.0,
        "rules": process_time() - began - spent.total(),
        "prompt_tokens": sum(len(one.instructions) + len(one.material) for one, _ in model.asked) / CHARACTERS_A_TOKEN,
    }


def main(essays: list[Path], times: int = 3) -> None:
    settings, spent = read_settings(), Counter[str]()
    services = composition.compose(settings)
    services = replace(
        services, embedder=Timed(services.embedder, "embed", spent), index=Timed(services.index, "search", spent)
    )
    model = SimulatedModel(first=0.0, pace=0.0)
    paid = PaidModel(model, SqlLedger(f"sqlite:///{settings.home}/measured.db"), ceiling=10**12)
    context = composition.essay_context(settings, services)
    context = replace(context, writing=replace(context.writing, paid=paid), history=replace(context.history, days=0))
    texts = [path.read_text("utf-8") for path in essays]
    rounds = [[measured(one, settings.school, context, model, spent) for one in texts] for _ in range(times + 1)][1:]
    took = {name: median(mean(one[name] for one in each) for each in rounds) for name in rounds[0][0]}
    source = f"measured: {len(texts)} essays, {times} times, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    told = {name: round(value, 3) for name, value in took.items()} | {"prompt_tokens": round(took["prompt_tokens"])}
    print(json.dumps({"source": source, **told}, indent=2))


if __name__ == "__main__":
    typer.run(main)
