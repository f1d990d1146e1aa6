"""A calibration as a picture: what each threshold would do, and how the scores of questions lie."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound
from chapterverse.evaluation.calibration import told_at
from chapterverse.evaluation.measurements import MeasuringContext
from chapterverse.evaluation.model import Measured, Measurement, MeasurementState
from chapterverse.library.services import CollectionServices
from chapterverse.questions.judging import CALIBRATION, Calibration, Scale, accept, accepted
from chapterverse.questions.styles import HELPDESK

STEPS = 50  # of a threshold from 0 to 1: as fine as a slider needs

BINS = 20

ONLY_SURE = {Collection.HELPDESK: HELPDESK.only_sure}


def only_sure(collection: Collection) -> bool:
    """Whether what is not sure is refused there, where any score is sure."""
    return ONLY_SURE.get(collection, False)


def newest(school: str, collection: Collection, measuring: MeasuringContext) -> Measurement | None:
    """The last one asked for, however far it has come. Raises CatalogUnavailable."""
    found = measuring.store.of_school(school, Measured.CALIBRATION, collection.value)
    return next(iter(found), None)


def shown(school: str, collection: Collection, measuring: MeasuringContext) -> tuple[Calibration | None, bool]:
    """What a picture is drawn of, and whether the school goes by it: what was measured last of the texts as they are cut and
    embedded now, else what was accepted. Raises CatalogUnavailable, BucketUnavailable."""
    services = measuring.shelves[collection]
    in_use = accepted(school, services) if collection is not Collection.BOOKS else None
    for one in measuring.store.of_school(school, Measured.CALIBRATION, collection.value):
        if one.state is MeasurementState.DONE:
            found = CALIBRATION.validate_json(one.result)
            if fits(found, school, services):
                return found, found == in_use or collection is Collection.BOOKS
    return in_use, in_use is not None


def fits(found: Calibration, school: str, services: CollectionServices) -> bool:
    """Whether the texts are cut and embedded as they were then."""
    return (found.model, found.unit) == (services.for_school(school).embedder.model, services.chunker.unit)


def go_by(school: str, collection: Collection, id: str, measuring: MeasuringContext) -> None:
    """From now on answers go by what that measurement found. Raises NotFound, CatalogUnavailable, BucketUnavailable."""
    measurement = measuring.store.find(school, id)
    if measurement.state is not MeasurementState.DONE or measurement.about != collection.value:
        raise NotFound("no_finished_measurement")
    accept(school, CALIBRATION.validate_json(measurement.result), measuring.shelves[collection])


def picture_json(found: Calibration, collection: Collection) -> dict[str, Any]:
    """sure: score from which 95 of 100 are right; least: the default threshold; curve, histogram: empty where the questions
    were not kept."""
    scale = found.confidence
    return {
        "model": found.model,
        "unit": found.unit,
        "questions": found.questions,
        "sure": scale.sure,
        "least": scale.answered_from(only_sure=only_sure(collection)),
        "curve": [asdict(told_at(step / STEPS, scale.asked)) for step in range(STEPS + 1)] if scale.asked else [],
        "histogram": list(_histogram(scale)),
    }


def _histogram(scale: Scale) -> Iterator[dict[str, Any]]:
    """How many questions have their score in each of equal parts, those that are answered and the same without their answer."""
    for number in range(BINS if scale.asked else 0):
        answered = sum(_bin(one.score) == number for one in scale.asked)
        others = sum(_bin(one.without) == number for one in scale.asked)
        yield {"least": number / BINS, "answered": answered, "others": others}


def _bin(score: float) -> int:
    return min(max(int(score * BINS), 0), BINS - 1)
