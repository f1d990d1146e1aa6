"""What every VectorIndex must do."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Semaphore

import numpy as np
import pytest

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import DimensionMismatch, IndexUnavailable
from chapterverse.core.hits import Granularity, Partition
from chapterverse.core.ports import VectorIndex
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.sql import open_postgresql
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.infrastructure.vectors.chroma import ChromaIndex
from chapterverse.infrastructure.vectors.pgvector import PgvectorIndex
from chapterverse.library.model import VersionKey
from tests.support.made import a_record as record
from tests.support.made import unit
from tests.support.servers import Postgres, free_port
from tests.support.servers import chroma_server as running_chroma

MANY = 2500  # more than any of ours asks for
PARTITION = Partition("school", Granularity.SENTENCE, "all-MiniLM-L6-v2")
KEY = VersionKey(PARTITION.school, BookId("book"), "v1", PARTITION.model)


@pytest.fixture(scope="session")
def chroma_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with running_chroma(tmp_path_factory.mktemp("server")) as port:
        yield port


@contextmanager
def chroma_served(port: int) -> Iterator[VectorIndex]:
    index = ChromaIndex(f"http://127.0.0.1:{port}")
    yield index
    for collection in index.client.list_collections():
        index.client.delete_collection(collection.name)
    index.client.close()


@contextmanager
def pgvector(url: str) -> Iterator[VectorIndex]:
    engine = open_postgresql(url)
    yield PgvectorIndex(engine)
    engine.dispose()


@pytest.fixture(params=["mapped", "chroma_server", "pgvector"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    """Each real index, empty; servers run as processes. One that cannot start fails the run: it is not skipped."""
    match request.param:
        case "mapped":
            opened = nullcontext(BucketIndex(FolderBucket(tmp_path / "vectors"), Recent()))
        case "chroma_server":
            opened = chroma_served(request.getfixturevalue("chroma_port"))
        case _:
            opened = pgvector(request.getfixturevalue("postgres").new_database())
    with opened as empty_index:
        yield empty_index


def ids_in(index: VectorIndex, version: str) -> list[str]:
    """Ids of all records, in alphabetical order."""
    [hits] = index.search(PARTITION, unit([1, 1]), k=10, books=[version])
    return sorted(hit.record.id for hit in hits)


def test_the_nearest_come_first_with_their_cosine(index: VectorIndex) -> None:
    index.write(PARTITION, "v1", [record("a"), record("b"), record("c")], unit([0, 1], [1, 1], [-1, 0]))

    [hits] = index.search(PARTITION, unit([1, 0]), k=3, books=["v1"])

    assert [(hit.record.id, round(hit.score, 3)) for hit in hits] == [("b", 0.707), ("a", 0.0), ("c", -1.0)]


def test_a_score_never_leaves_the_range_of_a_cosine(index: VectorIndex) -> None:
    vectors = unit(*np.random.default_rng(0).normal(size=(200, 384)))
    index.write(PARTITION, "v1", [record(f"s{i}") for i in range(200)], vectors)

    found = index.search(PARTITION, vectors, k=1, books=["v1"])

    assert [hits[0].record.id for hits in found] == [f"s{i}" for i in range(200)]
    assert all(hits[0].score == pytest.approx(1, abs=1e-5) and hits[0].score <= 1 for hits in found)


def test_a_record_comes_whole_with_its_vector_as_a_hit_or_by_its_id(index: VectorIndex) -> None:
    edge = replace(record("a"), chapter=None, next_sentence_id=SentenceId("b"))
    inner = replace(record("b"), prev_sentence_id=SentenceId("a"), next_sentence_id=SentenceId("c"))
    index.write(PARTITION, "v1", [edge, inner], unit([3, 4], [4, 3]))

    [hits] = index.search(PARTITION, unit([3, 4]), k=2, books=["v1"])

    assert [hit.record for hit in hits] == [edge, inner]
    assert hits[0].vector.dtype == np.float32
    assert hits[0].vector == pytest.approx([0.6, 0.8])

    index.write(PARTITION, "v1", [edge, record("b"), record("ab")], unit([3, 4], [4, 3], [1, 0]))
    stored = index.stored(PARTITION, "v1", [SentenceId("a"), SentenceId("gone"), SentenceId("ab")])

    assert {hit.record.id: hit.record for hit in stored} == {"a": edge, "ab": record("ab")}
    assert all(hit.score == 1 for hit in stored)
    assert {hit.record.id: hit.vector.round(2).tolist() for hit in stored}["a"] == pytest.approx([0.6, 0.8])
    with pytest.raises(IndexUnavailable):
        index.stored(PARTITION, "v9", [SentenceId("a")])


def test_what_is_written_takes_the_place_of_what_was_there_and_is_told_from_what_is_not(index: VectorIndex) -> None:
    index.write(PARTITION, "v1", [record("a"), record("b")], unit([1, 0], [1, 1]))
    nearest = index.search(PARTITION, unit([1, 1], [1, 0], [1, 0.2]), 1, ["v1"])
    assert [hits[0].score > 0.999 for hits in nearest] == [True, True, False]
    assert not index.search(PARTITION, np.empty((0, 2), np.float32), 1, ["v1"])

    index.write(PARTITION, "v1", [record("b"), record("c")], unit([1, 1], [0, 1]))

    assert ids_in(index, "v1") == ["b", "c"]


def test_a_search_during_a_write_finds_all_of_the_version(index: VectorIndex) -> None:
    vectors = unit(*np.random.default_rng(0).normal(size=(300, 4)))
    records = [record(f"s{i}") for i in range(300)]
    index.write(PARTITION, "v1", records, vectors)

    ended = Semaphore(0)  # searches

    def rewrite() -> None:
        for _ in range(4):
            index.write(PARTITION, "v1", records, vectors)
            while ended.acquire(blocking=False):
                pass
            assert ended.acquire(timeout=60)  # a search must come to its end between two of them

    with ThreadPoolExecutor(1) as writer:
        rewriting = writer.submit(rewrite)
        found = []
        while not rewriting.done():
            found.append(index.search(PARTITION, vectors[:3], k=300, books=["v1"]))
            ended.release()

    rewriting.result()
    assert {len(hits) for answer in found for hits in answer} == {300}
    assert {answer[0][0].record.id for answer in found} == {"s0"}


def test_more_than_one_batch_of_the_client_is_written_found_and_removed(index: VectorIndex) -> None:
    many = 5_600  # Chroma takes 5,461 at a time
    vectors = unit(*np.random.default_rng(0).normal(size=(many, 4)))

    index.write(PARTITION, "v1", [record(f"s{i}") for i in range(many)], vectors)

    assert index.count(PARTITION, "v1") == many
    index.remove(PARTITION, "v1")
    assert index.count(PARTITION, "v1") == 0


def test_only_the_versions_named_are_looked_in_and_the_k_best_of_them_together_come_first(index: VectorIndex) -> None:
    for version, id, vector in (("v1", "a", [1, 0]), ("v2", "b", [0, 1]), ("v3", "c", [1, 1])):
        index.write(PARTITION, version, [record(id, version)], unit(vector))

    [hits] = index.search(PARTITION, unit([1, 0]), k=10, books=["v2", "v3"])

    assert [hit.record.id for hit in hits] == ["c", "b"]
    index.write(PARTITION, "v1", [record(f"near{i}") for i in range(5)], unit(*[[1, i / 100] for i in range(5)]))
    index.write(PARTITION, "v2", [record("far", "v2")], unit([-1, 0]))

    [hits] = index.search(PARTITION, unit([1, 0]), k=5, books=["v1", "v2"])

    assert [hit.record.id for hit in hits] == ["near0", "near1", "near2", "near3", "near4"]


def test_a_version_without_sentences_holds_nothing_and_has_no_hits(index: VectorIndex) -> None:
    index.write(PARTITION, "v1", [], np.empty((0, 2), np.float32))

    assert index.count(PARTITION, "v1") == 0
    assert index.search(PARTITION, unit([1, 0]), k=3, books=["v1"]) == [[]]
    assert index.search(PARTITION, np.empty((0, 2), np.float32), k=3, books=["v1"]) == []


def test_a_version_that_was_removed_is_an_error_to_search_and_nothing_to_the_rest(index: VectorIndex) -> None:
    index.write(PARTITION, "v1", [record("a")], unit([1, 0]))
    index.write(PARTITION, "v2", [record("b", "v2")], unit([0, 1]))

    for _ in range(2):
        index.remove(PARTITION, "v1")

    assert index.count(PARTITION, "v1") == 0
    assert [hit.record.id for hit in index.search(PARTITION, unit([1, 0]), k=10, books=["v2"])[0]] == ["b"]
    with pytest.raises(IndexUnavailable):
        index.search(PARTITION, unit([1, 0]), k=3, books=["v2", "v1"])
    with pytest.raises(DimensionMismatch):
        index.search(PARTITION, unit([1, 0, 0]), k=1, books=["v2"])


@pytest.mark.parametrize(
    "other",
    [
        Partition("other school", Granularity.SENTENCE, "all-MiniLM-L6-v2"),
        Partition("school", Granularity.SENTENCE, "/models/all-MiniLM-L6-v2"),
        Partition("School", Granularity.SENTENCE, "all-MiniLM-L6-v2"),
        Partition("校", Granularity.SENTENCE, ""),
    ],
    ids=["school", "model", "case", "script"],
)
def test_no_query_reaches_another_partition(index: VectorIndex, other: Partition) -> None:
    index.write(PARTITION, "v1", [record("ours")], unit([1, 0]))
    index.write(other, "v1", [record("theirs")], unit([1, 0]))

    assert [hit.record.id for hit in index.search(other, unit([1, 0]), k=10, books=["v1"])[0]] == ["theirs"]


def test_of_a_book_as_long_as_a_real_one_the_ten_nearest_are_found(index: VectorIndex) -> None:
    """Sentences of a book lie near one another, by topic: 60 topics here, and queries near them."""
    chance = np.random.default_rng(1)
    topics = chance.normal(size=(60, 64))
    vectors = unit(*topics[chance.integers(60, size=2000)] + 0.7 * chance.normal(size=(2000, 64)))
    queries = unit(*topics + 0.7 * chance.normal(size=(60, 64)))
    index.write(PARTITION, "v1", [record(str(row)) for row in range(2000)], vectors)

    found = index.search(PARTITION, queries, k=10, books=["v1"])

    nearest = np.argsort(-(queries @ vectors.T), axis=1)[:, :10]
    shares = [
        len({hit.record.id for hit in hits} & set(map(str, rows))) / 10 for hits, rows in zip(found, nearest, strict=True)
    ]
    assert np.mean(shares) >= 0.99


def test_more_hits_than_a_graph_gives_at_once_come_back(index: VectorIndex) -> None:
    vectors = unit(*np.random.default_rng(0).normal(size=(MANY, 4)))
    index.write(PARTITION, "v1", [record(f"s{row}") for row in range(MANY)], vectors)

    [hits] = index.search(PARTITION, vectors[:1], k=2400, books=["v1"])

    assert len(hits) == 2400


def test_a_chroma_server_may_come_late_go_away_and_come_back(tmp_path: Path) -> None:
    port = free_port()
    index = ChromaIndex(f"http://127.0.0.1:{port}")

    for written in (False, True):
        with pytest.raises(IndexUnavailable):
            index.count(PARTITION, "v1")
        with running_chroma(tmp_path, port):
            if not written:
                index.write(PARTITION, "v1", [record("a")], unit([1, 0]))
            assert index.count(PARTITION, "v1") == 1


def test_postgres_may_come_late_go_away_and_come_back(postgres: Postgres) -> None:
    with pgvector(postgres.new_database()) as index:
        for written in (False, True):
            postgres.stop()
            with pytest.raises(IndexUnavailable):
                index.search(PARTITION, unit([1, 0]), k=1, books=["v1"])
            postgres.start()
            if not written:
                index.write(PARTITION, "v1", [record("a")], unit([1, 0]))
            assert index.count(PARTITION, "v1") == 1


def test_a_writer_of_postgres_that_dies_leaves_nothing(postgres: Postgres) -> None:
    with pgvector(postgres.new_database()) as index:
        index.write(PARTITION, "v1", [record("a")], unit([1, 0]))
        with pytest.raises(ValueError, match="zip"):
            index.write(PARTITION, "v1", [record("b"), record("c")], unit([1, 0]))

        assert ids_in(index, "v1") == ["a"]
        index.write(PARTITION, "v1", [record("b")], unit([1, 0]))
        assert ids_in(index, "v1") == ["b"]
