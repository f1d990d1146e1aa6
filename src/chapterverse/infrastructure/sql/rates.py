"""Token buckets in the catalogue's database: all processes of an installation share one count."""

from collections.abc import Callable
from time import time

from sqlalchemy import BigInteger, Float, delete, select, text
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.infrastructure.rates import MINUTE
from chapterverse.infrastructure.sql.engine import CatalogTable, Database, SqlStore, advisory

CLEAN_SECONDS = 600.0  # between two removals of full buckets


class RateRow(CatalogTable):
    """A token bucket. bucket: a digest of its key; full_at: when it is full again, in seconds since 1970."""

    __tablename__ = "rates"

    bucket: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    full_at: Mapped[float] = mapped_column(Float(53), index=True)


# Valid on SQLite and PostgreSQL. One statement reads and writes, so no other process comes in between.
_TAKE = text("""
    INSERT INTO rates (bucket, full_at) VALUES (:bucket, :now + :token)
    ON CONFLICT (bucket) DO UPDATE
    SET full_at = CASE WHEN rates.full_at > :now THEN rates.full_at ELSE :now END + :token
    WHERE rates.full_at + :token - :now <= :limit
    RETURNING full_at
""")


class SqlTokenBuckets(SqlStore):
    """TokenBuckets by the generic cell rate algorithm (ITU-T I.371): one number per bucket. clock: seconds since 1970."""

    def __init__(self, database: Database | str, clock: Callable[[], float] = time) -> None:
        super().__init__(database)
        self._clock = clock
        self._cleaned = clock()

    def take(self, key: str, per_minute: int) -> float:
        bucket, now, token = advisory("rate", key), self._clock(), MINUTE / per_minute
        values = {"bucket": bucket, "now": now, "token": token, "limit": MINUTE + token / 1000}  # room for rounding
        with self._writing() as session:
            if now - self._cleaned > CLEAN_SECONDS:
                self._cleaned = now
                session.execute(delete(RateRow).where(RateRow.full_at < now))
            if session.execute(_TAKE, values).first():
                return 0.0
            full_at = session.scalar(select(RateRow.full_at).where(RateRow.bucket == bucket))
        return max((full_at or now) + token - now - MINUTE, 0.001)
