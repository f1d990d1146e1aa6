"""What an embedded Chroma leaves on the disk, and what becomes of a database that is none any more."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing import get_context
from pathlib import Path

from chapterverse.core.hits import Granularity, Partition
from chapterverse.infrastructure.vectors.chroma import DATABASE, ChromaIndex, embedded_client, remove_if_damaged, remove_orphans
from tests.support.made import a_record, unit

PARTITION = Partition("school", Granularity.SENTENCE, "words")


@contextmanager
def index_in(folder: Path) -> Iterator[ChromaIndex]:
    client = embedded_client(folder)
    yield ChromaIndex(lambda: client, folder)
    client.close()


def write(index: ChromaIndex, version: str) -> None:
    records = [a_record(f"{version}-{i}", version) for i in range(200)]
    index.write(PARTITION, version, records, unit(*[[1, i] for i in range(200)]))


def graphs(folder: Path) -> int:
    return sum(path.is_dir() for path in folder.iterdir())


def test_what_is_replaced_or_removed_leaves_no_files_behind(tmp_path: Path) -> None:
    with index_in(tmp_path) as index:
        write(index, "v1")
        write(index, "v2")
        write(index, "v2")
        assert graphs(tmp_path) == 2

        index.remove(PARTITION, "v1")

        assert graphs(tmp_path) == 1


def test_only_what_the_database_does_not_know_is_an_orphan(tmp_path: Path) -> None:
    with index_in(tmp_path) as index:
        write(index, "v1")
        (tmp_path / "0b6a6bd8-left-by-a-killed-writer").mkdir()

        remove_orphans(tmp_path)

        assert graphs(tmp_path) == 1
        assert index.search(PARTITION, unit([1, 0]), 1, ["v1"])[0][0].record.id == "v1-0"


def test_a_database_that_is_none_is_begun_anew(tmp_path: Path) -> None:
    with index_in(tmp_path) as index:
        write(index, "v1")
    for file in tmp_path.glob(f"{DATABASE}*"):
        file.write_bytes(b"no database " * 1000)

    with index_in(tmp_path) as index:
        assert index.count(PARTITION, "v1") == 0
        write(index, "v1")


def test_a_database_that_is_only_locked_is_left_alone(tmp_path: Path) -> None:
    with index_in(tmp_path) as index:
        write(index, "v1")
    with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        remove_if_damaged(tmp_path)

    with index_in(tmp_path) as index:
        assert index.count(PARTITION, "v1") == 200


def test_however_many_processes_begin_a_new_one_at_once_all_can_write(tmp_path: Path) -> None:
    with get_context("spawn").Pool(2) as processes:
        counts = processes.starmap(open_and_write, [(tmp_path / "new", f"v{number}") for number in range(2)])

    assert counts == [200, 200]


def open_and_write(folder: Path, version: str) -> int:
    with index_in(folder) as index:
        write(index, version)
        return index.count(PARTITION, version)
