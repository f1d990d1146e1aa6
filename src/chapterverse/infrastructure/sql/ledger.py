"""Cost of language models per school and day, in the catalogue's database."""

from datetime import date

from sqlalchemy import BigInteger, ColumnElement, Date, String, select, text, update
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.infrastructure.sql.engine import CatalogTable, SqlStore


class SpendingRow(CatalogTable):
    """Cost of language models of a school on a day in UTC; micros: millionths of the prices' currency."""

    __tablename__ = "spending"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    micros: Mapped[int] = mapped_column(BigInteger, server_default="0")


# Valid on SQLite and PostgreSQL.
_OPEN_DAY = text("INSERT INTO spending (school, day, micros) VALUES (:school, :day, 0) ON CONFLICT DO NOTHING")


class SqlLedger(SqlStore):
    """Ledger in the catalogue's database."""

    def reserve(self, school: str, day: date, micros: int, ceiling: int) -> bool:
        return self._add(school, day, micros, SpendingRow.micros + micros <= ceiling)

    def settle(self, school: str, day: date, micros: int) -> None:
        self._add(school, day, micros)

    def spent(self, school: str, day: date) -> int:
        wanted = select(SpendingRow.micros).where(SpendingRow.school == school, SpendingRow.day == day)
        with self._reading() as session:
            return session.scalar(wanted) or 0

    def _add(self, school: str, day: date, micros: int, *conditions: ColumnElement[bool]) -> bool:
        """Add to the day's sum if the conditions hold, in one statement; returns whether it was added."""
        more = update(SpendingRow).where(SpendingRow.school == school, SpendingRow.day == day, *conditions)
        with self._writing() as session:
            session.execute(_OPEN_DAY, {"school": school, "day": day.isoformat()})
            counted = more.values(micros=SpendingRow.micros + micros).returning(SpendingRow.micros)
            return session.scalar(counted) is not None
