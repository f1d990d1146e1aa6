"""What the index of words must do."""

from pathlib import Path

import pytest

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.hits import Granularity, Partition
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketWords
from tests.support.refusals import refused

PARTITION = Partition("school", Granularity.SENTENCE, "all-MiniLM-L6-v2")
COURSE = [
    ("late", "Homework that is handed in late loses ten percent a day."),
    ("office", "Office hours are on Mondays in room 12."),
    ("grades", "Homework counts a third of the grade, the exam the rest."),
    ("books", "The course has no textbook."),
]


@pytest.fixture
def index(tmp_path: Path) -> BucketWords:
    return BucketWords(FolderBucket(tmp_path), Recent())


def texts(*given: tuple[str, str]) -> list[tuple[SentenceId, str]]:
    return [(SentenceId(id), text) for id, text in given]


def found(index: BucketWords, query: str, k: int = 10, books: tuple[str, ...] = ("v1",)) -> list[str]:
    [hits] = index.search(PARTITION, [query], k, books)
    return [hit.id for hit in hits]


@pytest.mark.parametrize(
    ("stored", "query", "ids"),
    [
        (COURSE, "late homework", ["late", "grades"]),
        (COURSE, "textbooks", ["books"]),
        (COURSE, "GRADING", ["grades"]),
        ([("long", "exam " + "paper " * 30), ("short", "exam paper"), ("none", "paper")], "exam", ["short", "long"]),
        ([("greek", "Ἀριστοτέλης ἔγραψε"), ("none", "paper")], "ἔγραψε", ["greek"]),
        ([("german", "Prüfung in Raum 7"), ("none", "paper")], "prüfung", ["german"]),
        *((COURSE, query, []) for query in ("", "the of and", "?!", "zebra")),
    ],
)
def test_words_are_found_in_any_form_and_script_the_rarer_and_the_shorter_first(
    index: BucketWords, stored: list[tuple[str, str]], query: str, ids: list[str]
) -> None:
    index.write(PARTITION, "v1", texts(*stored))

    assert found(index, query) == ids


def test_a_share_is_of_what_all_words_could_count_and_each_query_has_its_own_hits(index: BucketWords) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    [[whole], [half]] = index.search(PARTITION, ["textbook", "textbook astronomy"], 10, ["v1"])

    assert 0 < half.share < whole.share <= 1
    assert (whole.id, whole.version) == ("books", "v1")
    hits = index.search(PARTITION, ["textbook", "zebra", "office"], 10, ["v1"])
    assert [[hit.id for hit in each] for each in hits] == [["books"], [], ["office"]]


@pytest.mark.parametrize("query", ['exam" OR version:x', "exam' & !x", "exam:* AND (", "NEAR(exam late)", "a\\b % _ exam"])
def test_signs_of_a_query_language_are_only_signs(index: BucketWords, query: str) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    assert "grades" in found(index, query)


def test_only_the_versions_asked_for_are_looked_in_and_no_other_partition(index: BucketWords) -> None:
    index.write(PARTITION, "v1", texts(("a", "exam paper")))
    index.write(PARTITION, "v2", texts(("b", "exam paper")))

    assert found(index, "exam", books=("v2",)) == ["b"]
    assert sorted(found(index, "exam", books=("v1", "v2"))) == ["a", "b"]
    assert found(index, "exam", books=()) == []
    assert found(index, "exam", books=("v3",)) == []
    elsewhere = Partition("another school", Granularity.SENTENCE, "all-MiniLM-L6-v2")

    assert index.search(elsewhere, ["exam"], 10, ["v1"]) == [[]]


def test_what_is_written_takes_the_place_of_what_was_there_and_a_version_removed_counts_no_more(index: BucketWords) -> None:
    for _ in range(2):
        index.write(PARTITION, "v1", texts(("a", "exam paper"), ("b", "late homework")))
    index.write(PARTITION, "v1", texts(("c", "exam room")))

    assert found(index, "exam homework") == ["c"]
    index.write(PARTITION, "v2", texts(("b", "late homework")))

    for _ in range(2):  # the second time it is not there
        index.remove(PARTITION, "v2")

    assert found(index, "homework", books=("v2",)) == []
    assert found(index, "homework exam", books=("v1", "v2")) == ["c"]


def test_words_are_not_stored_as_they_are_and_leave_no_trace(index: BucketWords, tmp_path: Path) -> None:
    index.write(PARTITION, "v1", texts(("ship", "A ship to Zanzibar")))
    assert not any(b"zanzibar" in path.read_bytes().lower() for path in tmp_path.rglob("*") if path.is_file())

    index.remove(PARTITION, "v1")

    assert not list(tmp_path.rglob("*.words"))


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    BucketWords(FolderBucket(tmp_path), Recent()).write(PARTITION, "v1", texts(*COURSE))
    [file] = tmp_path.rglob("*.words")
    file.write_bytes(b"no arrays " * 1000)

    with refused(IndexUnavailable, "word_index_unreadable"):
        BucketWords(FolderBucket(tmp_path), Recent()).search(PARTITION, ["exam"], 10, ["v1"])
