"""Uploaded files and queued tasks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

TASK_SECONDS = 600  # that the queue waits for a response to a delivery
RECEIVE_SECONDS = 1800  # the same for a file, whose pages may have to be read by text recognition; Cloud Tasks waits no longer
TASK_ATTEMPTS = 50
"""Deliveries of a task before it is given up. The next one records the failure and succeeds, so the queue forgets the task: a
book fails (WORK in library/intake.py), an essay waits for the next night (essays/batch/service.py)."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An uploaded file, "{school}/{name}.pdf". generation: identifies the content among all of that name."""

    name: str
    generation: str


class TaskKind(StrEnum):
    """Kind of a task; each is one use case (library/intake.py, essays/batch/service.py)."""

    RECEIVE = "receive"  # parse an uploaded file
    INDEX = "index"  # index one batch of a version's sentences
    ESSAY = "essay"  # write feedback on one essay of a batch
    PREDICT = "predict"  # collect the results of a batch prediction
    HAND_IN = "hand_in"  # write feedback on a file that was handed in at a learning platform

    @property
    def seconds(self) -> int:
        """Seconds that the queue waits for a response to a delivery."""
        return RECEIVE_SECONDS if self is TaskKind.RECEIVE else TASK_SECONDS


@dataclass(frozen=True, slots=True)
class Task:
    """Work for later, done at least once. name: letters, digits, "-", "_"; two tasks of one name are one task. body: JSON.
    wait: seconds until it is handed over first. person: id of who waits for it, empty if unknown; a queue in this process
    takes turns by it."""

    name: str
    kind: TaskKind
    body: Mapping[str, str | int]
    wait: int = field(default=0, compare=False)
    person: str = field(default="", compare=False)

    @property
    def school(self) -> str:
        """The school that it is for; empty if its body names none. Names of files begin with it."""
        return str(self.body.get("school") or str(self.body.get("name", "")).partition("/")[0])


def named_task(kind: TaskKind, body: Mapping[str, str | int]) -> Task:
    """A task named after its kind and body. The digest comes first, because sequential names make Cloud Tasks slow
    (https://cloud.google.com/tasks/docs/reference/rest/v2/projects.locations.queues.tasks#Task)."""
    digest = sha256(json.dumps(dict(body), sort_keys=True).encode()).hexdigest()[:32]
    return Task(f"{digest}-{kind}", kind, body)
