"""When a student sees what: seconds to the first evidence, the first comment and the whole, and the tokens that an essay takes,
with a simulated managed language model (simulated_model.py) and all else real.

    CHAPTERVERSE_HOME=.demo python -m scripts.bench.feedback samples/essay.md [--times N] [--pace 120 --first 0.4 --at-once 8]

Needs a book in that home (`make demo`)."""

import argparse
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

from chapterverse import composition
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.model import Comment, EssayEvidence
from chapterverse.essays.service import EssayContext, FeedbackRequest, get_ready, give_feedback
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.settings import read_settings
from scripts.bench.simulated_model import CHARACTERS_A_TOKEN, SimulatedModel

MOMENTS = ("evidence", "comment", "all")


def seconds_of(text: str, school: str, context: EssayContext) -> dict[str, float]:
    """When the first of each came, for one essay."""
    began, seen = time.monotonic(), dict[str, float]()
    for part in give_feedback(FeedbackRequest(text, Scope(school)), context):
        name = "evidence" if isinstance(part, EssayEvidence) else "comment" if isinstance(part, Comment) else "all"
        seen.setdefault(name, time.monotonic() - began)
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("essay", type=Path)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--first", type=float, default=0.4, help="Seconds to the first token.")
    parser.add_argument("--pace", type=float, default=120.0, help="Tokens a second.")
    parser.add_argument("--at-once", type=int, default=8)
    given = parser.parse_args()
    folder = tempfile.mkdtemp()
    settings, text = read_settings(), given.essay.read_text("utf-8")
    model = SimulatedModel(given.first, given.pace, given.at_once)
    paid = PaidModel(model, SqlLedger(f"sqlite:///{folder}/ledger.db"), ceiling=10**12)
    context = composition.essay_context(settings, composition.compose(settings))
    context = replace(context, writing=replace(context.writing, paid=paid), history=replace(context.history, days=0))
    get_ready(context)
    seconds_of(text, settings.school, context)
    model.asked.clear()
    runs = [seconds_of(text, settings.school, context) for _ in range(given.times)]
    print(f"{len(text.split())} words, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {given.times} times,")
    print(f"a model of {given.first} s, {given.pace:.0f} tokens a second, {given.at_once} at once")
    print("| seconds to | median | p95 |\n| --- | --- | --- |")
    for moment in MOMENTS:
        times = [run[moment] for run in runs if moment in run]
        print(f"| {moment} | {median(times):.2f} | {quantiles(times, n=20)[-1]:.2f} |")
    names = sorted({prompt.name for prompt, _ in model.asked})
    print("| prompt | calls | tokens read |\n| --- | --- | --- |")
    whole = 0.0
    for name in names:
        sizes = [len(one.instructions) + len(one.material) for one, _ in model.asked if one.name == name]
        tokens = sum(sizes) / CHARACTERS_A_TOKEN / given.times
        whole += tokens
        print(f"| {name} | {len(sizes) / given.times:.1f} | {tokens:.0f} |")
    print(f"| all | {len(model.asked) / given.times:.1f} | {whole:.0f} |")


if __name__ == "__main__":
    main()
