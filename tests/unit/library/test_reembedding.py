"""A shelf embedded anew while it is searched: whatever is killed when, it is searched whole, with one model."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from bookreader.source import PARSER_VERSION, version_of
from chapterverse.core.book import BookId
from chapterverse.core.errors import BookBusy
from chapterverse.library.model import VersionKey
from chapterverse.library.reembedding import reembed_collection
from tests.support.intake import SCHOOL, Clockwork, Killed, Town
from tests.support.reembedding import after, found, quietly, searched_with, turning, with_two_books


def vectors_kept(town: Town) -> set[str]:
    """Of which models."""
    return {name.rpartition("vectors-")[2].partition(".npy")[0] for name in town.bucket.names("") if "vectors-" in name}


def test_all_books_are_embedded_anew_and_then_searched_with_the_new_model(town: Town) -> None:
    services = turning(with_two_books(town).intake).services
    before = found(services)

    done = reembed_collection(SCHOOL, services, quietly)

    assert [book.id for book in done] == ["calm", "rough"]
    assert searched_with(services) == ["turned", "turned"]
    assert found(services) == before == found(replace(services, before=None))
    assert town.parser.calls == 2


def test_of_the_model_before_nothing_is_left(town: Town) -> None:
    services = turning(with_two_books(town).intake).services

    reembed_collection(SCHOOL, services, quietly)

    assert town.models() == {"turned"}
    assert vectors_kept(town) == {"turned"}
    assert {version.key.model for book in town.catalog.books(SCHOOL) for version in book.versions} == {"turned"}


def test_the_same_again_is_nothing_to_do(town: Town) -> None:
    services = turning(with_two_books(town).intake).services
    reembed_collection(SCHOOL, services, quietly)
    contents = town.contents()

    assert reembed_collection(SCHOOL, services, quietly) == []
    assert town.contents() == contents


def test_killed_before_any_write_the_shelf_is_searched_whole_and_the_same_again_finishes(tmp_path: Path) -> None:
    begun = with_two_books(Town(tmp_path / "begun"))
    before, end = found(turning(begun.intake).services), after(begun.copy(tmp_path / "end"))

    for write in range(1, 100, 2):
        town = begun.copy(tmp_path / str(write))
        with suppress(Killed):
            reembed_collection(SCHOOL, turning(town.watched(Clockwork(kill_before=write))).services, quietly)
            break
        services = turning(town.intake).services
        assert len(set(searched_with(services))) == 1
        assert found(services) == before
        assert after(town) == end
    assert 12 < write < 99


def test_a_book_that_another_adds_meanwhile_is_waited_for(town: Town) -> None:
    services = turning(with_two_books(town).intake).services
    key = VersionKey(SCHOOL, BookId("third"), version_of(b"Third."), "words")
    with services.catalog.claim(SCHOOL, key.book):
        services.catalog.begin(key, "Third.pdf", PARSER_VERSION)

        with pytest.raises(BookBusy):
            reembed_collection(SCHOOL, services, quietly)

    assert searched_with(services) == ["words", "words"]
    assert len(reembed_collection(SCHOOL, services, quietly)) == 0  # what nobody holds is given up
    assert searched_with(services) == ["turned", "turned"]


def test_a_search_during_the_change_never_fails_and_never_mixes(town: Town) -> None:
    services = turning(with_two_books(town).intake).services
    before, over = found(services), Event()

    def search() -> list[list[tuple[str, float]]]:
        answers = []
        while not over.is_set():
            answers.append(found(services))
        return answers

    with ThreadPoolExecutor(2) as threads:
        searching = [threads.submit(search) for _ in range(2)]
        for _ in range(4):
            reembed_collection(SCHOOL, services, quietly)
            services_back = replace(services, embedder=services.before, before=services.embedder)
            reembed_collection(SCHOOL, services_back, quietly)
        over.set()
        answers = [answer for each in searching for answer in each.result()]

    assert len(answers) > 8
    assert all(answer == before for answer in answers)
