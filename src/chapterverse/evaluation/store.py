"""Tables of what schools set and have measured for themselves.

What is measured of the search, in the catalog's database."""

from datetime import datetime

from sqlalchemy import String, Text, select, update
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.core.errors import NotFound
from chapterverse.evaluation.model import Measured, Measurement, MeasurementState
from chapterverse.infrastructure.sql.engine import MessageText, SqlStore, Table, UtcTime, found, storable
from chapterverse.messages import Message


class MeasurementRow(Table):
    """What is measured of the search on a school's own texts. result: JSON in a text."""

    __tablename__ = "measurements"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    about: Mapped[str] = mapped_column(String(255))
    n: Mapped[int]
    seed: Mapped[int]
    asked_by: Mapped[str] = mapped_column(String(320))
    created: Mapped[datetime] = mapped_column(UtcTime)
    state: Mapped[str] = mapped_column(String(16), index=True)
    done: Mapped[int]
    total: Mapped[int]
    message: Mapped[Message | None] = mapped_column(MessageText)
    result: Mapped[str] = mapped_column(Text)


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
