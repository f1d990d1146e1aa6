"""Batches and their essays in the catalog's database: tables and SqlBatches."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import ForeignKey, Select, String, Text, UniqueConstraint, case, func, literal, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.core.errors import EssayBusy, NotFound
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayBatch, EssayState
from chapterverse.infrastructure import sql
from chapterverse.messages import Message


class BatchRow(sql.CatalogTable):
    """The essays of one class. A higher id was created later. began, due: its last time window."""

    __tablename__ = "batches"
    __table_args__ = (UniqueConstraint("school", "batch"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    batch: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(sql.UtcTime)
    began: Mapped[datetime | None] = mapped_column(sql.UtcTime)
    due: Mapped[datetime | None] = mapped_column(sql.UtcTime)
    job: Mapped[str | None] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text, default="", server_default="")


class BatchEssayRow(sql.CatalogTable):
    """The state of one essay of a batch; its text and writer are only in the bucket."""

    __tablename__ = "batch_essays"

    batch_id: Mapped[int] = mapped_column(ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(String(64))
    message: Mapped[Message | None] = mapped_column(sql.MessageText)
    changed: Mapped[datetime] = mapped_column(sql.UtcTime)


class SqlBatches(sql.SqlStore):
    """The batches of all schools, on SQLite or PostgreSQL; each method is one transaction; behaviour:
    tests/contract/test_batch_store.py.

    Every method raises CatalogUnavailable, and NotFound for an unknown batch or essay."""

    def __init__(self, database: sql.Database | str, now: Callable[[], datetime] = sql.utc_now) -> None:
        super().__init__(database)
        self._now = now

    def add(self, key: BatchKey, essays: Sequence[BatchEssay], name: str = "") -> None:
        """Store a new batch. If it exists already, only its name changes, if one is given."""
        with self._writing() as session:
            sql.one_at_a_time(session.connection(), key.school)
            if there := session.scalar(_wanted(key)):
                there.name = name or there.name
                return
            row = BatchRow(school=key.school, batch=key.batch, created=self._now(), name=name)
            session.add(row)
            session.flush()
            session.add_all(sql.row_of(BatchEssayRow, essay, batch_id=row.id, changed=self._now()) for essay in essays)

    def batch(self, key: BatchKey) -> EssayBatch:
        with self._reading() as session:
            return _read(session, _found(session, key))

    def of_school(self, school: str) -> list[EssayBatch]:
        """The school's batches, newest first."""
        wanted = select(BatchRow).where(BatchRow.school == school).order_by(BatchRow.id.desc())
        with self._reading() as session:
            return [_read(session, row) for row in session.scalars(wanted)]

    def find(self, *, waiting: bool = False, before: datetime | None = None) -> list[BatchKey]:
        """Keys of the batches of all schools, oldest first. waiting: only with waiting essays; before: only those created
        before then."""
        wanted = select(BatchRow).order_by(BatchRow.id)
        if waiting:
            waits = (BatchEssayRow.batch_id == BatchRow.id, BatchEssayRow.state == EssayState.WAITING)
            wanted = wanted.where(select(BatchEssayRow).where(*waits).exists())
        if before:
            wanted = wanted.where(BatchRow.created < before)
        return [BatchKey(row.school, row.batch) for row in self._rows(wanted)]

    def essays(self, key: BatchKey) -> list[BatchEssay]:
        """The batch's essays, by number."""
        with self._reading() as session:
            wanted = (
                select(BatchEssayRow).where(BatchEssayRow.batch_id == _found(session, key).id).order_by(BatchEssayRow.number)
            )
            return [sql.fact_of(BatchEssay, row) for row in session.scalars(wanted)]

    def begin(self, key: BatchKey, due: datetime) -> EssayBatch:
        """Start a time window that ends at `due`. A batch that is running or has no waiting essay is not changed."""
        now = self._now()
        with self._writing() as session:
            row = _found(session, key, and_hold=True)
            if _read(session, row).state(now) in (BatchState.WAITING, BatchState.LATE):
                row.began, row.due, row.job = now, due, None
            return _read(session, row)

    @contextmanager
    def claim(self, key: BatchKey, number: int) -> Iterator[BatchEssay]:
        """The essay, locked until the block or the process ends. Raises EssayBusy if another worker holds it."""
        busy = EssayBusy("essay_busy")
        with sql.claimed(self._database.engine, "essay", key.school, key.batch, str(number), busy=busy):
            with self._reading() as session:
                essay = sql.fact_of(BatchEssay, _essay_row(session, key, number))
            yield essay

    def note(
        self,
        key: BatchKey,
        number: int,
        state: EssayState,
        reason: str | None = None,
        message: Message | None = None,
        *,
        anyway: bool = False,
    ) -> None:
        """Record the state of a waiting essay, and why. A waiting essay may have a reason, too: that of the last failed
        attempt. An essay that is done or failed changes only with `anyway`."""
        with self._writing() as session:
            _found(session, key, and_hold=True)
            essay = _essay_row(session, key, number)
            if anyway or essay.state == EssayState.WAITING:
                essay.state, essay.reason, essay.message, essay.changed = state, reason, message, self._now()

    def note_job(self, key: BatchKey, job: str | None) -> None:
        """Store the name of the batch's prediction job, None once its answers are stored."""
        with self._writing() as session:
            session.execute(update(BatchRow).where(BatchRow.id == _found(session, key).id).values(job=job))

    def remove(self, key: BatchKey) -> None:
        """Delete the batch; an unknown one is ignored."""
        with self._writing() as session:
            if row := session.scalar(_wanted(key)):
                session.delete(row)


def _read(session: Session, row: BatchRow) -> EssayBatch:
    """The batch, its essays counted by the database."""
    lately = func.sum(case((BatchEssayRow.changed >= row.began, 1), else_=0)) if row.began else literal(0)
    counted = select(BatchEssayRow.state, func.count(), lately).where(BatchEssayRow.batch_id == row.id)
    found = {state: (essays, new) for state, essays, new in session.execute(counted.group_by(BatchEssayRow.state))}
    (waiting, _), (done, just_done), (failed, just_failed) = (found.get(state, (0, 0)) for state in EssayState)
    key, times = BatchKey(row.school, row.batch), (row.created, row.began, row.due)
    return EssayBatch(key, *times, waiting, done, failed, just_done + just_failed, row.job, row.name)


def _wanted(key: BatchKey) -> Select[BatchRow]:
    return select(BatchRow).where(BatchRow.school == key.school, BatchRow.batch == sql.storable(key.batch))


def _found(session: Session, key: BatchKey, *, and_hold: bool = False) -> BatchRow:
    """The batch's row. and_hold: lock it until the transaction ends. Raises NotFound."""
    return sql.found(session, _wanted(key), NotFound("no_such_batch"), alone=and_hold)


def _essay_row(session: Session, key: BatchKey, number: int) -> BatchEssayRow:
    if row := session.get(BatchEssayRow, (_found(session, key).id, number)):
        return row
    raise NotFound("no_such_essay_in_batch")
