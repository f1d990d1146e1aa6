import math
from collections.abc import Sequence

from chapterverse.adapters.remembered_likelihood import RememberedLikelihood


class Lengths:
    """A Likelihood: the longer, the less expected."""

    model, calls = "lengths", 0

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.calls += 1
        return [-float(len(prompt + text)) for prompt, text in pairs]


def test_a_pair_is_asked_for_once() -> None:
    behind = Lengths()
    likelihood = RememberedLikelihood(behind)

    answers = [likelihood.log_probs([("A book:", " one")], math.inf) for _ in range(2)]

    assert (likelihood.model, answers, behind.calls) == ("lengths", [[-11.0]] * 2, 1)
