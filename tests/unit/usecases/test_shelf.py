from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.errors import NotFound
from chapterverse.model import BookId, Scope, VersionKey
from chapterverse.usecases.services import Services
from chapterverse.usecases.shelf import open_books
from tests.support.shelved import empty_library, shelve


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with empty_library(tmp_path) as services:
        yield services


def test_open_books_are_known_by_the_version_that_is_searched(services: Services) -> None:
    active = shelve(services, "On Liberty", ["A sentence."]).active

    [(version, book)] = open_books(Scope("school"), services.catalog, "words").items()

    assert active is not None
    assert (version, book.title, book.key) == (active.key.version, "On Liberty", active.key)


def test_a_book_still_being_indexed_is_not_open_and_the_reader_is_told(services: Services) -> None:
    services.catalog.begin(VersionKey("school", BookId("book"), "v1", "words"), "book.pdf", "1")

    with pytest.raises(NotFound, match="None of those added is ready yet"):
        open_books(Scope("school"), services.catalog, "words")


def test_books_indexed_with_another_model_are_not_open_and_the_reader_is_told(services: Services) -> None:
    shelve(services, "On Liberty", ["A sentence."])

    with pytest.raises(NotFound, match="another embedding model"):
        open_books(Scope("school"), services.catalog, "another")
