from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.book import BookId, Chapter
from chapterverse.core.errors import BookBusy, NotInBook
from chapterverse.core.hits import Vectors
from chapterverse.library.chunks import windows
from chapterverse.library.corrections import ABOUT, correct_book, corrected_label, short_topic, topics_of
from chapterverse.library.intake import add_book
from chapterverse.library.model import CatalogBook, Corrections, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.messages import plain
from tests.support.books import LIMITS, a_book
from tests.support.intake import SCHOOL
from tests.support.refusals import refused
from tests.support.shelved import document_library, shelve

HABITS = BookId("habits")
COUNTS = Corrections(page_labels={12: "12a"}, page_counts={2: "ix", 10: "1", 30: "C"})
BOOK = replace(a_book(["One."]), chapters=(Chapter(0, None, "Nodes"), Chapter(1, "II", None), Chapter(2, None, "* * *")))
ALONG = np.asarray([[1, 0], [1, 0]], np.float32)


@pytest.fixture
def services(services: CollectionServices) -> CollectionServices:
    """A library with one book."""
    shelve(services, "Habits", ["Habit rules every person.", "Custom grows where nobody chooses."])
    return services


def say(services: CollectionServices, **corrections: object) -> CatalogBook:
    """Make these the corrections of the book."""
    return correct_book("school", HABITS, lambda _: Corrections(**corrections), services)


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


class Angles:
    """An embedder of topics whose cosines are known; others have nothing in common with anything."""

    model = "angles"

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        told = (text.removeprefix(ABOUT.split("{")[0]).rstrip(".") for text in texts)
        cosines = [{"Cycles": 0.6, "Paths": 0.5}.get(topic, 0.0) for topic in told]
        return np.asarray([(cosine, np.sqrt(1 - cosine**2)) for cosine in cosines], np.float32)

    embed_passages = embed_queries

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [1 for _ in texts]


def test_headings_are_topics_the_nearest_first_and_of_a_single_chapter_its_sections() -> None:
    chapters = tuple(Chapter(at, None, title) for at, title in enumerate(("Nodes", "Paths", "Cycles", "* * *")))
    several = replace(BOOK, chapters=chapters)
    assert topics_of(several, ALONG, Angles()) == ("Cycles", "Paths", "Nodes")
    assert topics_of(several, ALONG[:0], Angles()) == ()

    first, *_ = BOOK.sentences
    section = replace(first, address=replace(first.address, section_path=("1.1 Late work", "Fees")))
    alone = replace(BOOK, chapters=(Chapter(0, None, "Nodes"),), sentences=(section,))
    assert topics_of(alone, ALONG, Angles()) == ("Late work",)
    assert topics_of(replace(BOOK, chapters=()), ALONG, Angles()) == ()


@pytest.mark.parametrize(
    ("heading", "topic"),
    [
        ("Chapter 3: Photosynthesis", "Photosynthesis"),
        ("2.1 Late work (all sections)", "Late work"),
        ("IV. Civil Law", "Civil Law"),
        ("OFFICE HOURS", "Office hours"),
        ("DNA", "DNA"),
        ("GEO 210: Rocks", "GEO 210"),
        ("Week 2", ""),
        ("Introduction", ""),
        ("Course Information and Policies", ""),
        ("What to do if you cannot come to the exam", ""),
    ],
)
def test_a_topic_is_a_short_heading_that_not_every_text_has(heading: str, topic: str) -> None:
    assert short_topic(heading) == topic


def test_what_somebody_says_a_document_is_about_stays_when_it_is_replaced_and_gives_others_its_form(tmp_path: Path) -> None:
    with document_library(tmp_path, {}, chunker=windows(80, 10)) as documents:
        found = add_book(b"Phones stay in the bag.", "rules.pdf", SCHOOL, documents, LIMITS).book
        correct_book(SCHOOL, BookId("rules"), lambda before: replace(before, topics=("Beginnings",)), documents)
        replaced = add_book(b"Soup costs nothing on Monday.", "rules.pdf", SCHOOL, documents, LIMITS).book
        other = add_book(b"A bag has a phone.", "other.pdf", SCHOOL, documents, LIMITS).book

    assert found.topics == ("The Beginning",)
    assert (replaced.topics, replaced.corrections.found_topics) == (("Beginnings",), ("The Beginning",))
    assert other.topics == ("Beginnings",)
