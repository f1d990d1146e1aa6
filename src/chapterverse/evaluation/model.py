"""Measurements on a school's own texts, done in the background."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chapterverse.messages import Message


class Measured(StrEnum):
    """Kinds of measurement."""

    EVALUATION = "evaluation"  # how well a book's sentences are found (S1-19)
    CALIBRATION = "calibration"  # from which score on the texts contain the answer


class MeasurementState(StrEnum):
    """State of a measurement."""

    WAITING = "waiting"  # ordered or running
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement. about: a book or a collection. n: cases, drawn with the seed. by: who ordered it. done, total: steps,
    both 0 until known. message: why it waits or failed. result: JSON, empty until done."""

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
