"""How adding and searching grow with the number of books: figures, and a plot of them.

    python -m scripts.bench.growth [--books FOLDER] [--parts N] [--pages N] [--counts 1 5 20 60] [--plot FILE.svg]

Books of distinct text: every book of the folder is cut into parts of as many pages each, so many pages of each part are a book,
and these are added one by one, first parts first. At each count: seconds for all so far, and essays looked up in them."""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pymupdf

from chapterverse import composition
from chapterverse.core.hits import Scope, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.model import Essay
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.settings import Settings
from scripts.bench.contest import PEERS
from scripts.bench.contestants.served import cpu_seconds
from scripts.bench.corpus import BUILD, books_in, model_folders
from scripts.bench.essay import essays_of
from scripts.bench.report import settings, show, spread


def main() -> None:
    given = arguments()
    essays = essays_of(given.essays)[:4]
    with TemporaryDirectory(dir=BUILD) as folder:
        home = Path(folder)
        (home / "models").symlink_to(model_folders()[0].absolute())
        here = Settings(home=home, max_books=1000)
        rows = list(grown(here, books_in(given.books), essays, given))
    show(
        "growth",
        rows,
        settings(parts=given.parts, pages=given.pages, essays=len(essays), rounds=given.rounds, index=here.index or "mapped"),
    )
    if given.plot:
        plot(rows, given.plot)


def grown(here: Settings, books: list[Path], essays: Sequence[Essay], given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row at each count."""
    services = composition.compose(here)
    services.embedder.embed_queries(["The graph is loaded before it is timed."])
    sentences, spent = 0, Spent()
    for count, (name, pdf) in enumerate(parts_of(books, given.parts, given.pages), start=1):
        added, seconds = timed(add_book, pdf, name, here.school, services, composition.limits(here))
        spent += seconds
        sentences += added.book.active.sentences
        if count in given.counts:
            print(f"{count} books, {sentences} sentences, {spent.wall:.0f} s", file=sys.stderr)
            yield (
                {"books": count, "sentences": sentences}
                | added_row(sentences, spent)
                | asked_row(essays, here, services, given)
            )
        if count == max(given.counts):
            return


@dataclass(frozen=True)
class Spent:
    """Seconds."""

    wall: float = 0.0
    cpu: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.wall + other.wall, self.cpu + other.cpu)


def timed(work: Callable[..., Any], *arguments: Any) -> tuple[Any, Spent]:
    wall, cpu = time.perf_counter(), cpu_seconds()
    result = work(*arguments)
    return result, Spent(time.perf_counter() - wall, cpu_seconds() - cpu)


def added_row(sentences: int, spent: Spent) -> dict[str, Any]:
    """All books so far."""
    return {"ingest_s": spent.wall, "ingest_cpu_s": spent.cpu, "cpu_ms_a_sentence": 1000 * spent.cpu / sentences}


def asked_row(
    essays: Sequence[Essay], here: Settings, services: CollectionServices, given: argparse.Namespace
) -> dict[str, Any]:
    """Essays, whole and without embedding them, after a first time that is not counted: lowest, median, highest."""
    plan, scope = ESSAY_FEEDBACK, Scope(here.school)
    knowing = replace(services, embedder=Known(services.embedder))
    for essay in essays:
        find_evidence(essay, scope, knowing, plan)
    whole, rest = (
        [timed(find_evidence, essay, scope, with_, plan)[1] for essay in [*essays] * given.rounds]
        for with_ in (services, knowing)
    )
    return {
        "essay_ms": spread([1000 * one.wall for one in whole]),
        "essay_cpu_ms": spread([1000 * one.cpu for one in whole]),
        "all_but_embedding_cpu_ms": spread([1000 * one.cpu for one in rest]),
    }


def parts_of(books: list[Path], parts: int, pages: int) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the first part of every book, then of the second …; pages: at most so many of it, 0 for all."""
    for number in range(parts):
        for path in books:
            with pymupdf.open(path) as book, pymupdf.open() as part:
                first, last = (len(book) * n // parts for n in (number, number + 1))
                part.insert_pdf(book, from_page=first, to_page=(min(last, first + pages) if pages else last) - 1)
                yield f"{path.stem} {number + 1}.pdf", part.tobytes(no_new_id=True)


@dataclass(frozen=True)
class Known:
    """An embedder that has embedded everything before."""

    embedder: Embedder
    vectors: dict[tuple[str, ...], Vectors] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return self.embedder.model

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        if (key := tuple(texts)) not in self.vectors:
            self.vectors[key] = self.embedder.embed_queries(texts)
        return self.vectors[key]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--books", type=Path, default=Path("../shared/goldbooks/pdf"))
    parser.add_argument("--essays", type=Path, default=Path("../shared/retrieval/essays.jsonl"))
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 5, 20, 60])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plot", type=Path)
    BUILD.mkdir(parents=True, exist_ok=True)
    return parser.parse_args()


def plot(rows: list[dict[str, Any]], target: Path) -> None:
    """Drawn by the peers' environment, which has matplotlib."""
    script = Path(__file__).with_name("plot_growth.py")
    subprocess.run([PEERS, script, target], input=json.dumps(rows), text=True, check=True)
    print(f"drawn: {target}", file=sys.stderr)


if __name__ == "__main__":
    main()
