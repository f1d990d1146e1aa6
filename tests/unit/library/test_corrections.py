from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.errors import BookBusy, NotInBook
from chapterverse.library.corrections import correct_book, corrected_label
from chapterverse.library.model import CatalogBook, Corrections, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.messages import plain
from tests.support.refusals import refused
from tests.support.shelved import empty_library, shelve

HABITS = BookId("habits")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    """A library with one book."""
    with empty_library(tmp_path) as services:
        shelve(services, "Habits", ["Habit rules every person.", "Custom grows where nobody chooses."])
        yield services


def say(services: CollectionServices, **corrections: object) -> CatalogBook:
    """Make these the corrections of the book."""
    return correct_book("school", HABITS, lambda _: Corrections(**corrections), services)


COUNTS = Corrections(page_labels={12: "12a"}, page_counts={2: "ix", 10: "1", 30: "C"})


@pytest.mark.parametrize(
    ("page", "label"),
    [(0, "as parsed"), (2, "ix"), (3, "x"), (9, "xvi"), (10, "1"), (11, "2"), (12, "12a"), (13, "4"), (30, "C"), (31, "CI")],
)
def test_pages_are_counted_from_where_a_teacher_says_and_a_page_of_its_own_wins(page: int, label: str) -> None:
    assert corrected_label(page, "as parsed", COUNTS) == label


def test_what_the_book_does_not_have_cannot_be_corrected_unless_it_had_it(services: CollectionServices) -> None:
    with refused(NotInBook, "no_chapter_of_index"):
        say(services, chapters={7: "Nowhere"})
    with refused(NotInBook, "no_such_page"):
        say(services, page_labels={99: "100"})
    with refused(NotInBook, "no_such_page"):
        say(services, page_counts={99: "100"})

    services.catalog.correct("school", HABITS, Corrections(chapters={9: "Of an edition with more chapters"}))
    book = correct_book("school", HABITS, lambda old: replace(old, title="On Habit"), services)
    assert book.corrections == Corrections(title="On Habit", chapters={9: "Of an edition with more chapters"})


def test_chapters_are_not_known_before_a_book_is_ready_and_never_if_it_failed(services: CollectionServices) -> None:
    key = VersionKey("school", BookId("new"), "v1", "words")
    services.catalog.begin(key, "new.pdf")
    with pytest.raises(BookBusy):
        correct_book("school", BookId("new"), lambda _: Corrections(chapters={0: "One"}), services)

    services.catalog.failed(key, "no_text", plain("The pages are pictures."))
    with pytest.raises(NotInBook, match="The pages are pictures"):
        correct_book("school", BookId("new"), lambda _: Corrections(chapters={0: "One"}), services)
