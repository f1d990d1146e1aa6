import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from cachetools import LRUCache

from chapterverse.infrastructure.llm.cross_encoders import RememberedReranker

TWO = [("A book:", " one"), ("A book:", " two")]


@dataclass
class Lengths:
    """A Reranker: the longer, the better. time_for: so many pairs of a call, and None for the others."""

    time_for: int = 1_000
    asked: list[tuple[str, str]] = field(default_factory=list)
    calls: int = 0
    model: str = "lengths"

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.calls += 1
        self.asked += pairs
        return [float(len(one + other)) if place < self.time_for else None for place, (one, other) in enumerate(pairs)]


def test_a_pair_is_judged_once() -> None:
    behind = Lengths()
    reranker = RememberedReranker(behind)

    first = reranker.scores(TWO, math.inf)
    again = reranker.scores([*TWO, ("A book:", " three")], math.inf)

    assert reranker.model == "lengths"
    assert again == [*first, 13.0]
    assert behind.asked == [*TWO, ("A book:", " three")]


def test_what_there_was_no_time_for_is_judged_another_time() -> None:
    reranker = RememberedReranker(Lengths(time_for=1))

    assert [reranker.scores(TWO, math.inf) for _ in range(2)] == [[11.0, None], [11.0, 11.0]]


def test_the_oldest_are_forgotten_and_no_words_are_stored() -> None:
    behind = Lengths()
    reranker = RememberedReranker(behind, LRUCache(1))

    reranker.scores(TWO, math.inf)
    reranker.scores(TWO[:1], math.inf)

    assert len(reranker.cache) == 1
    assert behind.asked == [*TWO, TWO[0]]
    assert "book" not in str(reranker.cache)


def test_where_all_is_known_the_model_is_not_called() -> None:
    behind = Lengths()
    reranker = RememberedReranker(behind)

    assert reranker.scores(TWO, math.inf) == reranker.scores(TWO, math.inf)
    assert behind.calls == 1
