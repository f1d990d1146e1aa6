from collections.abc import Mapping
from dataclasses import replace
from itertools import count

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.errors import IndexUnavailable, NotFound
from chapterverse.core.hits import Scope
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook, look_in_open_books, open_books
from chapterverse.library.services import CollectionServices
from tests.support.refusals import refused
from tests.support.shelved import key_of, shelve


def test_open_books_are_those_that_are_indexed_by_the_version_that_is_searched_and_two_of_one_file_are_looked_in_once(
    services: CollectionServices,
) -> None:
    services.catalog.begin(VersionKey("school", BookId("book"), "v1", "words"), "book.pdf", "1")
    with refused(NotFound, "collection_not_ready"):
        open_books(Scope("school"), services.catalog, "words")
    key = key_of(shelve(services, "Afloat", ["A sentence."]))
    copy = replace(key, book=BookId("copy"))
    services.catalog.begin(copy, "Copy.pdf", "1")
    services.catalog.activate(copy, "Copy", ())

    [(version, book)] = open_books(Scope("school"), services.catalog, "words").items()

    assert (version, book.title, book.key) == (key.version, "Afloat", key)


def test_a_look_at_books_that_stay_the_same_is_taken_once_and_those_that_never_stop_changing_are_given_up_on(
    services: CollectionServices,
) -> None:
    shelve(services, "On Liberty", ["A sentence."])
    looks: list[list[str]] = []

    def fail(_: Mapping[str, OpenBook]) -> None:
        raise IndexUnavailable("index_incomplete")

    look_in_open_books(lambda books: looks.append(titles(books)), Scope("school"), services)

    assert looks == [["On Liberty"]]
    with refused(IndexUnavailable, "index_incomplete"):
        look_in_open_books(fail, Scope("school"), services)
    numbers = count()
    with pytest.raises(IndexUnavailable, match="Try again"):
        look_in_open_books(lambda _: shelve(services, "On Liberty", [f"Sentence {next(numbers)}."]), Scope("school"), services)


def test_a_look_during_which_a_book_was_replaced_is_repeated_with_the_new_version(services: CollectionServices) -> None:
    shelve(services, "On Liberty", ["An old sentence."])
    looks: list[set[str]] = []

    def look(books: Mapping[str, OpenBook]) -> set[str]:
        if not looks:
            shelve(services, "On Liberty", ["A new sentence."])
        looks.append(set(books))
        return set(books)

    found = look_in_open_books(look, Scope("school"), services)

    assert found == looks[1] != looks[0]


def test_what_is_gone_because_its_book_was_replaced_is_looked_for_again(services: CollectionServices) -> None:
    shelve(services, "On Liberty", ["An old sentence."])
    failures = iter([NotFound("gone"), IndexUnavailable("gone")])

    def look(books: Mapping[str, OpenBook]) -> list[str]:
        for failure in failures:
            shelve(services, "On Liberty", [f"A sentence after {type(failure).__name__}."])
            raise failure
        return titles(books)

    assert look_in_open_books(look, Scope("school"), services) == ["On Liberty"]


def titles(books: Mapping[str, OpenBook]) -> list[str]:
    return [book.title for book in books.values()]
