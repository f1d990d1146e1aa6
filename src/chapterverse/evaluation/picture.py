"""A calibration as a picture: the effect of each threshold, and the distribution of scores."""

from collections.abc import Iterator
from dataclasses import dataclass

from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound
from chapterverse.evaluation.calibration import metrics_at
from chapterverse.evaluation.measurements import MeasuringContext
from chapterverse.evaluation.model import Measured, Measurement, MeasurementState
from chapterverse.library.services import CollectionServices
from chapterverse.questions.judging import CALIBRATION, Calibration, Scale, ThresholdMetrics, accept, accepted
from chapterverse.questions.styles import HELPDESK

STEPS = 50  # thresholds of the curve, from 0 to 1
BINS = 20  # of the histogram


@dataclass(frozen=True, slots=True)
class Bin:
    """Number of questions with a score from `least` on: answered, and others, the same questions without their answer."""

    least: float
    answered: int
    others: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A calibration. sure: score from which 95 of 100 answers are right, null without one. least: the threshold unless the
    school sets another. curve, histogram: empty for old calibrations."""

    model: str
    unit: str
    questions: int
    sure: float | None
    least: float
    curve: list[ThresholdMetrics]
    histogram: list[Bin]


def newest(school: str, collection: Collection, context: MeasuringContext) -> Measurement | None:
    """The last calibration ordered, in any state; None without one. Raises CatalogUnavailable."""
    return next(iter(context.store.of_school(school, Measured.CALIBRATION, collection.value)), None)


def current_calibration(school: str, collection: Collection, context: MeasuringContext) -> tuple[Calibration | None, bool]:
    """The calibration to show, and whether the school uses it: the last one measured with the current unit and embedding model,
    else the accepted one. Raises CatalogUnavailable, BucketUnavailable."""
    services = context.collections[collection]
    in_use = accepted(school, services) if collection is not Collection.BOOKS else None
    for one in context.store.of_school(school, Measured.CALIBRATION, collection.value):
        if one.state is MeasurementState.DONE:
            calibration = CALIBRATION.validate_json(one.result)
            if is_current(calibration, school, services):
                return calibration, calibration == in_use or collection is Collection.BOOKS
    return in_use, in_use is not None


def is_current(calibration: Calibration, school: str, services: CollectionServices) -> bool:
    """Whether the calibration was measured with the current unit and embedding model."""
    return (calibration.model, calibration.unit) == (services.for_school(school).embedder.model, services.chunker.unit)


def accept_measurement(school: str, collection: Collection, id: str, context: MeasuringContext) -> None:
    """Use the calibration of a measurement from now on. Raises NotFound, CatalogUnavailable, BucketUnavailable."""
    measurement = context.store.find(school, id)
    if measurement.state is not MeasurementState.DONE or measurement.about != collection.value:
        raise NotFound("no_finished_measurement")
    accept(school, CALIBRATION.validate_json(measurement.result), context.collections[collection])


def picture_of(calibration: Calibration, collection: Collection) -> Picture:
    """The picture of a calibration's confidence."""
    scale = calibration.confidence
    only_confident = collection is Collection.HELPDESK and HELPDESK.only_confident
    return Picture(
        model=calibration.model,
        unit=calibration.unit,
        questions=calibration.questions,
        sure=scale.confident,
        least=scale.threshold(only_confident=only_confident),
        curve=[metrics_at(step / STEPS, scale.questions) for step in range(STEPS + 1)] if scale.questions else [],
        histogram=list(_histogram(scale)) if scale.questions else [],
    )


def _histogram(scale: Scale) -> Iterator[Bin]:
    for number in range(BINS):
        answered = sum(_bin(one.score) == number for one in scale.questions)
        others = sum(_bin(one.without) == number for one in scale.questions)
        yield Bin(number / BINS, answered, others)


def _bin(score: float) -> int:
    return min(max(int(score * BINS), 0), BINS - 1)
