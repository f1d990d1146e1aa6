"""How long each stage of a look-up takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from chapterverse.model import StageTimes


@dataclass
class Stopwatch:
    """stage: the one that is timed now, or was last."""

    began: float = field(default_factory=perf_counter)
    stage: str = "books"
    _spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, stage: str) -> Iterator[None]:
        """What the block takes counts to the stage, also where it fails."""
        self.stage, start = stage, perf_counter()
        try:
            yield
        finally:
            self._spent[stage] = self._spent.get(stage, 0.0) + 1000 * (perf_counter() - start)

    @property
    def total(self) -> float:
        """Milliseconds since it began."""
        return 1000 * (perf_counter() - self.began)

    @property
    def stages(self) -> StageTimes:
        """Milliseconds of each."""
        return StageTimes(**{name: self._spent.get(name, 0.0) for name in ("keywords", "embed", "search", "rerank")})
