"""Measurements of a school's own texts, in the catalog's database."""

from dataclasses import fields
from datetime import datetime

from sqlalchemy import String, Text, select, update
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.core.errors import NotFound
from chapterverse.evaluation.model import Measured, Measurement, MeasurementState
from chapterverse.infrastructure.sql.engine import CatalogTable, MessageText, SqlStore, UtcTime, found, storable
from chapterverse.messages import Message


class MeasurementRow(CatalogTable):
    """A measurement. result: JSON in a text."""

    __tablename__ = "measurements"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    about: Mapped[str] = mapped_column(String(255))
    n: Mapped[int]
    seed: Mapped[int]
    by: Mapped[str] = mapped_column("asked_by", String(320))
    created: Mapped[datetime] = mapped_column(UtcTime)
    state: Mapped[str] = mapped_column(String(16), index=True)
    done: Mapped[int]
    total: Mapped[int]
    message: Mapped[Message | None] = mapped_column(MessageText)
    result: Mapped[str] = mapped_column(Text)


class SqlMeasurements(SqlStore):
    """Measurements of all schools, waiting and finished (tests/contract/test_measurement_store.py).

    A measurement of another school is not found. All methods raise CatalogUnavailable."""

    def add(self, measurement: Measurement) -> None:
        """Store a new measurement; nothing happens if its id is stored already."""
        with self._writing() as session:
            if session.get(MeasurementRow, (measurement.school, measurement.id)) is None:
                session.add(_row(measurement))

    def find(self, school: str, id: str) -> Measurement:
        """The measurement. Raises NotFound."""
        wanted = select(MeasurementRow).where(MeasurementRow.school == school, MeasurementRow.id == storable(id))
        with self._reading() as session:
            return _measurement(found(session, wanted, _not_found()))

    def of_school(self, school: str, kind: Measured, about: str | None = None) -> list[Measurement]:
        """The school's measurements of that kind, newest first; only those about `about`, if given."""
        wanted = select(MeasurementRow).where(MeasurementRow.school == school, MeasurementRow.kind == kind.value)
        if about is not None:
            wanted = wanted.where(MeasurementRow.about == storable(about))
        with self._reading() as session:
            newest = wanted.order_by(MeasurementRow.created.desc(), MeasurementRow.id)
            return [_measurement(row) for row in session.scalars(newest)]

    def waiting(self) -> list[Measurement]:
        """Unfinished measurements of all schools, oldest first."""
        wanted = select(MeasurementRow).where(MeasurementRow.state == MeasurementState.WAITING.value)
        with self._reading() as session:
            return [_measurement(row) for row in session.scalars(wanted.order_by(MeasurementRow.created))]

    def change(self, measurement: Measurement) -> None:
        """Update progress, state and result; nothing happens if it was removed."""
        row = _row(measurement)
        changed = {name: getattr(row, name) for name in ("state", "done", "total", "message", "result")}
        its = (MeasurementRow.school == measurement.school, MeasurementRow.id == measurement.id)
        with self._writing() as session:
            session.execute(update(MeasurementRow).where(*its).values(**changed))

    def remove(self, school: str, id: str) -> None:
        """Delete the measurement. Raises NotFound."""
        if not self._forget(MeasurementRow.id, MeasurementRow.school == school, MeasurementRow.id == storable(id)):
            raise _not_found()


def _not_found() -> NotFound:
    return NotFound("no_such_measurement")


def _row(of: Measurement) -> MeasurementRow:
    values = {field.name: getattr(of, field.name) for field in fields(of)}
    return MeasurementRow(**values | {"kind": of.kind.value, "state": of.state.value})


def _measurement(row: MeasurementRow) -> Measurement:
    values = {field.name: getattr(row, field.name) for field in fields(Measurement)}
    return Measurement(**values | {"kind": Measured(row.kind), "state": MeasurementState(row.state)})
