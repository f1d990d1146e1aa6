"""What is measured of the search on a school's own texts, in the background."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chapterverse.messages import Message


class Measured(StrEnum):
    """What is measured."""

    EVALUATION = "evaluation"  # how well a book's sentences are found (S1-19)
    CALIBRATION = "calibration"  # from which score on something is in the texts


class MeasurementState(StrEnum):
    """How far it has come."""

    WAITING = "waiting"  # asked for, or under way
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Measurement:
    """about: the book, or the collection; n: cases asked for, drawn by that seed; by: who asked. done, of total: steps, 0 of 0
    before it is known how many. result: JSON, empty until it is there; message: why it waits or has failed."""

    school: str
    id: str
    kind: Measured
    about: str
    n: int
    seed: int
    by: str
    created: datetime
    state: MeasurementState = MeasurementState.WAITING
    done: int = 0
    total: int = 0
    message: Message | None = None
    result: str = field(default="", repr=False)
