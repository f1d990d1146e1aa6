"""Selected text is found again in the chunk that it stands in."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Granularity, Hit, Partition, WordHit
from chapterverse.core.words import holds
from chapterverse.search.engine import stored_hits, with_words
from chapterverse.search.plan import EmbeddedQueries
from tests.support.made import a_hit, a_query, unit

PARTITION = Partition("school", Granularity.SENTENCE, "model")
ONE_QUERY = EmbeddedQueries((a_query(),), unit([1.0, 0.0]))


def word(id: str, share: float, version: str = "v1") -> WordHit:
    return WordHit(SentenceId(id), version, share)


@dataclass
class Stored:
    """The one method of a VectorIndex that is asked here, and what it was asked."""

    asked: list[tuple[str, Sequence[SentenceId]]] = field(default_factory=list)

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        self.asked.append((version, ids))
        return [a_hit(id, 1.0, [0.6, 0.8]) for id in ids]


def test_words_lift_what_meaning_put_second() -> None:
    by_meaning = [[a_hit("first", 0.6), a_hit("second", 0.5)]]

    [hits] = with_words(ONE_QUERY, by_meaning, [[word("second", 0.4)]], {}, weight=0.5)

    assert [(hit.record.id, hit.score) for hit in hits] == [("second", pytest.approx(0.7)), ("first", pytest.approx(0.6))]
    assert with_words(ONE_QUERY, by_meaning, [[]], {}, weight=1.0) == by_meaning  # without a word


def test_what_only_words_found_has_its_own_cosine_beside() -> None:
    stored = {SentenceId("rare"): a_hit("rare", 1.0, [0.6, 0.8])}

    [hits] = with_words(ONE_QUERY, [[a_hit("near", 0.7)]], [[word("rare", 0.5)]], stored, weight=1.0)

    assert [(hit.record.id, hit.score) for hit in hits] == [("rare", pytest.approx(1.1)), ("near", pytest.approx(0.7))]


def test_only_what_meaning_did_not_find_is_fetched_once_a_version() -> None:
    index = Stored()
    by_words = [[word("near", 0.9), word("x", 0.5), word("y", 0.4, "v2")], [word("x", 0.3)]]

    stored = stored_hits([[a_hit("near", 0.7)], []], by_words, PARTITION, index)

    assert index.asked == [("v1", ["x"]), ("v2", ["y"])]
    assert set(stored) == {"x", "y"}


TEXT = "A **node** is a process.\nIt talks to others by [topics](topics.md#t), as `ros2 topic list` shows: “one–to–many”."


@pytest.mark.parametrize(
    "selected",
    [
        "A node is a process.",
        "node  is\n\n a\tprocess",
        "a **NODE** is",
        "talks to others by topics, as ros2 topic list shows",
        "ocess. It talks to others by to",
        'shows: "one-to-many"',
        "<p>is a <em>process</em></p>",
        "Node",
    ],
)
def test_blanks_markup_and_punctuation_do_not_count(selected: str) -> None:
    assert holds(TEXT, selected)


def test_what_is_not_there_is_not_held_and_a_formula_with_less_than_is_no_tag() -> None:
    for selected in ("", " …* ", "nod", "a node talks", "process it listens to others"):
        assert not holds(TEXT, selected)
    assert holds("If a < b and c > d then x.", "a < b and c > d")
