"""What a closer look at the first candidates gains, by how many are looked at, as tables.

    CHAPTERVERSE_HOME=HOME PYTHONPATH=src python -m scripts.eval.rerank [SHARED] [--cases 60] [--candidates 5 10 30 100]

HOME holds the books that the cases are about (`chapterverse books add SHARED/goldbooks/pdf/*.pdf`). The first `--cases` of each
file count. `--model` names a cross-encoder (extra gpu). Its scores of pairs are kept in memory, so that other weights and fewer
candidates cost nothing; what it takes is measured anew. `--cost` prints that alone."""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import getloadavg
from pathlib import Path
from time import monotonic, process_time

import numpy as np

from chapterverse.cli.session import repaired_services
from chapterverse.core.hits import Scope
from chapterverse.core.ports import Reranker
from chapterverse.evaluation.cases import Variant, read_essays, read_variants
from chapterverse.evaluation.cli import read_gold_folder
from chapterverse.evaluation.measures import Estimate, mean_estimate, reciprocal_ranks
from chapterverse.evaluation.retrieval import OpenLibrary, evaluate, open_library, ranks_of
from chapterverse.infrastructure.llm.cross_encoders import CrossEncoderReranker, RememberedReranker
from chapterverse.search.plan import ESSAY_FEEDBACK, RetrievalPlan
from chapterverse.settings import read_settings
from scripts.eval.shared import shared_folder

COLUMNS = (
    ("variants", "level1"),
    ("variants", "level2"),
    ("variants", "level3"),
    ("variants_hard", "level2"),
    ("variants_hard", "level3"),
)
COSTED = COLUMNS.index(("variants", "level3"))  # the hardest of those that have a goal within reach
WEIGHTS = (0.1, 0.2, 0.4, 0.8, 1.0)
WEIGHED = 30  # candidates; more are read for the column that is costed only
OWN_ESSAYS = Path(__file__).parent / "data" / "essays_tuning.jsonl"

Column = tuple[str, list[Variant]]
"""A level, and variants that have it."""
Cases = Sequence[Column]


@dataclass(frozen=True)
class Timed:
    """A re-ranker, and what each call of it took: seconds of processor time, all cores together, and by the clock."""

    reranker: Reranker
    processor: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    @property
    def model(self) -> str:
        return self.reranker.model

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        processor, clock = process_time(), monotonic()
        found = self.reranker.scores(pairs, deadline)
        self.processor.append(process_time() - processor)
        self.clock.append(monotonic() - clock)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--candidates", type=int, nargs="+", default=[5, 10, 30, 100])
    parser.add_argument("--model", default="cross-encoder/ms-marco-TinyBERT-L-2-v2", help="name or folder of a cross-encoder")
    parser.add_argument("--cost", action="store_true")
    given = parser.parse_args()
    settings = read_settings()
    network = CrossEncoderReranker(given.model)
    plan = replace(ESSAY_FEEDBACK, rerank_seconds=math.inf)
    library = open_library(Scope(settings.school), repaired_services(), plan)
    cases = list(read_cases(shared_folder(given.shared, "retrieval"), given.cases))
    if not given.cost:
        print_gains(cases, library, with_reranker(library, RememberedReranker(network)), given)
    print_costs(cases[COSTED], library, network, given.candidates)


def with_reranker(library: OpenLibrary, reranker: Reranker | None) -> OpenLibrary:
    return replace(library, services=replace(library.services, reranker=reranker))


def print_gains(cases: Cases, library: OpenLibrary, closer: OpenLibrary, given: argparse.Namespace) -> None:
    print_table(cases, library, library.plan, "no re-ranking")
    for number in (number for number in given.candidates if number <= WEIGHED):
        print_table(cases, closer, replace(library.plan, reranked=number), f"{number} candidates")
    for weight in WEIGHTS:
        wide = replace(library.plan, reranked=WEIGHED, reranking=weight)
        print_table(cases, closer, wide, f"{WEIGHED}, weight {weight}")
    print_essays(closer, given.candidates[:2], given.shared)


def read_cases(folder: Path, number: int) -> Iterator[Column]:
    for name, level in COLUMNS:
        yield level, read_variants((folder / f"{name}.jsonl").read_bytes())[:number]


def print_table(cases: Cases, library: OpenLibrary, plan: RetrievalPlan, title: str) -> None:
    """A row of MRR, each with its 95 % interval."""
    told = []
    for level, variants in cases:
        figure = mean_estimate(reciprocal_ranks(ranks_of(variants, level, replace(library, plan=plan))))
        told.append(f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f})")
    print("|", " | ".join([title, *told]), "|", flush=True)


def print_essays(closer: OpenLibrary, candidates: Sequence[int], shared: Path | None) -> None:
    """The share of paragraphs whose first sentence is in the gold or next to it: our own essays, and the eight given ones."""
    gold = read_gold_folder(shared_folder(shared, "goldbooks/pdf"))
    files = (OWN_ESSAYS, shared_folder(shared, "retrieval") / "essays.jsonl")
    for number in (1, *candidates):
        library = replace(closer, plan=replace(closer.plan, reranked=number))
        found = [evaluate([], read_essays(file.read_bytes()), gold, library).essays for file in files]
        told = [told_of(one.near_gold_at_1) for one in found if one and one.near_gold_at_1]
        print("|", " | ".join([f"essays, {number} candidates", *told]), "|", flush=True)


def print_costs(column: Column, library: OpenLibrary, network: Reranker, candidates: Sequence[int]) -> None:
    """What looking closer gains, case by case, and the seconds that it takes for each query, nothing being known before."""
    level, variants = column
    network.scores([("is it", "loaded")], math.inf)
    before = reciprocal_ranks(ranks_of(variants, level, library))
    for number in candidates:
        timed = Timed(network)
        closer = with_reranker(library, timed)
        after = reciprocal_ranks(ranks_of(variants, level, replace(closer, plan=replace(library.plan, reranked=number))))
        found = (after - before, np.array(timed.processor), np.array(timed.clock))
        told = [f"{number} candidates", *(told_of(mean_estimate(values)) for values in found)]
        print("|", " | ".join([*told, f"load {getloadavg()[0]:.0f}"]), "|", flush=True)


def told_of(figure: Estimate) -> str:
    return f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f}), n {figure.n}"


if __name__ == "__main__":
    main()
