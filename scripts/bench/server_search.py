"""One essay's search in twenty books on a Chroma server: along the server's graphs, and compared where the question is.

    python -m scripts.bench.server_search [--sentences 800] [--times 8]

A server of its own on loopback, random unit vectors of 384 dimensions, 25 queries for their 100 best, taking turns."""

import argparse
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Granularity, Partition, Vectors
from chapterverse.core.ports import VectorIndex
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.chroma import server_index
from chapterverse.infrastructure.vectors.exact import ArrayIndex, ExactIndex
from tests.support.made import a_record
from tests.support.servers import chroma_server

BOOKS = [f"v{number}" for number in range(20)]
QUERIES, BEST = 25, 100
PARTITION = Partition("school", Granularity.SENTENCE, "random")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=800, help="of each book")
    parser.add_argument("--times", type=int, default=8)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder, chroma_server(Path(folder) / "server") as port:
        server = server_index(f"http://127.0.0.1:{port}")
        exact = ExactIndex(server, ArrayIndex(FolderBucket(Path(folder) / "vectors"), Recent()))
        rng = np.random.default_rng(0)
        for book in BOOKS:
            records = [replace(a_record("x"), id=SentenceId(f"{book}-{n}")) for n in range(asked.sentences)]
            exact.write(PARTITION, book, records, unit(rng, asked.sentences))
        queries = unit(rng, QUERIES)
        taken = [(seconds(server, queries), seconds(exact, queries)) for _ in range(asked.times)]
    for name, times in zip(("the server's graphs", "compared here"), zip(*taken, strict=True), strict=True):
        print(f"{name:20} p50 {1000 * median(times):7.0f} ms   least {1000 * min(times):7.0f} ms")


def unit(rng: np.random.Generator, n: int) -> Vectors:
    vectors = rng.normal(size=(n, 384)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def seconds(index: VectorIndex, queries: Vectors) -> float:
    began = time.perf_counter()
    index.search(PARTITION, queries, BEST, BOOKS)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
