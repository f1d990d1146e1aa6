from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.citations.model import VerdictKind
from chapterverse.core.book import SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.essays.history import FeedbackHistory, feedback_shown, find_feedback, store_feedback
from chapterverse.essays.model import EVIDENCE, Choice, Item, Mark, Show, StoredFeedback, Thumb
from chapterverse.essays.review import Library, approve, choose, mark
from chapterverse.essays.writing.writing import each
from chapterverse.library.artefacts import load_book
from tests.support.essays import always
from tests.support.keeping import keeping_in, some_feedback
from tests.support.nights import Clock
from tests.support.refusals import refused
from tests.support.shelved import empty_library, shelve

OTHER = "Who silences opinion robs mankind of truth."
DOWN = Mark(Item(EVIDENCE, 1), Thumb.DOWN, "Off the point.")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keeping(tmp_path: Path, clock: Clock) -> Iterator[FeedbackHistory]:
    with keeping_in(tmp_path, clock) as opened:
        yield opened


@pytest.fixture
def id(keeping: FeedbackHistory) -> str:
    """Of feedback with evidence."""
    return str(store_feedback(some_feedback(), "school", keeping).id)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A book with another sentence on the same."""
    with empty_library(tmp_path) as services:
        shelve(services, "On Truth", [OTHER])
        yield Library("school", services, each(always(VerdictKind.SUPPORTS)))


def sentence_in(library: Library) -> SentenceId:
    [book] = library.services.catalog.books("school")
    assert book.active is not None
    return load_book(library.services.bucket, book.active.key).sentences[0].id


def kept(id: str, keeping: FeedbackHistory) -> StoredFeedback:
    return find_feedback("school", id, keeping)


def test_a_mark_takes_the_place_of_the_items_and_an_empty_one_takes_it_away(id: str, keeping: FeedbackHistory) -> None:
    for thumb in (Thumb.UP, Thumb.DOWN):
        mark("school", id, Mark(DOWN.item, thumb, DOWN.comment), keeping)
    assert kept(id, keeping).marks == (DOWN,)

    mark("school", id, Mark(DOWN.item), keeping)
    assert kept(id, keeping).marks == ()


@pytest.mark.parametrize("item", [Item(EVIDENCE, 9), Item("content", 99), Item("spelling", 1)])
def test_what_is_not_in_the_feedback_cannot_be_marked(id: str, keeping: FeedbackHistory, item: Item) -> None:
    with refused(NotFound, "no_such_part_of_feedback"):
        mark("school", id, Mark(item, Thumb.UP), keeping)


def test_another_school_marks_chooses_and_approves_nothing(id: str, keeping: FeedbackHistory, library: Library) -> None:
    stranger = Library("another", library.services, library.judge)

    for do in (
        lambda: mark("another", id, DOWN, keeping),
        lambda: choose(id, Choice(1, Show.HIDDEN), keeping, stranger),
        lambda: approve("another", id, True, keeping),
    ):
        with pytest.raises(NotFound):
            do()


def test_hidden_evidence_is_shown_again_by_the_default(id: str, keeping: FeedbackHistory, library: Library) -> None:
    choose(id, Choice(1, Show.HIDDEN), keeping, library)
    assert feedback_shown(kept(id, keeping)).evidence.evidence == ()

    choose(id, Choice(1), keeping, library)
    assert kept(id, keeping).choices == ()


def test_another_sentence_is_read_from_the_book_and_outlives_it(id: str, keeping: FeedbackHistory, library: Library) -> None:
    choose(id, Choice(1, sentence=sentence_in(library)), keeping, library)

    [shown] = feedback_shown(kept(id, keeping)).evidence.evidence
    assert (shown.number, shown.passage.sentence.text, shown.passage.book_title) == (1, OTHER, "On Truth")


def test_neither_evidence_nor_sentences_that_there_are_not_can_be_chosen(
    id: str, keeping: FeedbackHistory, library: Library
) -> None:
    for choice in (Choice(9, Show.PINNED), Choice(1, sentence=SentenceId("0123456789abcdef-0-0"))):
        with pytest.raises(NotFound):
            choose(id, choice, keeping, library)
    assert kept(id, keeping).choices == ()


def test_approved_twice_it_is_approved_since_the_first_time(id: str, keeping: FeedbackHistory, clock: Clock) -> None:
    approve("school", id, False, keeping)
    assert kept(id, keeping).approved is None

    approve("school", id, True, keeping)
    first = clock()
    clock.later(hours=1)
    approve("school", id, True, keeping)

    assert kept(id, keeping).approved == first
