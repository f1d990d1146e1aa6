import math
from collections.abc import Sequence

import pytest

from chapterverse.adapters import remembered_reranker
from chapterverse.adapters.remembered_reranker import RememberedReranker


class Counting:
    """Scores a pair by its length, and None beyond the first `time_for`."""

    model = "counting"

    def __init__(self, time_for: int = 100) -> None:
        self.time_for, self.asked = time_for, list[tuple[str, str]]()

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.asked += pairs
        return [float(len(query + sentence)) if n < self.time_for else None for n, (query, sentence) in enumerate(pairs)]


def test_a_pair_is_judged_once() -> None:
    behind = Counting()
    reranker = RememberedReranker(behind)

    reranker.scores([("a", "bb")], math.inf)

    assert reranker.scores([("a", "bb"), ("a", "b")], math.inf) == [3, 2]
    assert behind.asked == [("a", "bb"), ("a", "b")]


def test_what_there_was_no_time_for_is_asked_for_again() -> None:
    behind = Counting(time_for=1)
    reranker = RememberedReranker(behind)

    assert reranker.scores([("a", "b"), ("a", "cc")], math.inf) == [2, None]
    assert reranker.scores([("a", "b"), ("a", "cc")], math.inf) == [2, 3]


def test_nothing_that_anybody_wrote_is_kept() -> None:
    reranker = RememberedReranker(Counting())

    reranker.scores([("my grandmother", "the mind")], math.inf)

    assert "grandmother" not in str(vars(reranker))


def test_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_reranker, "KEPT", 1)
    reranker = RememberedReranker(Counting())

    reranker.scores([("a", "b"), ("a", "c")], math.inf)

    assert len(reranker.kept) == 1
