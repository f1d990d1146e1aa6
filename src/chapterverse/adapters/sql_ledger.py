"""What language models have cost, in the catalog's database."""

from datetime import date

from sqlalchemy import ColumnElement, select, text, update
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_engine import Database, database_errors_as_ours, reading, writing
from chapterverse.adapters.sql_tables import SpendingRow

# Said alike by SQLite and PostgreSQL, and only by SQL itself.
_OPEN_DAY = text("INSERT INTO spending (school, day, micros) VALUES (:school, :day, 0) ON CONFLICT DO NOTHING")


class SqlLedger:
    """Ledger on any database that SQLAlchemy speaks; the first call opens it and brings its tables up to date."""

    def __init__(self, url: str) -> None:
        self._database = Database(url)

    def close(self) -> None:
        """Give the database's connections back."""
        self._database.close()

    def reserve(self, school: str, day: date, micros: int, ceiling: int) -> bool:
        return self._add(school, day, micros, SpendingRow.micros + micros <= ceiling)

    def settle(self, school: str, day: date, micros: int) -> None:
        self._add(school, day, micros)

    def spent(self, school: str, day: date) -> int:
        wanted = select(SpendingRow.micros).where(SpendingRow.school == school, SpendingRow.day == day)
        with database_errors_as_ours(), Session(reading(self._database.engine)) as session:
            return session.scalar(wanted) or 0

    def _add(self, school: str, day: date, micros: int, *provided: ColumnElement[bool]) -> bool:
        """Whether it was counted: one statement looks and writes, so nobody comes between."""
        more = update(SpendingRow).where(SpendingRow.school == school, SpendingRow.day == day, *provided)
        with database_errors_as_ours(), Session(writing(self._database.engine)) as session, session.begin():
            session.execute(_OPEN_DAY, {"school": school, "day": day.isoformat()})
            counted = more.values(micros=SpendingRow.micros + micros).returning(SpendingRow.micros)
            return session.scalar(counted) is not None
