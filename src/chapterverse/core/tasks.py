"""Uploaded files and queued tasks."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

TASK_SECONDS = 600  # that the queue waits for one delivery to be answered

TASK_ATTEMPTS = 50  # deliveries of a task before its book, essay or measurement is given up


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in the store that teachers upload to: "{school}/{name}.pdf". generation tells one content of a name from the next;
    title and authors are what the uploader says of it, if anything."""

    name: str
    generation: str
    title: str | None = None
    authors: tuple[str, ...] = ()


class TaskKind(StrEnum):
    """What a task asks for; one use case each (operations/tasks.py, essays/batch/tasks.py, evaluation/measurements.py)."""

    RECEIVE = "receive"  # a file that was uploaded
    INDEX = "index"  # one batch of a version's sentences
    CUT = "cut"  # a book into paragraphs, for lectures
    REMOVE = "remove"  # a version that is not searched any more
    ESSAY = "essay"  # one essay of a batch
    PREDICT = "predict"  # what a batch prediction writes on a batch
    MEASURE = "measure"  # how well a school's own texts are found


@dataclass(frozen=True, slots=True)
class Task:
    """Work for later, done at least once. name: letters, digits, "-", "_"; two tasks of one name are one task. body: JSON."""

    name: str
    kind: TaskKind
    body: Mapping[str, str | int]
