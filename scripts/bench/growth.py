"""How adding and searching grow with the number of books: figures, and a plot of them.

    python scripts/bench/growth.py [--books FOLDER] [--parts N] [--pages N] [--counts 1 5 20 60] [--plot FILE.svg]

Books of distinct text: every book of the folder is cut into parts of as many pages each, so many pages of each part are a book,
and these are added one by one, first parts first. At each count: seconds for all so far, and essays looked up in them."""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pymupdf
from contest import PEERS
from corpus import BUILD, books_in, model_folders
from essay import essays_of
from report import settings, show, spread

from chapterverse import composition
from chapterverse.essay import Essay
from chapterverse.model import Scope
from chapterverse.retrieval.queries import texts_to_embed
from chapterverse.settings import Settings
from chapterverse.usecases.books import add_book
from chapterverse.usecases.essay_feedback import find_evidence
from chapterverse.usecases.services import Services


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
        settings(parts=given.parts, pages=given.pages, essays=len(essays), rounds=given.rounds, search=here.search),
    )
    if given.plot:
        plot(rows, given.plot)


def grown(here: Settings, books: list[Path], essays: Sequence[Essay], given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    services = composition.compose(here)
    services.embedder.embed_queries(["The graph is loaded before it is timed."])
    sentences, seconds = 0, 0.0
    for count, (name, pdf) in enumerate(parts_of(books, given.parts, given.pages), start=1):
        began = time.perf_counter()
        added = add_book(pdf, name, here.school, services, composition.limits(here))
        seconds += time.perf_counter() - began
        sentences += added.book.active.sentences if added.book.active else 0
        if count in given.counts:
            print(f"{count} books, {sentences} sentences, {seconds:.0f} s", file=sys.stderr)
            whole, embedding = zip(*times(essays, here, services, given.rounds), strict=True)
            yield {
                "books": count,
                "sentences": sentences,
                "ingest_s": seconds,
                "ingest_ms_a_sentence": 1000 * seconds / sentences,
                "essay_ms": spread(whole),
                "of_that_not_embedding_ms": spread([a - b for a, b in zip(whole, embedding, strict=True)]),
            }
        if count == max(given.counts):
            return


def parts_of(books: list[Path], parts: int, pages: int) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the first part of every book, then of the second …; pages: at most so many of it, 0 for all."""
    for number in range(parts):
        for path in books:
            with pymupdf.open(path) as book, pymupdf.open() as part:
                first, last = (len(book) * n // parts for n in (number, number + 1))
                part.insert_pdf(book, from_page=first, to_page=(min(last, first + pages) if pages else last) - 1)
                yield f"{path.stem} {number + 1}.pdf", part.tobytes(no_new_id=True)


def times(essays: Sequence[Essay], here: Settings, services: Services, rounds: int) -> Iterator[tuple[float, float]]:
    """Milliseconds of each essay, and of embedding its texts alone, after one that is not counted."""
    plan, scope = composition.essay_plan(here), Scope(here.school)
    find_evidence(essays[0], scope, services, plan)
    for essay in [*essays] * rounds:
        embedding = milliseconds(services.embedder.embed_queries, texts_to_embed(essay))
        yield milliseconds(find_evidence, essay, scope, services, plan), embedding


def milliseconds(work: Callable[..., Any], *arguments: Any) -> float:
    began = time.perf_counter()
    work(*arguments)
    return 1000 * (time.perf_counter() - began)


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
