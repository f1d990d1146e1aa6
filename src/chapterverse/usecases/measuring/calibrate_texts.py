"""`chapterverse calibrate` in the background; nothing goes by it before it is accepted."""

from collections.abc import Callable
from typing import Any

from chapterverse.model import Collection, Measurement
from chapterverse.usecases.calibration import CALIBRATION, calibrate
from chapterverse.usecases.measuring.measuring import Measuring


def calibrate_texts(measurement: Measurement, measuring: Measuring, progress: Callable[[int, int], None]) -> dict[str, Any]:
    """As the command does with the same number and seed. Raises as it does."""
    collection = Collection(measurement.about)
    services, plan = measuring.shelves[collection], measuring.plan_of(collection)
    found = calibrate(measurement.school, services, plan, number=measurement.n, seed=measurement.seed, progress=progress)
    told: dict[str, Any] = CALIBRATION.dump_python(found, mode="json")
    return told
