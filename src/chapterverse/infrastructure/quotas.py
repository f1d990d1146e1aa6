"""Quotas: requests of a person in a minute, as token buckets, and a school's cost of language models in a day.

Buckets are in this process's memory, for an installation of one process, or in the catalogue's database, where all processes
share one count; costs are always there."""

import time
from collections.abc import Callable, Mapping
from datetime import date
from threading import Lock
from typing import Any

from sqlalchemy import DDL, BigInteger, ColumnElement, Date, Float, String, delete, event, func, select, text, true, update
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.infrastructure.sql import CatalogTable, Database, SqlStore, advisory

MINUTE = 60.0  # seconds in which an empty bucket fills up
MAX_BUCKETS = 10_000  # beyond this, full buckets are dropped: a missing bucket counts as full


class MemoryTokenBuckets:
    """TokenBuckets of one process; safe for threads. clock: seconds, never going back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._full_at: dict[str, float] = {}  # when each bucket is full again

    def take(self, key: str, per_minute: int) -> float:
        token = MINUTE / per_minute
        with self._lock:
            now = self._clock()
            full_at = max(self._full_at.get(key, now), now) + token
            wait = full_at - now - MINUTE
            if wait > token / 1000:  # the sum of 1/n, n times, is not quite 1
                return wait
            self._full_at[key] = full_at
            if len(self._full_at) > MAX_BUCKETS:
                self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
            return 0.0


CLEAN_SECONDS = 600.0  # between two removals of full buckets


class RateRow(CatalogTable):
    """A token bucket. bucket: a digest of its key; full_at: when it is full again, in seconds since 1970."""

    __tablename__ = "rates"

    bucket: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    full_at: Mapped[float] = mapped_column(Float(53), index=True)


event.listen(  # no log on PostgreSQL, so that taking a token waits for no disk; the table is empty after a crash
    RateRow.__table__,
    "after_create",
    DDL("ALTER TABLE rates SET UNLOGGED").execute_if(dialect="postgresql"),  # type: ignore[no-untyped-call]  # of SQLAlchemy
)


# Valid on SQLite and PostgreSQL. One statement reads and writes, so no other process comes in between. A bucket that is full
# later than it can be was used before the clock was set back: it counts as full.
_TAKE = text("""
    INSERT INTO rates (bucket, full_at) VALUES (:bucket, :now + :token)
    ON CONFLICT (bucket) DO UPDATE
    SET full_at = CASE WHEN rates.full_at BETWEEN :now AND :latest THEN rates.full_at ELSE :now END + :token
    WHERE rates.full_at + :token - :now <= :limit OR rates.full_at > :latest
    RETURNING full_at
""")


class SqlTokenBuckets(SqlStore):
    """TokenBuckets by the generic cell rate algorithm (ITU-T I.371): one number per bucket. clock: seconds since 1970."""

    def __init__(self, database: Database | str, clock: Callable[[], float] = time.time) -> None:
        super().__init__(database)
        self._clock = clock
        self._cleaned = clock()

    def take(self, key: str, per_minute: int) -> float:
        bucket, now, token = advisory("rate", key), self._clock(), MINUTE / per_minute
        values = {"bucket": bucket, "now": now, "token": token}
        values |= {"latest": now + 2 * MINUTE, "limit": MINUTE + token / 1000}  # of clocks that are ahead; room for rounding
        with self._writing() as session:
            if now - self._cleaned > CLEAN_SECONDS:
                self._cleaned = now
                session.execute(delete(RateRow).where(RateRow.full_at < now))
            if session.execute(_TAKE, values).first():
                return 0.0
            full_at = session.scalar(select(RateRow.full_at).where(RateRow.bucket == bucket))
        return max((full_at or now) + token - now - MINUTE, 0.001)


class SpendingRow(CatalogTable):
    """Cost of language models of a school on a day in UTC; micros: millionths of the prices' currency."""

    __tablename__ = "spending"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    micros: Mapped[int] = mapped_column(BigInteger, server_default="0")


class AssignmentSpendingRow(CatalogTable):
    """Cost of language models of an assignment or a course in all; most: its limit."""

    __tablename__ = "assignment_spending"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    assignment: Mapped[str] = mapped_column(String(64), primary_key=True)
    micros: Mapped[int] = mapped_column(BigInteger, server_default="0")
    most: Mapped[int | None] = mapped_column(BigInteger)


# Valid on SQLite and PostgreSQL.
_OPEN = "INSERT INTO {} (school, {}, micros) VALUES (:school, :of, 0) ON CONFLICT DO NOTHING"
_OPEN_DAY, _OPEN_ASSIGNMENT = text(_OPEN.format("spending", "day")), text(_OPEN.format("assignment_spending", "assignment"))


class SqlLedger(SqlStore):
    """Ledger in the catalogue's database."""

    def reserve(self, school: str, of: date | str, micros: int, ceiling: int | None = None) -> bool:
        row, _ = _table(of)
        most = ceiling if isinstance(of, date) else row.most
        return self._change(school, of, {"micros": row.micros + micros}, func.coalesce(row.micros + micros <= most, true()))

    def settle(self, school: str, of: date | str, micros: int) -> None:
        self._change(school, of, {"micros": _table(of)[0].micros + micros})

    def spent(self, school: str, of: date | str) -> int:
        row, which = _table(of)
        with self._reading() as session:
            return session.scalar(select(row.micros).where(row.school == school, which == of)) or 0

    def set_limit(self, school: str, of: str, micros: int | None) -> None:
        self._change(school, of, {"most": micros})

    def limit(self, school: str, of: str) -> int | None:
        row, which = _table(of)
        with self._reading() as session:
            return session.scalar(select(row.most).where(row.school == school, which == of))

    def _change(self, school: str, of: date | str, values: Mapping[str, Any], *conditions: ColumnElement[bool]) -> bool:
        """Change a row, or a new one, if the conditions hold, in one statement; returns whether it was changed."""
        row, which = _table(of)
        with self._writing() as session:
            session.execute(_OPEN_DAY if isinstance(of, date) else _OPEN_ASSIGNMENT, {"school": school, "of": str(of)})
            changed = update(row).where(row.school == school, which == of, *conditions).values(values)
            return session.scalar(changed.returning(row.micros)) is not None


def _table(of: date | str) -> tuple[Any, Any]:
    """The table of a sum, and the column that tells its sums apart."""
    return (SpendingRow, SpendingRow.day) if isinstance(of, date) else (AssignmentSpendingRow, AssignmentSpendingRow.assignment)
