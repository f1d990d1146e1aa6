"""What is measured of the search, in the catalog's database."""

from sqlalchemy import select, update

from chapterverse.adapters.sql_store import SqlStore, found, storable
from chapterverse.adapters.sql_tables import MeasurementRow
from chapterverse.errors import NotFound
from chapterverse.model import Measured, Measurement, MeasurementState


class SqlMeasurements(SqlStore):
    """MeasurementStore on any database that SQLAlchemy speaks."""

    def add(self, measurement: Measurement) -> None:
        with self._writing() as session:
            if session.get(MeasurementRow, (measurement.school, measurement.id)) is None:
                session.add(_row(measurement))

    def find(self, school: str, id: str) -> Measurement:
        wanted = select(MeasurementRow).where(MeasurementRow.school == school, MeasurementRow.id == storable(id))
        with self._reading() as session:
            return _measurement(found(session, wanted, _not_found()))

    def of_school(self, school: str, kind: Measured, about: str | None = None) -> list[Measurement]:
        wanted = select(MeasurementRow).where(MeasurementRow.school == school, MeasurementRow.kind == kind.value)
        if about is not None:
            wanted = wanted.where(MeasurementRow.about == storable(about))
        with self._reading() as session:
            newest = wanted.order_by(MeasurementRow.created.desc(), MeasurementRow.id)
            return [_measurement(row) for row in session.scalars(newest)]

    def waiting(self) -> list[Measurement]:
        wanted = select(MeasurementRow).where(MeasurementRow.state == MeasurementState.WAITING.value)
        with self._reading() as session:
            return [_measurement(row) for row in session.scalars(wanted.order_by(MeasurementRow.created))]

    def change(self, measurement: Measurement) -> None:
        row = _row(measurement)
        told = {name: getattr(row, name) for name in ("state", "done", "total", "message", "result")}
        its = (MeasurementRow.school == measurement.school, MeasurementRow.id == measurement.id)
        with self._writing() as session:
            session.execute(update(MeasurementRow).where(*its).values(**told))

    def remove(self, school: str, id: str) -> None:
        if not self._forget(MeasurementRow.id, MeasurementRow.school == school, MeasurementRow.id == storable(id)):
            raise _not_found()


def _not_found() -> NotFound:
    return NotFound("no_such_measurement")


def _row(of: Measurement) -> MeasurementRow:
    return MeasurementRow(
        school=of.school,
        id=of.id,
        kind=of.kind.value,
        about=of.about,
        n=of.n,
        seed=of.seed,
        asked_by=of.by,
        created=of.created,
        state=of.state.value,
        done=of.done,
        total=of.total,
        message=of.message,
        result=of.result,
    )


def _measurement(row: MeasurementRow) -> Measurement:
    return Measurement(
        school=row.school,
        id=row.id,
        kind=Measured(row.kind),
        about=row.about,
        n=row.n,
        seed=row.seed,
        by=row.asked_by,
        created=row.created,
        state=MeasurementState(row.state),
        done=row.done,
        total=row.total,
        message=row.message,
        result=row.result,
    )
