from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.essays.history import FeedbackHistory, find_feedback, store_feedback
from chapterverse.essays.model import Choice, Show, StoredFeedback
from chapterverse.essays.review import Library, approve, choose
from chapterverse.library.artefacts import load_book
from tests.support.batches import Clock
from tests.support.essays import some_feedback
from tests.support.history import history_in
from tests.support.shelved import empty_library, shelve

OTHER = "Who silences opinion robs mankind of truth."


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def history(tmp_path: Path, clock: Clock) -> Iterator[FeedbackHistory]:
    with history_in(tmp_path, clock) as opened:
        yield opened


@pytest.fixture
def id(history: FeedbackHistory) -> str:
    """Of feedback with evidence."""
    return str(store_feedback(some_feedback(), "school", history).id)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A book with another sentence on the same."""
    with empty_library(tmp_path) as services:
        shelve(services, "On Truth", [OTHER])
        yield Library("school", services)


def sentence_in(library: Library) -> SentenceId:
    [book] = library.services.catalog.books("school")
    assert book.active is not None
    return load_book(library.services.bucket, book.active.key).sentences[0].id


def kept(id: str, history: FeedbackHistory) -> StoredFeedback:
    return find_feedback("school", id, history)


def test_another_school_chooses_and_approves_nothing(id: str, history: FeedbackHistory, library: Library) -> None:
    stranger = Library("another", library.services)

    for do in (
        lambda: choose(id, Choice(1, Show.HIDDEN), history, stranger),
        lambda: approve("another", id, True, history),
    ):
        with pytest.raises(NotFound):
            do()


def test_neither_evidence_nor_sentences_that_there_are_not_can_be_chosen(
    id: str, history: FeedbackHistory, library: Library
) -> None:
    for choice in (Choice(9, Show.HIDDEN), Choice(1, sentence=SentenceId("0123456789abcdef-0-0"))):
        with pytest.raises(NotFound):
            choose(id, choice, history, library)
    assert kept(id, history).choices == ()


def test_approved_twice_it_is_approved_since_the_first_time(id: str, history: FeedbackHistory, clock: Clock) -> None:
    approve("school", id, False, history)
    assert kept(id, history).approved is None

    approve("school", id, True, history)
    first = clock()
    clock.later(hours=1)
    approve("school", id, True, history)

    assert kept(id, history).approved == first
