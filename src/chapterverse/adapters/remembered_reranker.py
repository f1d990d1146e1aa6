"""A re-ranker that judges no pair twice: an essay handed in again, or a query that several students have."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from chapterverse.adapters.pair_memory import PairMemory
from chapterverse.ports import Reranker

MOST = 100_000  # pairs


@dataclass(frozen=True)
class RememberedReranker:
    """Reranker over another one."""

    reranker: Reranker
    memory: PairMemory = field(default_factory=lambda: PairMemory(MOST))

    @property
    def model(self) -> str:
        return self.reranker.model

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        return self.memory.of(pairs, lambda new: self.reranker.scores(new, deadline))
