import math
from collections.abc import Sequence

from chapterverse.adapters.remembered_reranker import RememberedReranker


class Lengths:
    """A Reranker: the longer, the better."""

    model, calls = "lengths", 0

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.calls += 1
        return [float(len(query + sentence)) for query, sentence in pairs]


def test_a_pair_is_judged_once() -> None:
    behind = Lengths()
    reranker = RememberedReranker(behind)

    answers = [reranker.scores([("a", "bb")], math.inf) for _ in range(2)]

    assert (reranker.model, answers, behind.calls) == ("lengths", [[3.0]] * 2, 1)
