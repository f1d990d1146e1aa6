"""Beside the contract of every index: which candidates are compared, and what is remembered of an object."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.hits import Granularity, Partition, Vectors
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors import bucket as bucket_index
from chapterverse.infrastructure.vectors.bucket import BucketIndex, object_name
from chapterverse.infrastructure.vectors.chroma import collection_name
from tests.support.made import a_record, unit
from tests.support.refusals import refused

PARTITION = Partition("school", Granularity.SENTENCE, "model")


@pytest.fixture
def index(tmp_path: Path) -> BucketIndex:
    return BucketIndex(FolderBucket(tmp_path / "vectors"), Recent())


def drawn(count: int, dimensions: int = 32, seed: int = 0) -> Vectors:
    return unit(*np.random.default_rng(seed).normal(size=(count, dimensions)))


def write(index: BucketIndex, count: int, dimensions: int = 32) -> None:
    index.write(PARTITION, "v1", [a_record(f"s{i}") for i in range(count)], drawn(count, dimensions))


def found(index: BucketIndex, queries: Vectors, k: int) -> list[list[str]]:
    return [[hit.record.id for hit in hits] for hits in index.search(PARTITION, queries, k, ["v1"])]


def nearest(queries: Vectors, vectors: Vectors, k: int) -> list[list[str]]:
    return [[f"s{i}" for i in np.argsort(-cosines)[:k]] for cosines in queries @ vectors.T]


def test_few_sentences_are_all_compared_and_found_by_their_vectors(index: BucketIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    write(index, 500)
    assert found(index, drawn(7, seed=1), 10) == nearest(drawn(7, seed=1), drawn(500), 10)

    write(index, 500)
    monkeypatch.setattr(bucket_index, "CANDIDATES", 1)
    monkeypatch.setattr(bucket_index, "COMPARE_ALL", 1)
    assert found(index, drawn(500), 1) == [[f"s{i}"] for i in range(500)]


@pytest.mark.parametrize("dimensions", [32, 30], ids=["whole bytes", "a part of a byte"])
def test_of_many_the_nearest_by_sign_are_compared(index: BucketIndex, monkeypatch: pytest.MonkeyPatch, dimensions: int) -> None:
    write(index, 3000, dimensions)
    monkeypatch.setattr(bucket_index, "CANDIDATES", 600)
    monkeypatch.setattr(bucket_index, "COMPARE_ALL", 1)
    queries = drawn(9, dimensions, seed=1)

    by_signs, exactly = found(index, queries, 10), nearest(queries, drawn(3000, dimensions), 10)

    assert np.mean([len({*some} & {*all}) / 10 for some, all in zip(by_signs, exactly, strict=True)]) >= 0.95
    assert [hits[0] for hits in by_signs] == [hits[0] for hits in exactly]


def test_many_queries_are_compared_in_groups_with_the_same_result(index: BucketIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    write(index, 50)
    together = found(index, drawn(9, seed=1), 3)

    monkeypatch.setattr(bucket_index, "AT_ONCE", 100)

    assert found(index, drawn(9, seed=1), 3) == together


def test_a_version_whose_object_is_lost_is_not_there(index: BucketIndex) -> None:
    write(index, 5)
    index.bucket.delete("school/")

    assert index.count(PARTITION, "v1") == 0
    with refused(IndexUnavailable, "book_not_indexed"):
        BucketIndex(index.bucket, Recent()).search(PARTITION, unit([1.0] * 32), 1, ["v1"])


@pytest.mark.parametrize("damage", [b"", b"no vectors", b"\x93NUMPY\x01\x00v\x00{'descr'", b"\x93NUMPY\x02\x00", None])
def test_a_damaged_object_is_not_taken_for_the_version(index: BucketIndex, damage: bytes | None) -> None:
    """None: it is cut short."""
    write(index, 5)
    name = object_name(PARTITION, "v1")
    index.bucket.write(name, index.bucket.read(name)[:-1] if damage is None else damage)
    index.recent.forget(name)

    with pytest.raises(IndexUnavailable):
        index.search(PARTITION, unit([1.0] * 32), k=1, books=["v1"])


def test_an_object_that_is_open_is_searched_although_it_was_removed(index: BucketIndex) -> None:
    write(index, 5)
    for _ in range(2):
        index.search(PARTITION, unit([1.0] * 32), k=1, books=["v1"])
        index.bucket.delete("school/")

    assert len(index.search(PARTITION, unit([1.0] * 32), k=5, books=["v1"])[0]) == 5


def test_an_object_that_is_mapped_takes_little_of_the_cache(index: BucketIndex) -> None:
    write(index, 5000, dimensions=384)

    index.search(PARTITION, unit([1.0] * 384), k=1, books=["v1"])

    assert index.recent.nbytes <= 2**20


@given(st.text(), st.text(), st.text())
def test_every_partition_has_a_name_that_chroma_takes(school: str, model: str, version: str) -> None:
    name = collection_name(Partition(school, Granularity.SENTENCE, model), version)

    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{1,510}[a-z0-9]", name)


def test_the_same_partition_has_the_same_name_next_year() -> None:
    partition = Partition("local", Granularity.SENTENCE, "all-MiniLM-L6-v2")

    assert collection_name(partition, "1f9c22ab01d3e4f5") == "local-sentence-all-minilm-l6-v2-1f9c22ab01d3e4f5-dc784943"
