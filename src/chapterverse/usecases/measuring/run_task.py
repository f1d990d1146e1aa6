"""Measurements done, and what becomes of one that does not succeed."""

import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from chapterverse.errors import NotFound, PermanentError, RetryableError
from chapterverse.messages import Message, message
from chapterverse.model import Measured, Measurement, MeasurementState, Task
from chapterverse.usecases.measuring.calibrate_texts import calibrate_texts
from chapterverse.usecases.measuring.evaluate_book import evaluate_book
from chapterverse.usecases.measuring.measuring import Measuring
from chapterverse.usecases.tasks import Body, text_in, understood

Progress = Callable[[int, int], None]
DO: Mapping[Measured, Callable[[Measurement, Measuring, Progress], dict[str, Any]]] = {
    Measured.EVALUATION: evaluate_book,
    Measured.CALIBRATION: calibrate_texts,
}

log = logging.getLogger(__name__)


def run_measurement(task: Task, attempt: int, measuring: Measuring) -> None:
    """Do it, and keep what came out, or why nothing did. Done twice, it comes out the same.

    attempt: which delivery this is, from 1. Raises RetryableError, BadRequest as `understood` does, and whatever is a bug of
    ours: it is to be delivered again; beyond measuring.attempts it is given up."""
    if (which := understood(task, _which, attempt, measuring.attempts)) is None:
        return
    with suppress(NotFound):  # it was removed
        measurement = measuring.store.find(*which)
        if measurement.state is MeasurementState.WAITING:
            measuring.store.change(_ended(measurement, attempt, measuring))


def _which(body: Body) -> tuple[str, str]:
    return text_in(body, "school"), text_in(body, "measurement")


def _ended(measurement: Measurement, attempt: int, measuring: Measuring) -> Measurement:
    if attempt > measuring.attempts:
        return _failed(measurement, message("measurement_gave_up", attempts=measuring.attempts))
    try:
        result = DO[measurement.kind](measurement, measuring, _progress(measurement, measuring))
    except PermanentError as error:
        log.warning("measurement failed", extra={"school": measurement.school, "error": error.code})
        return _failed(measurement, error.message)
    except RetryableError as error:
        measuring.store.change(replace(measurement, message=error.message))
        raise
    told, reached = json.dumps(result, ensure_ascii=False), measuring.store.find(measurement.school, measurement.id)
    return replace(reached, done=reached.total, state=MeasurementState.DONE, message=None, result=told)


def _failed(measurement: Measurement, why: Message) -> Measurement:
    return replace(measurement, state=MeasurementState.FAILED, message=why)


def _progress(measurement: Measurement, measuring: Measuring) -> Progress:
    def note(done: int, total: int) -> None:
        measuring.store.change(replace(measurement, done=done, total=total, message=None))

    return note
