"""What every SqlMeasurements must do."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.evaluation.model import Measured, Measurement, MeasurementState
from chapterverse.evaluation.store import SqlMeasurements

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
FIRST = Measurement("school", "a", Measured.EVALUATION, "habits", 100, 0, "anna", NOON)
SECOND = replace(FIRST, id="b", created=NOON + timedelta(hours=1))


@pytest.fixture(params=["sqlite", "postgresql"])
def measurements(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlMeasurements]:
    sqlite = request.param == "sqlite"
    address = f"sqlite:///{tmp_path / 'catalog.db'}" if sqlite else request.getfixturevalue("postgres_catalog")
    opened = SqlMeasurements(address)
    yield opened
    opened.close()


def test_one_that_is_added_twice_is_there_once_as_far_as_it_has_come(measurements: SqlMeasurements) -> None:
    measurements.add(FIRST)
    measurements.change(replace(FIRST, done=3, total=9))

    measurements.add(FIRST)

    assert measurements.find("school", "a") == replace(FIRST, done=3, total=9)


def test_those_of_a_school_are_told_newest_first(measurements: SqlMeasurements) -> None:
    for one in (FIRST, SECOND, replace(SECOND, id="c", about="liberty"), replace(SECOND, school="another")):
        measurements.add(one)

    assert [one.id for one in measurements.of_school("school", Measured.EVALUATION)] == ["b", "c", "a"]
    assert [one.id for one in measurements.of_school("school", Measured.EVALUATION, "habits")] == ["b", "a"]
    assert measurements.of_school("school", Measured.CALIBRATION) == []


def test_what_has_ended_waits_no_more_and_has_its_result(measurements: SqlMeasurements) -> None:
    measurements.add(SECOND)
    measurements.add(FIRST)

    measurements.change(replace(FIRST, state=MeasurementState.DONE, result="{}"))

    assert measurements.waiting() == [SECOND]
    assert measurements.find("school", "a").result == "{}"


def test_one_that_is_gone_stays_gone(measurements: SqlMeasurements) -> None:
    measurements.add(FIRST)
    measurements.remove("school", "a")

    measurements.change(replace(FIRST, done=1))

    for school, id in (("school", "a"), ("another", "a"), ("school", "a\0")):
        with pytest.raises(NotFound):
            measurements.find(school, id)
        with pytest.raises(NotFound):
            measurements.remove(school, id)
