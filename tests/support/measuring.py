"""Measurements done at once."""

from dataclasses import replace

from chapterverse.model import Task
from chapterverse.usecases.measuring.measuring import Measuring, resume
from chapterverse.usecases.measuring.run_task import run_measurement


class Kept:
    """A queue whose tasks somebody else does."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def add(self, task: Task) -> None:
        self.tasks.append(task)


def measure_all(measuring: Measuring) -> None:
    """Whatever waits, as a program does that has just begun."""
    queue = Kept()
    resume(replace(measuring, queue=queue))
    for task in queue.tasks:
        run_measurement(task, 1, measuring)
