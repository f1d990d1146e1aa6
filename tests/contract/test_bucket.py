"""What every Bucket must do."""

import os
from concurrent.futures import ThreadPoolExecutor
from fcntl import LOCK_EX, flock
from itertools import count
from pathlib import Path

import pytest

from chapterverse.core.errors import BadRequest, BucketUnavailable, NotFound
from chapterverse.core.ports import Bucket
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.storage.gcs import GcsBucket
from tests.support.object_stores import gcs_client
from tests.support.refusals import refused

BUCKETS = count(1)


def folder(request: pytest.FixtureRequest) -> Bucket:
    return FolderBucket(request.getfixturevalue("tmp_path") / "bucket")


def gcs(request: pytest.FixtureRequest) -> Bucket:
    return GcsBucket(gcs_client(request.getfixturevalue("gcs_server")).create_bucket(f"artefacts-{next(BUCKETS)}"))


@pytest.fixture(params=[folder, gcs], ids=lambda start: start.__name__)
def bucket(request: pytest.FixtureRequest) -> Bucket:
    """Each real bucket, empty."""
    empty: Bucket = request.param(request)
    return empty


def test_what_is_open_stays_as_it_was(bucket: Bucket) -> None:
    bucket.write("a/empty", b"")
    bucket.write("a/b", b"long first words")
    opened = bucket.open("a/b")

    bucket.write("a/b", b"other")
    now = bucket.open("a/b")
    bucket.delete("a/b")

    assert (opened[:], now[:], bucket.open("a/empty")[:]) == (b"long first words", b"other", b"")
    with pytest.raises(NotFound):
        bucket.open("a/b")


def test_writing_again_replaces_and_what_is_not_there_is_not_found(bucket: Bucket) -> None:
    bucket.write("a/b/other", b"a long first text")
    bucket.write("a/b/other", b"short")

    assert bucket.read("a/b/other") == b"short"
    assert bucket.names("") == ["a/b/other"]
    for name in ("a", "a/b", "a/b/c"):
        with pytest.raises(NotFound):
            bucket.read(name)


def test_names_are_sorted_and_begin_with_the_prefix_and_deleting_one_leaves_the_rest(bucket: Bucket) -> None:
    for name in ("s/b/2/x", "s/b/1/y", "s/b2/1/x", "t/b/1/x", "schule ü/红楼梦/1"):
        bucket.write(name, b"")

    assert bucket.names("s/b/") == ["s/b/1/y", "s/b/2/x"]
    assert bucket.names("s/b") == ["s/b/1/y", "s/b/2/x", "s/b2/1/x"]
    assert bucket.names("schule ü/") == ["schule ü/红楼梦/1"]
    for _ in range(2):
        bucket.delete("s/b/")
    assert bucket.names("s") == ["s/b2/1/x", "schule ü/红楼梦/1"]
    assert bucket.names("t") == ["t/b/1/x"]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/x", "a//b", "", "a/", ".", "a/.hidden", "a\\..\\x", "a\0b"])
def test_no_name_leads_out_of_the_bucket(bucket: Bucket, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRequest):
        bucket.write(name, b"x")
    with pytest.raises(BadRequest):
        bucket.read(name)

    assert not list(tmp_path.rglob("x"))


def test_a_reader_sees_the_old_bytes_or_the_new_never_a_mixture(bucket: Bucket) -> None:
    texts = [bytes([digit]) * 200_000 for digit in range(4)]
    bucket.write("a/b", texts[0])

    with ThreadPoolExecutor(4) as threads:
        writes = [threads.submit(bucket.write, "a/b", text) for text in texts * 5]
        reads = [bucket.read("a/b") for _ in range(100)]

    assert all(write.result() is None for write in writes)
    assert set(reads) <= set(texts)


def test_writing_while_a_neighbour_is_deleted_loses_nothing(bucket: Bucket) -> None:
    def come_and_go(number: int) -> None:
        bucket.write(f"a/b/{number}", b"")
        bucket.delete(f"a/b/{number}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(come_and_go, range(60)))
        list(threads.map(lambda number: bucket.write(f"a/b/kept{number}", b""), range(10)))

    assert len(bucket.names("a/b/kept")) == 10


def test_a_write_that_fails_leaves_the_old_object_and_no_scraps_and_deleting_no_empty_folders(tmp_path: Path) -> None:
    bucket = FolderBucket(tmp_path)
    bucket.write("a/b", b"old")

    with pytest.raises(OSError, match="a"):
        bucket.write("a", b"there is a folder of this name")

    assert bucket.read("a/b") == b"old"
    assert [file for _, _, files in os.walk(tmp_path) for file in files] == ["b"]
    bucket.write("school/a-telling-name/1/x", b"")
    bucket.delete("school/a-telling-name/")

    assert not (tmp_path / "school").exists()


def test_what_a_killed_writer_left_is_cleared_away_by_the_next_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    bucket = FolderBucket(tmp_path)
    bucket.write("a/b", b"1")
    [aside] = [path for path in tmp_path.iterdir() if path.name != "a"]
    (aside / "left").write_bytes(b"half of it")
    (aside / "living").write_bytes(b"half of it")

    with (aside / "living").open("rb") as living:
        flock(living, LOCK_EX)
        bucket.write("a/b", b"2")

    assert [path.name for path in aside.iterdir()] == ["living"]


def test_writing_the_same_bytes_again_makes_no_new_generation(gcs_server: str) -> None:
    bucket = gcs_client(gcs_server).create_bucket(f"artefacts-{next(BUCKETS)}")
    GcsBucket(bucket).write("a/b", b"1")
    first = bucket.get_blob("a/b").generation

    GcsBucket(bucket).write("a/b", b"1")

    assert bucket.get_blob("a/b").generation == first


def test_a_store_that_does_not_answer_is_unavailable() -> None:
    away = GcsBucket(gcs_client("http://127.0.0.1:9").bucket("artefacts"), seconds=0.5)

    for ask in (lambda: away.read("a/b"), lambda: away.write("a/b", b""), lambda: away.names(""), lambda: away.delete("a/")):
        with pytest.raises(BucketUnavailable):
            ask()


def test_a_bucket_that_does_not_exist_is_unavailable(gcs_server: str) -> None:
    with refused(BucketUnavailable, "bucket_missing"):
        GcsBucket(gcs_client(gcs_server).bucket("nobody")).write("a/b", b"")
