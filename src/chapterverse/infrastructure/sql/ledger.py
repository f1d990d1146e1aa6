"""What language models have cost each school per day, in the catalogue's database."""

from datetime import date

from sqlalchemy import BigInteger, ColumnElement, Date, String, select, text, update
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.infrastructure.sql.engine import CatalogTable, SqlStore


class SpendingRow(CatalogTable):
    """What language models have cost a school in a day, UTC; micros: millionths of the currency that prices are in."""

    __tablename__ = "spending"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    micros: Mapped[int] = mapped_column(BigInteger, server_default="0")


# Said alike by SQLite and PostgreSQL, and only by SQL itself.
_OPEN_DAY = text("INSERT INTO spending (school, day, micros) VALUES (:school, :day, 0) ON CONFLICT DO NOTHING")


class SqlLedger(SqlStore):
    """Ledger on any database that SQLAlchemy speaks."""

    def reserve(self, school: str, day: date, micros: int, ceiling: int) -> bool:
        return self._add(school, day, micros, SpendingRow.micros + micros <= ceiling)

    def settle(self, school: str, day: date, micros: int) -> None:
        self._add(school, day, micros)

    def spent(self, school: str, day: date) -> int:
        wanted = select(SpendingRow.micros).where(SpendingRow.school == school, SpendingRow.day == day)
        with self._reading() as session:
            return session.scalar(wanted) or 0

    def _add(self, school: str, day: date, micros: int, *provided: ColumnElement[bool]) -> bool:
        """Whether it was counted: one statement looks and writes, so nobody comes between."""
        more = update(SpendingRow).where(SpendingRow.school == school, SpendingRow.day == day, *provided)
        with self._writing() as session:
            session.execute(_OPEN_DAY, {"school": school, "day": day.isoformat()})
            counted = more.values(micros=SpendingRow.micros + micros).returning(SpendingRow.micros)
            return session.scalar(counted) is not None
