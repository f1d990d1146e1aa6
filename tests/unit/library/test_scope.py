from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import IndexUnavailable, NotFound
from chapterverse.core.hits import Scope
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.scope import OpenBook, find_page, find_passage, look_in_open_books, open_books
from chapterverse.library.services import CollectionServices
from tests.support.refusals import refused
from tests.support.shelved import empty_library, key_of, shelve
from tests.support.web import Caller

ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "So much is certain.")


def sentence_of(book: CatalogBook, number: int) -> SentenceId:
    return SentenceId(f"{key_of(book).version}-0-{number}")


def test_a_sentence_is_found_on_any_shelf_unless_its_book_was_replaced(services: CollectionServices, tmp_path: Path) -> None:
    old = shelve(services, "On Liberty", ON_SPEECH)
    shelve(services, "On Liberty", ["Another edition."])
    with pytest.raises(NotFound, match="was replaced"):
        find_passage("school", sentence_of(old, 1), services)
    for id in ("", "-", "nonsense", "0123456789abcdef-000-p0000-s000"):
        with pytest.raises(NotFound):
            find_passage("school", SentenceId(id), services)

    services.catalog.begin(VersionKey("school", BookId("new"), "v1", "words"), "new.pdf")
    with pytest.raises(NotFound, match="still being processed"):
        find_page("school", BookId("new"), 0, None, services)

    book = shelve(services, "On Liberty", ON_SPEECH)
    with empty_library(tmp_path / "others") as others:
        passage = find_passage("school", sentence_of(book, 1), others, services)
        assert (passage.collection, passage.sentence.text) == (services.collection, ON_SPEECH[1])
        with pytest.raises(NotFound):
            find_passage("school", SentenceId("none-0-1"), others, services)


def test_a_sentence_is_shown_with_what_stands_around_it_and_where(student: Caller, sentence: str) -> None:
    shown = student("GET", f"/api/v1/evidence/{sentence}").get_json()

    assert (shown["previous"], shown["sentence"]["text"], shown["next"]) == ON_SPEECH
    assert shown["further_reading"] == " ".join(ON_SPEECH)
    assert shown["sentence"]["boxes"] == [{"page": 6, "x0": 72.0, "y0": 100.5, "x1": 300.2, "y1": 112.0}]


def test_open_books_are_those_that_are_indexed_and_two_of_one_file_are_looked_in_once(services: CollectionServices) -> None:
    services.catalog.begin(VersionKey("school", BookId("book"), "v1", "words"), "book.pdf")
    with refused(NotFound, "collection_not_ready"):
        open_books(Scope("school"), services.catalog, "words")
    key = key_of(shelve(services, "Afloat", ["A sentence."]))
    copy = replace(key, book=BookId("copy"))
    services.catalog.begin(copy, "Copy.pdf")
    services.catalog.activate(copy, "Copy", ())

    [(version, book)] = open_books(Scope("school"), services.catalog, "words").items()

    assert (version, book.title, book.key) == (key.version, "Afloat", key)


def test_books_that_stay_the_same_are_looked_at_once_and_restless_ones_given_up_on(services: CollectionServices) -> None:
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


def test_a_look_is_repeated_when_a_book_was_replaced_meanwhile_also_if_it_failed(services: CollectionServices) -> None:
    shelve(services, "On Liberty", ["An old sentence."])
    looks: list[set[str]] = []

    def look(books: Mapping[str, OpenBook]) -> set[str]:
        if not looks:
            shelve(services, "On Liberty", ["A new sentence."])
        looks.append(set(books))
        return set(books)

    found = look_in_open_books(look, Scope("school"), services)
    assert found == looks[1] != looks[0]

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
