"""A catalog made again from what is kept: the same books, searched as before, whatever was killed when."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.library.reembedding import RestoredBook, restore_collection
from tests.support.intake import SCHOOL, Clockwork, Killed, Town
from tests.support.reembedding import CALM, ROUGH


def without_catalog(town: Town, folder: Path) -> Town:
    """A copy that has all but its catalog and its index."""
    copy = town.copy(folder)
    copy.vectors.objects.clear()
    for book in copy.catalog.books(SCHOOL):
        copy.catalog.retire(SCHOOL, book.id)
        copy.catalog.remove(SCHOOL, book.id)
    return copy


@pytest.fixture
def full(town: Town) -> Town:
    """Two books, uploaded under names that are not their ids."""
    town.receive(CALM, "At Sea.pdf")
    town.receive(ROUGH, "Storm_at sea.pdf")
    town.do_all()
    return town


def test_books_come_back_as_they_were_under_the_names_of_their_files(full: Town, tmp_path: Path) -> None:
    town = without_catalog(full, tmp_path / "lost")

    restored = list(restore_collection(SCHOOL, town.intake))

    assert [each.id for each in restored] == ["at-sea", "storm-at-sea"]
    assert town.contents() == full.contents()
    assert (town.parser.calls, town.embedder.calls) == (0, [])
    assert list(restore_collection(SCHOOL, town.intake)) == []


def test_killed_before_any_write_the_same_again_finishes(full: Town, tmp_path: Path) -> None:
    for write in range(1, 40, 2):
        town = without_catalog(full, tmp_path / str(write))
        with town.closing:
            with suppress(Killed):
                list(restore_collection(SCHOOL, town.watched(Clockwork(kill_before=write))))
                break
            list(restore_collection(SCHOOL, town.intake))
            assert town.contents() == full.contents()
    assert 6 < write < 39


def test_a_book_of_which_not_all_is_kept_waits_for_its_file(full: Town, tmp_path: Path) -> None:
    town = without_catalog(full, tmp_path / "lost")
    [vectors] = [name for name in town.bucket.names("school/at-sea/") if name.endswith("vectors-words.npy")]
    town.bucket.delete(vectors)

    restored = list(restore_collection(SCHOOL, town.intake))

    assert restored[0] == RestoredBook(id=restored[0].id, book=None)
    assert [book.id for book in town.catalog.books(SCHOOL)] == ["storm-at-sea"]


def test_vectors_of_another_model_are_not_taken_for_those_of_this_one(full: Town, tmp_path: Path) -> None:
    town = without_catalog(full, tmp_path / "lost")
    town.embedder.model = "another"

    restored = list(restore_collection(SCHOOL, replace(town.intake)))

    assert [each.book for each in restored] == [None, None]
