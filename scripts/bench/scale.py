"""Many schools on one machine, without a vector server: times of an essay's search, its memory, and whether it finds the same.

    python -m scripts.bench.scale HOME [--essays FILE …] [--schools 100] [--mapped 1000] [--sentences 150000] [--compared 200]

HOME: with books, e.g. build/bench/home, which `make bench` fills. FILE: essays, JSON lines with paragraphs or CSV with text.

in full: schools with copies of HOME's index and contexts, a file each; search and re-scoring of 25 queries.
mapped: schools of so many sentences, of which signs and records are on disk; vectors are holes in the files, so that they fit.
A school not in memory: its pages are dropped from the system's cache before. Memory is that of /proc/self/smaps_rollup.
the same evidence: of each essay, beside what comparing all sentences finds, the whole way of the product."""

import argparse
import csv
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from unittest.mock import patch

import numpy as np

from chapterverse import composition
from chapterverse.core.arrays import arrays_in, bytes_of_arrays
from chapterverse.core.hits import Granularity, Partition, Query, QueryKind, Scope, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.core.recent import Recent
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.model import Essay
from chapterverse.essays.text.parse import parse_essay
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors import bucket as bucket_index
from chapterverse.infrastructure.vectors.bucket import BucketIndex, object_name
from chapterverse.library.contexts import context_name, load_context
from chapterverse.library.model import VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries
from chapterverse.search.rescore import rescorer
from chapterverse.settings import Settings

QUERIES, BOOKS, DIMENSIONS = 25, 20, 384
LONGEST = 12_000  # characters of an essay
WARM, COLD, SAME = 0.1, 1.0, 0.99  # goals: seconds, seconds, share of essays
PLAN = replace(ESSAY_FEEDBACK, min_score=-1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--essays", type=Path, nargs="*", default=[])
    parser.add_argument("--schools", type=int, default=100)
    parser.add_argument("--mapped", type=int, default=1000)
    parser.add_argument("--sentences", type=int, default=150_000, help="of a mapped school")
    parser.add_argument("--draws", type=int, default=300, help="essays of schools in memory")
    parser.add_argument("--compared", type=int, default=200, help="essays whose evidence is compared with the exact product's")
    parser.add_argument("--folder", type=Path, help="has room: 0.14 GB a school in full, later 0.015 GB a mapped one")
    given = parser.parse_args()
    assert os.environ.get("OPENBLAS_NUM_THREADS") == "1", "numpy was loaded first: set OPENBLAS_NUM_THREADS=1, as `make` does"
    services = composition.compose(Settings(home=given.home, max_books=1000))
    essays = list(islice(essays_in(given.essays), given.compared))
    queries = queries_of(essays, services.embedder)
    for name, count, build in (
        ("in full", given.schools, lambda at, schools: in_full(at, schools, services)),
        (f"mapped, {given.sentences:,} sentences", given.mapped, lambda at, schools: mapped(at, schools, given.sentences)),
    ):
        with TemporaryDirectory(dir=given.folder) as folder:
            began = perf_counter()
            schools = build(Path(folder), [f"s{number:04d}" for number in range(count)]) if count else []
            if schools:
                print(
                    f"\n{count:,} schools {name}: {gigabytes(Path(folder)):.1f} GB, written in {perf_counter() - began:.0f} s"
                )
                measure(schools, queries, services, given.draws)
    if given.compared:
        compare(essays, services)


@dataclass(frozen=True)
class School:
    """A school's index, and the versions in it. keys: of their contexts, empty without."""

    folder: Path
    partition: Partition
    versions: tuple[str, ...]
    keys: tuple[VersionKey, ...]

    def files(self) -> Iterator[Path]:
        return (path for path in (self.folder / self.partition.school).rglob("*") if path.is_file())

    def forget(self) -> None:
        """Drop its pages from the system's cache."""
        for path in self.files():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def search(self, queries: EmbeddedQueries, services: CollectionServices) -> None:
        """As the product does, from the queries' vectors to the re-scored candidates."""
        hits = services.index.search(self.partition, queries.vectors, PLAN.candidates_per_query, self.versions)
        if self.keys:
            rescorer(PLAN, self.keys, services)(queries, hits)


def in_full(folder: Path, schools: Sequence[str], services: CollectionServices) -> list[School]:
    """A copy of HOME's books for each school, in files of its own."""
    keys = [book.active.key for book in services.catalog.books("local") if book.active]
    bucket, index = FolderBucket(folder), services.index
    objects = [(key, index.bucket.read(object_name(key.partition, key.version)), context(key, services)) for key in keys]
    made = []
    for name in schools:
        its = tuple(replace(key, school=name) for key in keys)
        for key, (_, rows, surroundings) in zip(its, objects, strict=True):
            bucket.write(object_name(key.partition, key.version), with_signs(rows))
            bucket.write(context_name(key), surroundings)
        made.append(School(folder, its[0].partition, tuple(key.version for key in its), its))
    return made


def context(key: VersionKey, services: CollectionServices) -> bytes:
    """In today's format, which an older release did not write."""
    read = load_context(services.bucket, key)
    rows = np.array([read.rows[id] for id in sorted(read.rows)], np.int32)
    return bytes_of_arrays(read.directions, read.hubness, np.array([id.encode() for id in sorted(read.rows)]), rows)


def with_signs(rows: bytes) -> bytes:
    """An object of the index, with the signs that an older release did not write."""
    vectors, text, ends, *_ = arrays_in(rows)
    return bytes_of_arrays(vectors, text, ends, np.packbits(vectors > 0, axis=1))


def mapped(folder: Path, schools: Sequence[str], sentences: int) -> list[School]:
    """Schools of made signs: their vectors are a hole in the file, which reads as zeros and takes no room on the disk."""
    rows, random = sentences // BOOKS, np.random.default_rng(0)
    record = json.dumps(["s000000", "b", "v", None, "1", "p", None, None]).encode()
    text = np.frombuffer(b"".join(record.replace(b"000000", b"%06d" % row) for row in range(rows)), np.uint8)
    ends = np.cumsum([len(record)] * rows, dtype=np.int64)
    head = header(rows)
    for name in schools:
        for book in range(BOOKS):
            partition = Partition(name, Granularity.SENTENCE, "made")
            path = folder / object_name(partition, f"v{book}")
            path.parent.mkdir(parents=True, exist_ok=True)
            signs = np.frombuffer(random.bytes(rows * DIMENSIONS // 8), np.uint8).reshape(rows, -1)
            with path.open("wb") as file:
                file.write(head)
                file.seek(len(head) + rows * DIMENSIONS * 4)
                file.write(bytes_of_arrays(text, ends, signs))
    os.sync()
    return [
        School(folder, Partition(name, Granularity.SENTENCE, "made"), tuple(f"v{book}" for book in range(BOOKS)), ())
        for name in schools
    ]


def header(rows: int) -> bytes:
    """What stands before the values of an array (rows, DIMENSIONS) of float32."""
    file = BytesIO()
    about = {"descr": np.dtype(np.float32).str, "fortran_order": False, "shape": (rows, DIMENSIONS)}
    np.lib.format.write_array_header_1_0(file, about)
    return file.getvalue()


def measure(schools: Sequence[School], queries: EmbeddedQueries, services: CollectionServices, essays: int) -> None:
    """Print a row for schools that are not in memory and one for schools that are."""
    recent = Recent()
    bucket = FolderBucket(schools[0].folder)
    services = replace(services, bucket=bucket, recent=recent, index=BucketIndex(bucket, recent))
    random = np.random.default_rng(1)
    os.sync()
    before = memory()
    print("| | essays | p50, ms | p95, ms | CPU, ms | goal |\n|---|---|---|---|---|---|")
    cold = list(map(schools.__getitem__, random.permutation(len(schools))[:100]))
    for school in cold:
        school.forget()
    report("not in memory", [timed(school, queries, services) for school in cold], COLD)
    for school in schools:
        school.search(queries, services)
    draws = [schools[number] for number in random.integers(len(schools), size=essays)]
    report("in memory, any school", [timed(school, queries, services) for school in draws], WARM)
    few = [schools[number % min(5, len(schools))] for number in range(essays)]
    report("in memory, five schools in turn", [timed(school, queries, services) for school in few], WARM)
    after = memory()
    print(
        f"memory of the process, MiB: own {before['own']:.0f} → {after['own']:.0f}; mapped files {after['files']:.0f}; "
        f"signs of all schools {signs_of(schools) / 2**20:,.0f}; files in the system's cache {cached() / 1024:.1f} GiB"
    )


def timed(school: School, queries: EmbeddedQueries, services: CollectionServices) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    began, worked = perf_counter(), process_time()
    school.search(queries, services)
    return perf_counter() - began, process_time() - worked


def report(name: str, times: Sequence[tuple[float, float]], goal: float) -> None:
    clock = quantiles([seconds for seconds, _ in times], n=20) if len(times) > 1 else [times[0][0]] * 19
    worked = sum(seconds for _, seconds in times) / len(times)
    met = "met" if clock[18] <= goal else f"missed: {1000 * goal:.0f}"
    print(
        f"| {name} | {len(times)} | {1000 * clock[9]:.0f} | {1000 * clock[18]:.0f} | {1000 * worked:.0f} | {met} |", flush=True
    )


def compare(essays: Sequence[Essay], services: CollectionServices) -> None:
    """Print in how many essays the evidence that signs find is that of comparing all sentences, with and without the product's
    model of usefulness."""
    model = composition.essay_context(Settings(), services).usefulness
    services = replace(services, embedder=Memory(services.embedder))
    for name, usefulness in (("by usefulness", model), ("by similarity", None)):
        same, some = 0, 0
        for essay in essays:
            with patch.object(bucket_index, "COMPARE_ALL", 0):
                found = [sentence.passage.sentence.id for sentence in evidence(essay, services, usefulness)]
            with patch.object(bucket_index, "COMPARE_ALL", 10**9):
                exact = [sentence.passage.sentence.id for sentence in evidence(essay, services, usefulness)]
            same, some = same + (found == exact), some + bool(exact)
        share = same / max(len(essays), 1)
        print(
            f"the same evidence in the same order, {name}: {same} of {len(essays)} essays ({share:.3f}, goal {SAME}); "
            f"{some} have evidence",
            flush=True,
        )


def evidence(essay: Essay, services: CollectionServices, usefulness: object) -> Sequence[object]:
    return find_evidence(essay, Scope("local"), services, usefulness=usefulness).evidence  # type: ignore[arg-type]


@dataclass
class Memory:
    """An embedder that embeds the same texts once."""

    embedder: Embedder
    known: dict[tuple[str, ...], Vectors] = field(default_factory=dict)

    def __getattr__(self, name: str) -> object:
        return getattr(self.embedder, name)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        if tuple(texts) not in self.known:
            self.known[tuple(texts)] = self.embedder.embed_queries(texts)
        return self.known[tuple(texts)]


def queries_of(essays: Sequence[Essay], embedder: Embedder) -> EmbeddedQueries:
    """25 queries: paragraphs and sentences of the first essays."""
    texts = [paragraph.text for essay in essays for paragraph in essay.paragraphs][:QUERIES] or ["A sentence."]
    texts = (texts * QUERIES)[:QUERIES]
    return EmbeddedQueries(tuple(Query(text, QueryKind.PARAGRAPH, 0) for text in texts), embedder.embed_queries(texts))


def essays_in(files: Sequence[Path]) -> Iterator[Essay]:
    """The essays of the files; the sample essay without files."""
    for file in files:
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines) if file.suffix == ".csv" else map(json.loads, lines):
                paragraphs = row.get("paragraphs") or [{"text": row["text"]}]
                yield parse_essay("\n\n".join(each["text"] for each in paragraphs)[:LONGEST], LONGEST)
    if not files:
        yield parse_essay(Path("samples/essay.md").read_text("utf-8"), LONGEST)


def memory() -> dict[str, float]:
    """MiB of this process that are its own, and of mapped files."""
    lines = (line.split() for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:])
    sizes = {words[0].rstrip(":"): int(words[1]) / 1024 for words in lines}
    return {"own": sizes["Anonymous"], "files": sizes["Rss"] - sizes["Anonymous"]}


def cached() -> float:
    """MiB of files that the system holds in memory."""
    lines = (line.split() for line in Path("/proc/meminfo").read_text().splitlines())
    return next(int(words[1]) / 1024 for words in lines if words[0] == "Cached:")


def signs_of(schools: Sequence[School]) -> float:
    """MiB × 2^20 of the signs of all schools, by the first one's."""
    index = BucketIndex(FolderBucket(schools[0].folder), Recent())
    return len(schools) * sum(index.count(schools[0].partition, version) for version in schools[0].versions) * DIMENSIONS / 8


def gigabytes(folder: Path) -> float:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / 1e9


if __name__ == "__main__":
    main()
