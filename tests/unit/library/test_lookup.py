from pathlib import Path

import pytest

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.scope import find_anywhere, find_page, find_passage
from chapterverse.library.services import CollectionServices
from tests.support.shelved import empty_library, key_of, shelve
from tests.support.web import Caller

ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "So much is certain.")


def sentence_of(book: CatalogBook, number: int) -> SentenceId:
    return SentenceId(f"{key_of(book).version}-0-{number}")


def test_a_sentence_of_a_file_that_was_replaced_and_what_is_no_sentences_id_are_not_found(services: CollectionServices) -> None:
    old = shelve(services, "On Liberty", ON_SPEECH)
    shelve(services, "On Liberty", ["Another edition."])

    with pytest.raises(NotFound, match="was replaced"):
        find_passage("school", sentence_of(old, 1), services)
    for id in ("", "-", "nonsense", "0123456789abcdef-000-p0000-s000"):
        with pytest.raises(NotFound):
            find_passage("school", SentenceId(id), services)


def test_a_book_that_is_not_ready_has_no_pages_yet(services: CollectionServices) -> None:
    services.catalog.begin(VersionKey("school", BookId("new"), "v1", "words"), "new.pdf", "1")

    with pytest.raises(NotFound, match="still being processed"):
        find_page("school", BookId("new"), 0, None, services)


def test_a_sentence_is_found_on_whatever_shelf_has_it(services: CollectionServices, tmp_path: Path) -> None:
    book = shelve(services, "On Liberty", ON_SPEECH)
    with empty_library(tmp_path / "others") as others:
        collection, passage = find_anywhere("school", sentence_of(book, 1), [others, services])

        assert (collection, passage.sentence.text) == (services.collection, ON_SPEECH[1])
        with pytest.raises(NotFound):
            find_anywhere("school", SentenceId("none-0-1"), [others, services])


def test_a_sentence_is_shown_with_what_stands_around_it_and_where(student: Caller, sentence: str) -> None:
    shown = student("GET", f"/api/v1/evidence/{sentence}").get_json()

    assert shown["sentence"]["text"] == "Silencing an opinion robs mankind of truth."
    assert (shown["previous"], shown["next"]) == ("Some wish it were otherwise.", "So much is certain.")
    assert (
        shown["further_reading"]
        == "Some wish it were otherwise. Silencing an opinion robs mankind of truth. So much is certain."
    )
    assert shown["sentence"]["boxes"] == [{"page": 6, "x0": 72.0, "y0": 100.5, "x1": 300.2, "y1": 112.0}]
