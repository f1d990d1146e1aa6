"""Sentences that a teacher may put in the place of evidence."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chapterverse.citations.model import Evidence
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.model import Choice, Origin, Show
from chapterverse.essays.review import Library, candidates_for, choose
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.batches import a_batch_context, begun, entries
from tests.support.shelved import shelve

BOOK = ["Silencing an opinion robs mankind of truth.", "An opinion may be true.", "Truth has no need of force.", "Cats sleep."]
PLAN = replace(ESSAY_FEEDBACK, min_score=0.3)


@dataclass(frozen=True)
class Desk:
    """A teacher's desk with one feedback on it."""

    id: str
    history: FeedbackHistory
    services: CollectionServices

    @property
    def library(self) -> Library:
        return Library("school", self.services)

    def look(self, words: str = "", limit: int = 8, books: tuple[BookId, ...] = ()) -> list[Evidence]:
        return candidates_for(self.id, 1, self.history, self.library, plan=PLAN, words=words, books=books, limit=limit)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_batch_context(tmp_path) as context:
        shelve(context.services, "More", BOOK[1:])
        key = begun(context, entries("Silencing an opinion robs mankind of truth, they say.")).key
        context.queue.do_all(context)  # type: ignore[attr-defined]  # the queue of a test
        yield Desk(context.history.store.on_essay("school", Origin(key.batch, 1)).id, context.history, context.services)


def texts(found: list[Evidence]) -> list[str]:
    return [one.passage.sentence.text for one in found]


def test_what_is_nearest_to_the_essay_comes_first_and_what_is_shown_already_does_not_come(desk: Desk) -> None:
    found = texts(desk.look())

    assert sorted(found) == sorted(BOOK[1:])
    assert found[-1] == "Cats sleep."


def test_a_teacher_may_look_for_other_words(desk: Desk) -> None:
    [first] = desk.look("cats", limit=1)

    assert first.passage.sentence.text == "Cats sleep."


def test_what_was_put_there_is_no_candidate_any_more_and_what_was_found_first_is_again(desk: Desk) -> None:
    other = desk.look()[0].passage.sentence.id
    choose(desk.id, Choice(1, Show.NORMAL, SentenceId(other)), desk.history, desk.library)

    found = desk.look()

    assert other not in [one.passage.sentence.id for one in found]
    assert BOOK[0] in texts(found)


def test_there_is_nothing_for_evidence_that_there_is_not(desk: Desk) -> None:
    with pytest.raises(NotFound):
        candidates_for(desk.id, 9, desk.history, desk.library, plan=PLAN)


def test_one_book_is_looked_in_alone(desk: Desk) -> None:
    cats = shelve(desk.services, "Cats", ["Cats purr."])

    assert texts(desk.look(books=(cats.id,))) == ["Cats purr."]
