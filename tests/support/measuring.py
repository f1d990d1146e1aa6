"""Measurements done at once."""

from dataclasses import replace

from chapterverse.core.tasks import Task
from chapterverse.evaluation.measurements import MeasuringContext, resume, run_measurement


class Kept:
    """A queue whose tasks somebody else does."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def add(self, task: Task) -> None:
        self.tasks.append(task)


def measure_all(measuring: MeasuringContext) -> None:
    """Whatever waits, as a program does that has just begun."""
    queue = Kept()
    resume(replace(measuring, queue=queue))
    for task in queue.tasks:
        run_measurement(task, 1, measuring)
