"""What a closer look at the first candidates gains, by how many are looked at: the tables of docs/reranking.md.

    CHAPTERVERSE_HOME=HOME PYTHONPATH=src python scripts/eval/rerank.py [SHARED] [--cases 60] [--candidates 5 10 30]

HOME holds the books that the cases are about (`chapterverse books add SHARED/goldbooks/pdf/*.pdf`). The first `--cases` of each
file count. What the model says of a pair is kept (`--kept`), so that other weights and fewer candidates cost nothing."""

import argparse
import hashlib
import math
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np
from shared import shared_folder

from chapterverse import composition
from chapterverse.adapters.likelihood_reranker import LikelihoodReranker
from chapterverse.adapters.onnx_likelihood import OnnxLikelihood
from chapterverse.cli.evaluate import read_gold_folder
from chapterverse.cli.session import repaired_services
from chapterverse.evaluation.cases import Variant, read_essays, read_variants
from chapterverse.evaluation.measures import Figure, mean_figure, reciprocal_ranks
from chapterverse.model import Scope
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.settings import read_settings
from chapterverse.usecases.evaluation import Library, evaluate, open_library, ranks_of

COLUMNS = (("variants", "level2"), ("variants", "level3"), ("variants_hard", "level2"), ("variants_hard", "level3"))
WEIGHTS = (0.1, 0.2, 0.4, 0.8, 1.0)
OWN_ESSAYS = Path(__file__).parent / "data" / "essays_tuning.jsonl"
AT_ONCE = 64  # pairs, between which what is known is kept


@dataclass(frozen=True)
class Kept:
    """A Likelihood that keeps what another one says, by digests of the pairs."""

    likelihood: OnnxLikelihood
    file: sqlite3.Connection

    @property
    def model(self) -> str:
        return self.likelihood.model

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.file.execute("create table if not exists lp (k text primary key, v real)")
        known = {pair: self._known(pair) for pair in pairs}
        new = [pair for pair, score in known.items() if score is None]
        for start in range(0, len(new), AT_ONCE):
            batch = new[start : start + AT_ONCE]
            known |= zip(batch, self.likelihood.log_probs(batch, deadline), strict=True)
            self.file.executemany("insert or replace into lp values (?, ?)", [(key(pair), known[pair]) for pair in batch])
            self.file.commit()
        return [known[pair] for pair in pairs]

    def _known(self, pair: tuple[str, str]) -> float | None:
        row = self.file.execute("select v from lp where k = ?", (key(pair),)).fetchone()
        return row[0] if row else None


def key(pair: tuple[str, str]) -> str:
    return hashlib.sha1("\0".join(pair).encode()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--candidates", type=int, nargs="+", default=[5, 10, 30])
    parser.add_argument("--kept", type=Path, default=Path("build/rerank.db"))
    given = parser.parse_args()
    settings = read_settings()
    likelihood = OnnxLikelihood(settings.home / "models")
    given.kept.parent.mkdir(parents=True, exist_ok=True)
    reranker = LikelihoodReranker(Kept(likelihood, sqlite3.connect(given.kept, timeout=60)))
    plan = replace(composition.essay_plan(settings), rerank_seconds=math.inf)
    library = open_library(Scope(settings.school), repaired_services(), plan)
    cases = list(read_cases(shared_folder(given.shared, "retrieval"), given.cases))
    print_table(cases, library, library.plan, "no re-ranking")
    closer = replace(library, services=replace(library.services, reranker=reranker))
    for number in given.candidates:
        print_table(cases, closer, replace(plan, reranked=number), f"{number} candidates")
    for weight in WEIGHTS:
        wide = replace(plan, reranked=given.candidates[-1], reranking=weight)
        print_table(cases, closer, wide, f"{given.candidates[-1]}, weight {weight}")
    print_essays(closer, given.candidates[:2], given.shared)
    for number in given.candidates:
        print(f"{number} candidates: {cost(cases[1][1], closer, likelihood, number):.2f} s of one core a query")


def read_cases(folder: Path, number: int) -> Iterator[tuple[str, list[Variant]]]:
    for name, level in COLUMNS:
        yield level, read_variants((folder / f"{name}.jsonl").read_bytes())[:number]


def print_table(cases: Sequence[tuple[str, list[Variant]]], library: Library, plan: RetrievalPlan, title: str) -> None:
    """A row of MRR, each with its 95 % interval."""
    told = []
    for level, variants in cases:
        figure = mean_figure(reciprocal_ranks(ranks_of(variants, level, replace(library, plan=plan))))
        told.append(f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f})")
    print("|", " | ".join([title, *told]), "|", flush=True)


def print_essays(closer: Library, candidates: Sequence[int], shared: Path | None) -> None:
    """The share of paragraphs whose first sentence is in the gold or next to it: our own essays, and the eight given ones."""
    gold = read_gold_folder(shared_folder(shared, "goldbooks/pdf"))
    files = (OWN_ESSAYS, shared_folder(shared, "retrieval") / "essays.jsonl")
    for number in (1, *candidates):
        library = replace(closer, plan=replace(closer.plan, reranked=number))
        found = [evaluate([], read_essays(file.read_bytes()), gold, library).essays for file in files]
        told = [told_of(one.near_gold_at_1) for one in found if one and one.near_gold_at_1]
        print("|", " | ".join([f"essays, {number} candidates", *told]), "|", flush=True)


def told_of(figure: Figure) -> str:
    return f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f}), n {figure.n}"


def cost(variants: Sequence[Variant], library: Library, likelihood: OnnxLikelihood, number: int, of: int = 3) -> float:
    """Seconds of processor time that reading the candidates of a query takes, none of them known."""
    services = replace(library.services, reranker=LikelihoodReranker(likelihood))
    closer = replace(library, services=services, plan=replace(library.plan, reranked=number))
    plain = replace(library, services=replace(library.services, reranker=None))
    ranks_of(variants[:1], "level3", closer)  # loaded
    seconds = []
    for one in (closer, plain):
        began = process_time()
        ranks_of(variants[:of], "level3", one)
        seconds.append(process_time() - began)
    return float(np.subtract(*seconds)) / of


if __name__ == "__main__":
    main()
