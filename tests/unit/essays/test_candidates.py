"""Sentences that a teacher may put in the place of evidence."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chapterverse.citations.model import Evidence
from chapterverse.core.book import BookId, SentenceId
from chapterverse.essays.model import Choice, Origin, Show
from chapterverse.essays.review import candidates_for, choose
from chapterverse.essays.service import EssayContext
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.batches import a_batch_context, begun, entries
from tests.support.shelved import shelve

BOOK = ["Silencing an opinion robs mankind of truth.", "An opinion may be true.", "Truth has no need of force.", "Cats sleep."]


@dataclass(frozen=True)
class Desk:
    """A teacher's desk with one feedback on it."""

    id: str
    context: EssayContext

    def look(self, words: str = "", limit: int = 8, books: tuple[BookId, ...] = ()) -> list[Evidence]:
        return candidates_for("school", self.id, 1, self.context, words=words, books=books, limit=limit)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_batch_context(tmp_path) as context:
        shelve(context.services, "More", BOOK[1:])
        key = begun(context, entries("Silencing an opinion robs mankind of truth, they say.")).key
        context.queue.do_all(context)  # type: ignore[attr-defined]  # the queue of a test
        essays = replace(context.essays, plan=replace(ESSAY_FEEDBACK, min_score=0.3))
        yield Desk(context.history.store.on_essay("school", Origin(key.batch, 1)).id, essays)


def texts(found: list[Evidence]) -> list[str]:
    return [one.passage.sentence.text for one in found]


def test_what_is_nearest_to_the_essay_comes_first_and_what_is_shown_already_does_not_come(desk: Desk) -> None:
    found = texts(desk.look())

    assert sorted(found) == sorted(BOOK[1:])
    assert found[-1] == "Cats sleep."


def test_what_was_put_there_is_no_candidate_any_more_and_what_was_found_first_is_again(desk: Desk) -> None:
    other = desk.look()[0].passage.sentence.id
    choose("school", desk.id, Choice(1, Show.NORMAL, SentenceId(other)), desk.context)

    found = desk.look()

    assert other not in [one.passage.sentence.id for one in found]
    assert BOOK[0] in texts(found)


def test_one_book_is_looked_in_alone(desk: Desk) -> None:
    cats = shelve(desk.context.services, "Cats", ["Cats purr."])

    assert texts(desk.look(books=(cats.id,))) == ["Cats purr."]
