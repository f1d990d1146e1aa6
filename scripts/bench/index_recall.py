"""How the index is cut into collections, and how HNSW is set: recall@10 against exact search, latency, write time, bytes.

    python -m scripts.bench.index_recall BOOKS --queries FILE.jsonl [--postgres postgresql+psycopg://…]

BOOKS: a folder of .txt files, each a book, one sentence a line; vectors are kept beside them as .npy. FILE.jsonl: objects whose
strings of six words and more are queries (../shared/retrieval/variants.jsonl). Settings are printed with the figures. With an
empty PostgreSQL database, pgvector is measured in the place of Chroma."""

import argparse
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import chromadb
import numpy as np

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.hits import Granularity, Partition, Record, Vectors
from chapterverse.core.ports import VectorIndex
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder
from chapterverse.infrastructure.sql.engine import open_postgresql
from chapterverse.infrastructure.vectors import chroma as ours
from chapterverse.infrastructure.vectors import pgvector
from chapterverse.infrastructure.vectors.chroma import embedded_client, embedded_index

MODEL = "all-MiniLM-L6-v2"
SCHOOL = Partition("school", Granularity.SENTENCE, MODEL)
K = 10
AT_ONCE = 30  # queries of an essay of ten paragraphs
Search = Callable[[Vectors, Sequence[str]], list[list[str]]]
"""Queries and the books to look in to the ids of the K nearest of each query."""


@dataclass(frozen=True)
class Corpus:
    """Vectors (n, d) of each book by its name, and those of the queries."""

    books: dict[str, Vectors]
    queries: Vectors

    def records(self, book: str) -> list[Record]:
        rows = range(len(self.books[book]))
        return [
            Record(SentenceId(f"{book}/{i}"), BookId(book), book, "A Chapter", str(i // 20), f"p{i // 5}", None, None)
            for i in rows
        ]


def load(folder: Path, queries: Path, cache: Path) -> Corpus:
    embedder = OnnxEmbedder(MODEL, cache)
    books = {path.stem: vectors_of(path, embedder) for path in sorted(folder.glob("*.txt"))}
    texts = [text for line in queries.open() for text in json.loads(line).values() if str(text).count(" ") >= 5]
    return Corpus(books, embedder.embed_queries(texts))


def vectors_of(path: Path, embedder: OnnxEmbedder) -> Vectors:
    kept = path.with_suffix(".npy")
    if not kept.exists():
        np.save(kept, embedder.embed_passages(path.read_text("utf-8").splitlines()))
    return np.load(kept)


def one_collection_a_book(corpus: Corpus, folder: Path) -> Search:
    """What the product does."""
    return fill(embedded_index(folder), corpus)


def one_table_a_book(database: str, corpus: Corpus, _: Path) -> Search:
    """The same on PostgreSQL, whose own size is not in the figures."""
    return fill(pgvector.PgvectorIndex(open_postgresql(database)), corpus)


def fill(index: VectorIndex, corpus: Corpus) -> Search:
    for book, vectors in corpus.books.items():
        index.write(SCHOOL, book, corpus.records(book), vectors)
    return lambda queries, books: [[hit.record.id for hit in hits] for hits in index.search(SCHOOL, queries, K, books)]


def one_collection_with_a_filter(corpus: Corpus, folder: Path) -> Search:
    """All books of a school in one; a filter names those that are looked in, unless it is all of them."""
    hnsw: Any = {
        "space": "cosine",
        "ef_search": ours.EF_SEARCH,
        "ef_construction": ours.EF_CONSTRUCTION,
        "max_neighbors": ours.MAX_NEIGHBORS,
    }
    collection = embedded_client(folder).create_collection("school", configuration={"hnsw": hnsw}, embedding_function=None)
    for book, vectors in corpus.books.items():
        records = corpus.records(book)
        for start in range(0, len(records), 5000):
            batch = records[start : start + 5000]
            collection.add([r.id for r in batch], vectors[start : start + 5000], [ours.metadata_of(r) for r in batch])

    def search(queries: Vectors, books: Sequence[str]) -> list[list[str]]:
        where: Any = None if len(books) == len(corpus.books) else {"version": {"$in": list(books)}}
        return collection.query(
            query_embeddings=queries, n_results=K, where=where, include=["metadatas", "distances", "embeddings"]
        )["ids"]

    return search


class Exact:
    """Every sentence of some books compared with every query."""

    def __init__(self, corpus: Corpus, books: Sequence[str]) -> None:
        self.rows = {
            f"{book}/{i}": row for row, (book, i) in enumerate((b, i) for b in books for i in range(len(corpus.books[b])))
        }
        self.vectors = np.concatenate([corpus.books[book] for book in books])

    def thresholds(self, queries: Vectors) -> Vectors:
        """The K-th best cosine of each query."""
        return np.partition(queries @ self.vectors.T, -K, axis=1)[:, -K]

    def share(self, query: Vectors, threshold: float, found: Sequence[str]) -> float:
        """How many of the K nearest were found; of sentences that say the same, any will do."""
        scores = self.vectors[[self.rows[id] for id in found]] @ query
        return float((scores >= threshold - 1e-6).sum()) / K


def scopes(books: Sequence[str]) -> Iterator[list[list[str]]]:
    """One book, five, all but one, all: several of each, so that each figure is of more than one topic."""
    yield [[book] for book in books[::4]]
    yield [[*books[start::4]][:5] for start in range(4)]
    yield [[other for other in books if other != book] for book in books[::7]]
    yield [list(books)]


def measure(name: str, settings: str, corpus: Corpus, build: Callable[[Corpus, Path], Search], queries_a_scope: int) -> None:
    folder = Path(tempfile.mkdtemp())
    seconds, search = timed(build, corpus, folder)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{name}: {settings}; written in {seconds:.0f} s, {size / 2**20:.0f} MiB", flush=True)
    for group in scopes(list(corpus.books)):
        print("  " + figures(corpus, group, search, queries_a_scope), flush=True)
    shutil.rmtree(folder)


def figures(corpus: Corpus, group: list[list[str]], search: Search, count: int) -> str:
    """Recall with AT_ONCE queries a call; latency of that, and of each query alone."""
    recalls, alone, together, by_numpy = [], [], [], []
    rng = np.random.default_rng(0)
    for books in group:
        queries, truth = corpus.queries[rng.permutation(len(corpus.queries))[:count]], Exact(corpus, books)
        search(queries[:1], books)  # the first loads the graphs
        recalls.append([])
        for batch in np.array_split(queries, count // AT_ONCE):
            seconds, thresholds = timed(truth.thresholds, batch)
            by_numpy.append(seconds)
            seconds, found = timed(search, batch, books)
            together.append(seconds)
            recalls[-1] += [truth.share(*each) for each in zip(batch, thresholds, found, strict=True)]
        alone += [timed(search, query[None], books)[0] for query in queries[:AT_ONCE]]
    of_scopes = [np.mean(recall) for recall in recalls]
    return (
        f"{len(group[0]):2} of {len(corpus.books)} books, {len(group)} times: "
        f"recall@{K} {np.mean(of_scopes):.4f}, worst {min(of_scopes):.4f}; "
        f"1 query p50 {ms(alone, 50)} p95 {ms(alone, 95)} ms; {AT_ONCE} queries p50 {ms(together, 50)} "
        f"p95 {ms(together, 95)} ms; numpy, exact p50 {ms(by_numpy, 50)} ms"
    )


def timed(work: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    began = time.perf_counter()
    found = work(*arguments)
    return time.perf_counter() - began, found


def ms(seconds: list[float], percentile: float) -> str:
    return f"{np.percentile(seconds, percentile) * 1000:.1f}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("books", type=Path)
    arguments.add_argument("--queries", type=Path, required=True)
    arguments.add_argument("--cache", type=Path, default=Path("build/models"))
    arguments.add_argument(
        "--settings",
        nargs="*",
        default=[f"{ours.EF_SEARCH},{ours.EF_CONSTRUCTION},{ours.MAX_NEIGHBORS}"],
        help="ef_search,ef_construction,max_neighbors",
    )
    arguments.add_argument("--count", type=int, default=120, help="queries a scope")
    arguments.add_argument("--only", choices=["book", "school"])
    arguments.add_argument("--postgres", help="address of an empty database: measure pgvector alone")
    given = arguments.parse_args()
    corpus = load(given.books, given.queries, given.cache)
    print(
        f"{sum(map(len, corpus.books.values())):,} sentences, {len(corpus.books)} books, {len(corpus.queries)} queries; "
        f"Chroma {chromadb.__version__}, {os.cpu_count()} cores, {platform.machine()}"
    )
    if given.postgres:
        settings = f"width {pgvector.WIDTH}, ef_construction {pgvector.EF_CONSTRUCTION}, m {pgvector.NEIGHBOURS}"
        measure("pgvector", settings, corpus, partial(one_table_a_book, given.postgres), given.count)
        return
    for setting in given.settings:
        ours.EF_SEARCH, ours.EF_CONSTRUCTION, ours.MAX_NEIGHBORS = map(int, setting.split(","))
        settings = f"ef_search {ours.EF_SEARCH}, ef_construction {ours.EF_CONSTRUCTION}, M {ours.MAX_NEIGHBORS}"
        if given.only != "school":
            measure("one collection a book version", settings, corpus, one_collection_a_book, given.count)
        if given.only != "book":
            measure("one collection a school, filtered", settings, corpus, one_collection_with_a_filter, given.count)


if __name__ == "__main__":
    main()
