import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from chapterverse.adapters import remembered_likelihood
from chapterverse.adapters.remembered_likelihood import RememberedLikelihood

PAIRS = [("A book:", " one"), ("A book:", " two")]


@dataclass
class Lengths:
    """A Likelihood: the longer, the less expected. most: pairs that there is time for in a call."""

    most: int = 1_000
    asked: list[str] = field(default_factory=list)
    model: str = "lengths"

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.asked += [text for _, text in pairs]
        return [-float(len(prompt + text)) if place < self.most else None for place, (prompt, text) in enumerate(pairs)]


def test_a_pair_is_asked_for_once() -> None:
    lengths = Lengths()
    likelihood = RememberedLikelihood(lengths)

    first = likelihood.log_probs(PAIRS, math.inf)
    again = likelihood.log_probs([*PAIRS, ("A book:", " three")], math.inf)

    assert again == [*first, -13.0]
    assert lengths.asked == [" one", " two", " three"]


def test_what_there_was_no_time_for_is_asked_again() -> None:
    likelihood = RememberedLikelihood(Lengths(most=1))

    assert [likelihood.log_probs(PAIRS, math.inf) for _ in range(2)] == [[-11.0, None], [-11.0, -11.0]]


def test_where_a_prompt_ends_is_remembered_too() -> None:
    lengths = Lengths()
    likelihood = RememberedLikelihood(lengths)

    likelihood.log_probs([("a", "bc"), ("ab", "c")], math.inf)

    assert len(likelihood.known) == 2


def test_no_words_are_kept_and_not_without_end(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(remembered_likelihood, "MOST", 1)
    likelihood = RememberedLikelihood(Lengths())

    likelihood.log_probs(PAIRS, math.inf)

    assert len(likelihood.known) == 1
    assert "book" not in repr(likelihood.known)
