"""What every LexicalIndex must do."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import IndexUnavailable
from chapterverse.core.hits import Granularity, Partition
from chapterverse.core.ports import LexicalIndex
from chapterverse.infrastructure.sql.engine import open_postgresql
from chapterverse.infrastructure.vectors.words import PostgresWords, SqliteWords
from tests.support.refusals import refused
from tests.support.servers import free_port

PARTITION = Partition("school", Granularity.SENTENCE, "all-MiniLM-L6-v2")
COURSE = [
    ("late", "Homework that is handed in late loses ten percent a day."),
    ("office", "Office hours are on Mondays in room 12."),
    ("grades", "Homework counts a third of the grade, the exam the rest."),
    ("books", "The course has no textbook."),
]


@contextmanager
def sqlite(folder: Path) -> Iterator[LexicalIndex]:
    yield SqliteWords(folder / "words")


@contextmanager
def postgres_words(url: str) -> Iterator[LexicalIndex]:
    engine = open_postgresql(url)
    yield PostgresWords(engine)
    engine.dispose()


def start(name: str, request: pytest.FixtureRequest, folder: Path) -> AbstractContextManager[LexicalIndex]:
    return sqlite(folder) if name == "sqlite" else postgres_words(request.getfixturevalue("postgres").new_database())


@pytest.fixture(params=["sqlite", "postgres"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LexicalIndex]:
    """Each real index, empty; the server runs as a process. One that cannot start fails the run: it is not skipped."""
    with start(request.param, request, tmp_path) as empty_index:
        yield empty_index


def texts(*given: tuple[str, str]) -> list[tuple[SentenceId, str]]:
    return [(SentenceId(id), text) for id, text in given]


def found(index: LexicalIndex, query: str, k: int = 10, books: tuple[str, ...] = ("v1",)) -> list[str]:
    [hits] = index.search(PARTITION, [query], k, books)
    return [hit.id for hit in hits]


def test_the_chunk_with_the_rarer_words_comes_first(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    assert found(index, "late homework") == ["late", "grades"]


def test_words_are_found_in_other_forms(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    assert found(index, "textbooks") == ["books"]
    assert found(index, "GRADING") == ["grades"]


def test_of_two_chunks_with_the_same_words_the_shorter_comes_first(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(("long", "exam " + "paper " * 30), ("short", "exam paper"), ("none", "paper")))

    assert found(index, "exam") == ["short", "long"]


def test_a_share_is_of_what_all_words_could_count(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    [[whole], [half]] = index.search(PARTITION, ["textbook", "textbook astronomy"], 10, ["v1"])

    assert 0 < half.share < whole.share <= 1
    assert (whole.id, whole.version) == ("books", "v1")


@pytest.mark.parametrize("query", ["", "the of and", "?!", "zebra"])
def test_a_query_without_a_word_of_theirs_finds_nothing(index: LexicalIndex, query: str) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    assert found(index, query) == []


@pytest.mark.parametrize("query", ['exam" OR version:x', "exam' & !x", "exam:* AND (", "NEAR(exam late)", "a\\b % _ exam"])
def test_signs_of_a_query_language_are_only_signs(index: LexicalIndex, query: str) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    assert "grades" in found(index, query)


def test_words_of_every_script_are_found(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(("greek", "Ἀριστοτέλης ἔγραψε"), ("german", "Prüfung in Raum 7"), ("none", "paper")))

    assert found(index, "prüfung") == ["german"]
    assert found(index, "ἔγραψε") == ["greek"]


def test_only_the_versions_asked_for_are_looked_in(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(("a", "exam paper")))
    index.write(PARTITION, "v2", texts(("b", "exam paper")))

    assert found(index, "exam", books=("v2",)) == ["b"]
    assert sorted(found(index, "exam", books=("v1", "v2"))) == ["a", "b"]
    assert found(index, "exam", books=()) == []
    assert found(index, "exam", books=("v3",)) == []


def test_partitions_do_not_see_each_other(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(("a", "exam paper")))

    elsewhere = Partition("another school", Granularity.SENTENCE, "all-MiniLM-L6-v2")

    assert index.search(elsewhere, ["exam"], 10, ["v1"]) == [[]]
    assert index.rarities(elsewhere, ["exam"]) == {"exam": pytest.approx(0.693, abs=0.001)}


def test_what_is_written_takes_the_place_of_what_was_there(index: LexicalIndex) -> None:
    for _ in range(2):
        index.write(PARTITION, "v1", texts(("a", "exam paper"), ("b", "late homework")))
    index.write(PARTITION, "v1", texts(("c", "exam room")))

    assert found(index, "exam homework") == ["c"]


def test_a_version_removed_is_not_found_and_counts_no_more(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(("a", "exam paper")))
    index.write(PARTITION, "v2", texts(("b", "late homework")))
    rare = index.rarities(PARTITION, ["exam"])["exam"]

    index.remove(PARTITION, "v2")

    assert found(index, "homework", books=("v2",)) == []
    assert index.rarities(PARTITION, ["exam"])["exam"] < rare


def test_removing_what_is_not_there_changes_nothing(index: LexicalIndex) -> None:
    index.remove(PARTITION, "v1")
    index.write(PARTITION, "v1", texts(*COURSE))
    index.remove(PARTITION, "v2")

    assert found(index, "textbook") == ["books"]


def test_a_word_of_few_chunks_is_rarer_than_one_of_many(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    rarities = index.rarities(PARTITION, ["zebra", "textbook", "homework"])

    assert rarities["zebra"] > rarities["textbook"] > rarities["homework"] > 0


def test_each_query_has_its_own_hits_in_the_order_asked(index: LexicalIndex) -> None:
    index.write(PARTITION, "v1", texts(*COURSE))

    hits = index.search(PARTITION, ["textbook", "zebra", "office"], 10, ["v1"])

    assert [[hit.id for hit in each] for each in hits] == [["books"], [], ["office"]]


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    words = SqliteWords(tmp_path)
    words.write(PARTITION, "v1", texts(*COURSE))
    [file] = tmp_path.glob("*.db")
    file.write_bytes(b"no database " * 1000)

    with refused(IndexUnavailable, "word_index_unreadable"):
        words.search(PARTITION, ["exam"], 10, ["v1"])


def test_a_server_that_is_away_is_told() -> None:
    engine = open_postgresql(f"postgresql+psycopg://postgres@127.0.0.1:{free_port()}/postgres")

    with pytest.raises(IndexUnavailable, match="not responding"):
        PostgresWords(engine).search(PARTITION, ["exam"], 10, ["v1"])
