"""Quotas: requests of a person in a minute, as token buckets, and a school's cost of language models in a day.

Buckets are in this process's memory, for an installation of one process, or in the catalogue's database, where all processes
share one count; costs are always there."""

import time
from collections.abc import Callable
from datetime import date
from threading import Lock

from sqlalchemy import DDL, BigInteger, ColumnElement, Date, Float, String, delete, event, select, text, update
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.infrastructure.sql.engine import CatalogTable, Database, SqlStore, advisory

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
        values = {
            "bucket": bucket,
            "now": now,
            "token": token,
            "latest": now + 2 * MINUTE,
        }  # another process's clock may be ahead
        values["limit"] = MINUTE + token / 1000  # room for rounding
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
