"""A likelihood that is asked once about each pair."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from chapterverse.adapters.pair_memory import PairMemory
from chapterverse.ports import Likelihood

MOST = 20_000  # pairs: about 300 essays


@dataclass(frozen=True)
class RememberedLikelihood:
    """Likelihood over another one."""

    likelihood: Likelihood
    memory: PairMemory = field(default_factory=lambda: PairMemory(MOST))

    @property
    def model(self) -> str:
        return self.likelihood.model

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        return self.memory.of(pairs, lambda new: self.likelihood.log_probs(new, deadline))
