"""How long each stage of an essay takes, by the clock and in CPU seconds, told by what stands before the ports."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from chapterverse import composition
from chapterverse.essays.writing.writing import Writing
from chapterverse.library.services import CollectionServices
from chapterverse.settings import Settings


@dataclass(frozen=True)
class Took:
    """A call: the clock's moments of its beginning and its end, and the process's CPU seconds between them."""

    began: float
    ended: float
    cpu: float


@dataclass
class Stages:
    """Calls by stage, since the last clear()."""

    calls: dict[str, list[Took]] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began, cpu = time.monotonic(), time.process_time()
        try:
            yield
        finally:
            took = Took(began, time.monotonic(), time.process_time() - cpu)
            self.calls.setdefault(name, []).append(took)

    def clear(self) -> None:
        self.calls.clear()

    def wall(self, name: str) -> float:
        """Seconds from the first call's beginning to the last one's end, as calls may run side by side; 0 without any."""
        calls = self.calls.get(name, [])
        return max(took.ended for took in calls) - min(took.began for took in calls) if calls else 0.0

    def spent(self, name: str) -> float:
        """Seconds in all its calls, one after the other."""
        return sum(took.ended - took.began for took in self.calls.get(name, []))

    def cpu(self, name: str) -> float:
        return sum(took.cpu for took in self.calls.get(name, []))

    def before(self, port: Any, name: str) -> Any:
        """The port, its calls a stage of that name."""
        return _Before(port, name, self)


@dataclass(frozen=True)
class _Before:
    port: Any
    name: str
    stages: Stages

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self.port, attribute)
        return self._timed(found) if callable(found) else found

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            with self.stages.stage(self.name):
                return call(*arguments, **named)

        return timed


def watched(settings: Settings, stages: Stages) -> tuple[CollectionServices, Writing]:
    """The product as it is set, "embed" and "search" watched."""
    services = composition.compose(settings)
    embedder, index = stages.before(services.embedder, "embed"), stages.before(services.index, "search")
    return replace(services, embedder=embedder, index=index), composition.models.writing(settings)
