"""What the embedder's app stands on; composition fills it in, tests build their own."""

from collections.abc import Callable
from dataclasses import dataclass

from chapterverse.adapters.lanes import Lanes
from chapterverse.model import Task
from chapterverse.worker.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Worker:
    """run: does a task, told how often it was delivered, from 1; its vectors come from lanes.bulk. admit: takes the
    Authorization header, or "", and raises Unauthenticated or Forbidden. open_requests: of one kind, answered at once."""

    lanes: Lanes
    run: Callable[[Task, int], None]
    admit: Callable[[str], object]
    metrics: Metrics
    open_requests: int = 64
