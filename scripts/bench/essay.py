"""From an essay to its evidence, stage by stage, against what it costs at least.

    python -m scripts.bench.essay [--books FOLDER] [--essays FILE] [--home HOME] [--rounds N]

At least: to embed its texts, one exact product with all vectors in numpy, the hundred best of each query, the same re-scoring.
The books are added to HOME first (build/bench/home; minutes, once). Essays and ways take turns; times are medians over all."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any, TypeVar

import numpy as np

from bookreader.text.sentences import split_sentences
from chapterverse import composition
from chapterverse.core.hits import Granularity, Hit, Partition, Scope, Vectors
from chapterverse.essays.evidence import build_queries, find_evidence, texts_to_embed
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.essays.text import parse_essay
from chapterverse.library.artefacts import load_book, load_vectors
from chapterverse.library.chunks import load_chunks, records_of
from chapterverse.library.intake import add_book
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import open_books, passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.library.versions import repair_index
from chapterverse.search.engine import cut_to, fuse, keep_diverse, keep_relevant, rank, rescored
from chapterverse.search.plan import ESSAY_FEEDBACK, RetrievalPlan
from chapterverse.settings import Settings, read_settings
from scripts.bench.corpus import BUILD, books_in
from scripts.bench.report import settings, show, spread, verdict

GOAL = 1.5  # of issue 3
Result = TypeVar("Result")


@dataclass
class Watch:
    """Seconds of each stage, essay after essay."""

    stages: dict[str, list[float]] = field(default_factory=dict)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.stages.setdefault(stage, []).append(time.perf_counter() - began)

    def timed(self, stage: str, work: Callable[..., Result], *arguments: Any) -> Result:
        with self(stage):
            return work(*arguments)

    def last(self) -> float:
        return sum(seconds[-1] for seconds in self.stages.values())


@dataclass(frozen=True)
class Library:
    """The books as the product has them, and all their vectors in one matrix."""

    services: CollectionServices
    scope: Scope
    plan: RetrievalPlan
    keys: Sequence[VersionKey]
    matrix: Vectors
    hits: Sequence[Hit]

    def at_least(self, essay: Essay, watch: Watch) -> None:
        """What no variant can leave out."""
        vectors = watch.timed("embed", self.services.embedder.embed_queries, texts_to_embed(essay))
        looked_up = build_queries(essay, vectors, self.plan.key_sentences)
        with watch("search"):
            nearest = np.argpartition(looked_up.vectors @ self.matrix.T, -self.plan.candidates_per_query, axis=1)
        found = [[self.hits[row] for row in of_query[-self.plan.candidates_per_query :]] for of_query in nearest]
        contexts = {key.version: self.services.context_of(key) for key in self.keys}
        watch.timed("re-score", rescored, looked_up, found, self.plan, contexts)

    def by_stages(self, essay: Essay, watch: Watch) -> None:
        """What the product does, one thing after the other as in usecases.essay_feedback."""
        services, plan = self.services, self.plan
        model = services.embedder.model
        books = watch.timed("catalog", open_books, self.scope, services.catalog, model)
        vectors = watch.timed("embed", services.embedder.embed_queries, texts_to_embed(essay))
        looked_up = watch.timed("queries", build_queries, essay, vectors, plan.key_sentences)
        partition = Partition(self.scope.school, Granularity.SENTENCE, model)
        found = watch.timed(
            "search", services.index.search, partition, looked_up.vectors, plan.candidates_per_query, tuple(books)
        )
        with watch("contexts"):
            contexts = {version: services.context_of(book.key) for version, book in books.items()}
        best = watch.timed("re-score", rescored, looked_up, found, plan, contexts)
        with watch("fuse, rank, diversify"):
            relevant = keep_relevant(looked_up.queries, best, plan)
            ranked = rank(fuse(looked_up.queries, relevant, plan.key_sentence_weight))
            kept = cut_to(keep_diverse(ranked, plan.max_similarity), len(essay.paragraphs))
        watch.timed("passages", passages_of, kept, books, services)

    def answer(self, essay: Essay, watch: Watch) -> None:
        """The use case as it is."""
        watch.timed("all", find_evidence, essay, self.scope, self.services, self.plan)


def main() -> None:
    given = arguments()
    here = read_settings().model_copy(update={"home": given.home, "max_books": 1000})
    library = open_library(given.books, here)
    essays = essays_of(given.essays)
    first = Watch()
    library.answer(essays[0], first)
    ways = {"at least": library.at_least, "by stages": library.by_stages, "ours": library.answer}
    watches = {name: Watch() for name in ways}
    ratios = [one_turn(essay, ways, watches) for _ in range(given.rounds) for essay in essays]
    what = settings(
        books=len(library.services.catalog.books(here.school)),
        sentences=len(library.matrix),
        essays=len(essays),
        rounds=given.rounds,
        index=here.index or "mapped",
        first_essay_ms=1000 * first.last(),
        remembered_mib=library.services.recent.nbytes / 2**20,
    )
    show("essay", list(rows(watches, ratios, given.home)), what)


def one_turn(essay: Essay, ways: dict[str, Callable[[Essay, Watch], None]], watches: dict[str, Watch]) -> float:
    """How many times as long as at least; each way once."""
    for name, way in ways.items():
        way(essay, watches[name])
    return watches["ours"].last() / watches["at least"].last()


def rows(watches: dict[str, Watch], ratios: list[float], home: Path) -> Iterator[dict[str, Any]]:
    stages = {**watches["by stages"].stages, "all": watches["ours"].stages["all"]}
    least = watches["at least"].stages
    least["all"] = [sum(one) for one in zip(*least.values(), strict=True)]
    for stage, seconds in stages.items():
        yield {"stage": stage, "ours_ms": around(seconds), "at_least_ms": around(least.get(stage, [])), "ratio": "", "goal": ""}
    quartiles = quantiles(ratios, n=4)
    yield {
        "stage": "ours / at least",
        "ours_ms": "",
        "at_least_ms": "",
        "ratio": quartiles,
        "goal": verdict(quartiles[1], GOAL, False),
    }
    yield {"stage": "the command, from cold", "ours_ms": around(cold(home)), "at_least_ms": "", "ratio": "", "goal": ""}


def around(seconds: Sequence[float]) -> list[float] | str:
    """Milliseconds: lowest, median, highest."""
    return [1000 * value for value in spread(seconds)] if seconds else ""


def cold(home: Path) -> list[float]:
    """Wall seconds of `chapterverse feedback --evidence`, a new process each time."""
    command = [sys.executable, "-m", "chapterverse.cli.app", "feedback", "--evidence", "samples/essay.md", "--json"]
    watch = Watch()
    for _ in range(3):
        with watch("cold"):
            subprocess.run(command, env={**os.environ, "CHAPTERVERSE_HOME": str(home)}, check=True, stdout=subprocess.DEVNULL)
    return watch.stages["cold"]


def open_library(folder: Path, here: Settings) -> Library:
    services = composition.compose(here)
    there = {book.file_name for book in services.catalog.books(here.school)}
    for path in books_in(folder):
        if path.name not in there:
            print(f"adding {path.name}", file=sys.stderr)
            add_book(path.read_bytes(), path.name, here.school, services, composition.limits(here))
    repair_index(here.school, services)
    scope = Scope(here.school)
    keys = [book.key for book in open_books(scope, services.catalog, services.embedder.model).values()]
    matrix = np.concatenate([load_vectors(services.bucket, key) for key in keys])
    books = [(load_book(services.bucket, key), key) for key in keys]
    records = [record for book, key in books for record in records_of(book, load_chunks(services.bucket, key, book))]
    hits = [Hit(record, 0.0, vector) for record, vector in zip(records, matrix, strict=True)]
    return Library(services, scope, ESSAY_FEEDBACK, keys, matrix, hits)


def essays_of(file: Path) -> list[Essay]:
    """S1's test essays, a line each, or the sample essay where there are none."""
    if not file.exists():
        return [parse_essay(Path("samples/essay.md").read_text("utf-8"), 20_000)]
    texts = ([paragraph["text"] for paragraph in json.loads(line)["paragraphs"]] for line in file.open(encoding="utf-8"))
    return [Essay(None, tuple(Paragraph(text, sentences(text)) for text in one)) for one in texts]


def sentences(paragraph: str) -> tuple[str, ...]:
    return tuple(paragraph[start:end] for start, end in split_sentences(paragraph))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--books", type=Path, default=Path("../shared/goldbooks/pdf"))
    parser.add_argument("--essays", type=Path, default=Path("../shared/retrieval/essays.jsonl"))
    parser.add_argument("--home", type=Path, default=BUILD / "home")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
