"""Stored feedback in the catalog's database: its table and SqlFeedback."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Index, Select, String, Text, and_, case, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.core.errors import NotFound
from chapterverse.core.requests import adapter
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.model import StoredFeedback, TeacherEdits
from chapterverse.infrastructure.sql import CatalogTable, SqlStore, UtcTime, fact_of, found, of_one, row_of, storable

UNCHANGED = "{}"  # edits of a teacher who made none


class FeedbackRow(CatalogTable):
    """One piece of feedback. What students and teachers wrote is JSON text that the database does not search."""

    __tablename__ = "feedback"
    __table_args__ = (Index(None, "batch", "school", "number", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    approved: Mapped[datetime | None] = mapped_column(UtcTime)
    answer: Mapped[str] = mapped_column(Text)
    choices: Mapped[str] = mapped_column(Text)
    batch: Mapped[str | None] = mapped_column(String(64))  # None outside batches
    number: Mapped[int | None]
    owner: Mapped[str | None] = mapped_column(String(320), index=True)  # e-mail address of the student
    version_of: Mapped[str | None] = mapped_column(String(64))  # id of feedback that may be deleted
    ratings: Mapped[str] = mapped_column(Text, server_default="[]")
    edits: Mapped[str] = mapped_column(Text, server_default=UNCHANGED)


class SqlFeedback(SqlStore):
    """The feedback of all schools, on SQLite or PostgreSQL; behaviour: tests/contract/test_feedback_store.py.

    Methods with a school see only that school's feedback. Every method raises CatalogUnavailable."""

    def save(self, feedback: StoredFeedback) -> None:
        """Store feedback. What is there with its id, or on the same essay of a batch, is left unchanged."""
        its = FeedbackRow.school == feedback.school, FeedbackRow.batch == feedback.batch, FeedbackRow.number == feedback.number
        same = or_(FeedbackRow.id == feedback.id, and_(FeedbackRow.batch.is_not(None), *its))
        with self._writing() as session:
            if session.scalar(select(FeedbackRow.id).where(same).limit(1)) is None:
                session.add(_row_of(feedback))

    def find(self, school: str, id: str) -> StoredFeedback:
        """The feedback with this id. Raises NotFound."""
        return fact_of(StoredFeedback, self._row(_of_id(school, id), NotFound("no_such_feedback")))

    def with_ids(self, school: str, ids: Sequence[str], since: datetime) -> list[StoredFeedback]:
        """The feedback with these ids that was created since then; others are left out."""
        wanted = select(FeedbackRow).where(FeedbackRow.school == school, FeedbackRow.created >= since)
        return self._facts(StoredFeedback, wanted.where(FeedbackRow.id.in_(list(map(storable, ids)))))

    def in_batch(self, key: BatchKey, since: datetime) -> list[StoredFeedback]:
        """The batch's feedback created since then, by essay number."""
        wanted = select(FeedbackRow).where(_in(key), FeedbackRow.created >= since).order_by(FeedbackRow.number)
        return self._facts(StoredFeedback, wanted)

    def of_school(
        self, school: str, since: datetime, before: datetime | None, limit: int, *, alone: bool = False
    ) -> list[StoredFeedback]:
        """The school's feedback created in [since, before), newest first, at most `limit`. alone: only on essays outside
        batches."""
        where = [FeedbackRow.school == school, FeedbackRow.created >= since]
        where += [FeedbackRow.created < before] if before else []
        where += [FeedbackRow.batch.is_(None)] if alone else []
        return self._newest(limit, *where)

    def of_owner(self, school: str, owner: str, since: datetime, limit: int) -> list[StoredFeedback]:
        """The feedback on a student's own essays created since then, newest first, at most `limit`."""
        theirs = (FeedbackRow.school == school, FeedbackRow.owner == storable(owner))
        return self._newest(limit, *theirs, FeedbackRow.created >= since)

    def earlier_of(self, school: str, owners: Sequence[str]) -> dict[str, str]:
        """The ids of the feedback on earlier versions, by those of the feedback on later ones, of these people's essays."""
        wanted = select(FeedbackRow.id, FeedbackRow.version_of).where(FeedbackRow.school == school)
        wanted = wanted.where(FeedbackRow.owner.in_(list(map(storable, owners))), FeedbackRow.version_of.is_not(None))
        with self._reading() as session:
            return {later: earlier for later, earlier in session.execute(wanted) if earlier is not None}

    def edited(self, school: str, since: datetime, limit: int) -> list[TeacherEdits]:
        """The edits of the school's feedback created since then, newest first, at most `limit`."""
        wanted = select(FeedbackRow.edits).where(FeedbackRow.school == school, FeedbackRow.created >= since)
        wanted = wanted.where(FeedbackRow.edits != UNCHANGED).order_by(FeedbackRow.created.desc()).limit(limit)
        return list(map(TeacherEdits.model_validate_json, self._rows(wanted)))

    def _newest(self, limit: int, *where: ColumnElement[bool]) -> list[StoredFeedback]:
        return self._facts(StoredFeedback, select(FeedbackRow).where(*where).order_by(FeedbackRow.created.desc()).limit(limit))

    def change(self, school: str, id: str, change: Callable[[StoredFeedback], StoredFeedback]) -> None:
        """Store what `change` returns. The row stays locked meanwhile, so
        `change` should be quick. Raises NotFound, and what `change` raises; then nothing is stored."""
        with self._writing() as session:
            row = found(session, _of_id(school, id), NotFound("no_such_feedback"), alone=True)
            session.merge(_row_of(change(fact_of(StoredFeedback, row))))

    def remove(self, school: str, id: str) -> None:
        """Delete the feedback so that no file of the database contains its words. Raises NotFound."""
        its = (FeedbackRow.school == school, FeedbackRow.id == storable(id))
        self._forget(FeedbackRow.id, *its, missing=NotFound("no_such_feedback"))

    def remove_batch(self, key: BatchKey) -> None:
        """Delete all feedback on essays of the batch so that no file of the database contains its words."""
        self._forget(FeedbackRow.id, _in(key))

    def remove_before(self, created: datetime, of_batches: datetime, school: str | None = None) -> int:
        """Delete expired feedback of the school, else of all; return how many were deleted.

        Expired is what was created before `created`, or before `of_batches` if it belongs to a batch."""
        is_over = FeedbackRow.created < case((FeedbackRow.batch.is_(None), created), else_=of_batches)
        return self._forget(FeedbackRow.id, is_over, *of_one(FeedbackRow.school, school))


def _of_id(school: str, id: str) -> Select[FeedbackRow]:
    return select(FeedbackRow).where(FeedbackRow.school == school, FeedbackRow.id == storable(id))


def _in(key: BatchKey) -> ColumnElement[bool]:
    return and_(FeedbackRow.school == key.school, FeedbackRow.batch == storable(key.batch))


def _row_of(feedback: StoredFeedback) -> FeedbackRow:
    as_json = adapter(StoredFeedback).dump_python(feedback, mode="json", include={"choices", "ratings"})
    edits = feedback.edits.model_dump_json(exclude_defaults=True)
    return row_of(FeedbackRow, feedback, edits=edits, **{name: json.dumps(value) for name, value in as_json.items()})
