"""Beside the contract of every index: the copy that is compared, and what is remembered of it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.hits import Granularity, Partition
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors import exact as exact_index
from chapterverse.infrastructure.vectors.chroma import ChromaIndex, embedded_client
from chapterverse.infrastructure.vectors.exact import ArrayIndex, ExactIndex
from tests.support.made import a_record, unit
from tests.support.refusals import refused

PARTITION = Partition("school", Granularity.SENTENCE, "model")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[ExactIndex]:
    with closing(embedded_client(tmp_path / "chroma")) as client:
        copies = ArrayIndex(FolderBucket(tmp_path / "vectors"), Recent())
        yield ExactIndex(ChromaIndex(lambda: client, tmp_path / "chroma"), copies)


def write(index: ExactIndex, count: int, dimensions: int = 32) -> None:
    vectors = unit(*np.random.default_rng(0).normal(size=(count, dimensions)))
    index.write(PARTITION, "v1", [a_record(f"s{i}") for i in range(count)], vectors)


def test_what_comes_back_is_what_comparing_everything_gives(index: ExactIndex) -> None:
    write(index, 500)
    queries = unit(*np.random.default_rng(1).normal(size=(7, 32)))

    found = index.search(PARTITION, queries, k=10, books=["v1"])

    cosines = queries @ unit(*np.random.default_rng(0).normal(size=(500, 32))).T
    assert [[hit.record.id for hit in hits] for hits in found] == [
        [f"s{i}" for i in np.argsort(-of_query)[:10]] for of_query in cosines
    ]


def test_many_queries_are_compared_in_groups_with_the_same_result(index: ExactIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    write(index, 50)
    queries = unit(*np.random.default_rng(1).normal(size=(9, 32)))
    together = index.search(PARTITION, queries, k=3, books=["v1"])

    monkeypatch.setattr(exact_index, "AT_ONCE", 100)

    found = index.search(PARTITION, queries, k=3, books=["v1"])
    assert [[hit.record.id for hit in hits] for hits in found] == [[hit.record.id for hit in hits] for hits in together]


def test_a_version_whose_copy_is_lost_is_not_whole(index: ExactIndex) -> None:
    write(index, 5)
    index.copies.bucket.delete("school/")
    index.copies.recent.forget(exact_index.object_name(PARTITION, "v1"))

    assert index.count(PARTITION, "v1") == 5
    with refused(IndexUnavailable, "book_not_indexed"):
        index.held(PARTITION, "v1", unit([1.0] * 32))


@pytest.mark.parametrize("damage", [b"", b"no vectors", b"\x93NUMPY\x01\x00v\x00{'descr'"])
def test_a_damaged_copy_is_not_taken_for_the_version(index: ExactIndex, damage: bytes) -> None:
    write(index, 5)
    name = exact_index.object_name(PARTITION, "v1")
    index.copies.bucket.write(name, damage)
    index.copies.recent.forget(name)

    with pytest.raises(IndexUnavailable):
        index.search(PARTITION, unit([1.0] * 32), k=1, books=["v1"])


def test_vectors_of_a_version_are_read_once(index: ExactIndex) -> None:
    write(index, 5)
    for _ in range(2):
        index.search(PARTITION, unit([1.0] * 32), k=1, books=["v1"])
        index.copies.bucket.delete("school/")

    assert len(index.search(PARTITION, unit([1.0] * 32), k=5, books=["v1"])[0]) == 5
