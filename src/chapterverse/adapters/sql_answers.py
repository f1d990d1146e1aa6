"""Answers that were given, in the catalog's database."""

from collections.abc import Callable
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_engine import leave_no_trace
from chapterverse.adapters.sql_store import SqlStore, storable
from chapterverse.adapters.sql_tables import AnswerRow
from chapterverse.errors import NotFound
from chapterverse.model import GivenAnswer, SentenceId, Thumb

SCORES = TypeAdapter(tuple[float, ...])
MOST = 100_000  # answers that are looked at: two hundred a day for more than a year
CITED = TypeAdapter(tuple[SentenceId, ...])


class SqlAnswers(SqlStore):
    """AnswerLog on any database that SQLAlchemy speaks."""

    def add(self, answer: GivenAnswer) -> None:
        row = AnswerRow(id=answer.id, school=answer.school, application=answer.application, created=answer.created)
        row.scores, row.cited = SCORES.dump_json(answer.scores).decode(), CITED.dump_json(answer.cited).decode()
        row.band, row.relevance, row.says_nothing = answer.band, answer.relevance, answer.nothing
        row.intent, row.seconds = answer.intent, answer.seconds
        with self._writing() as session:
            _say(row, answer)
            session.add(row)

    def change(self, school: str, id: str, change: Callable[[GivenAnswer], GivenAnswer]) -> None:
        with self._writing() as session:
            row = _found(session, school, id)
            _say(row, change(_given(row)))

    def of_school(self, school: str, since: datetime, application: str | None = None) -> list[GivenAnswer]:
        wanted = select(AnswerRow).where(AnswerRow.school == school, AnswerRow.created >= since)
        wanted = wanted.where(AnswerRow.application == application) if application else wanted
        newest = wanted.order_by(AnswerRow.created.desc(), AnswerRow.id.desc()).limit(MOST)
        with self._reading() as session:
            return [_given(row) for row in session.scalars(newest)][::-1]

    def forget_questions(self, before: datetime) -> int:
        old = update(AnswerRow).where(AnswerRow.created < before, AnswerRow.question.is_not(None)).values(question=None)
        with self._writing() as session:
            forgotten = session.scalars(old.returning(AnswerRow.id)).all()
        leave_no_trace(self._database.engine)
        return len(forgotten)


def _found(session: Session, school: str, id: str) -> AnswerRow:
    wanted = select(AnswerRow).where(AnswerRow.school == school, AnswerRow.id == storable(id))
    row = session.scalar(wanted.with_for_update())
    if row is None:
        raise NotFound("no_such_answer")
    return row


def _say(row: AnswerRow, answer: GivenAnswer) -> None:
    """What of it may change."""
    row.thumb, row.question = answer.thumb, answer.question


def _given(row: AnswerRow) -> GivenAnswer:
    return GivenAnswer(
        id=row.id,
        school=row.school,
        application=row.application,
        created=row.created,
        scores=SCORES.validate_json(row.scores),
        band=row.band,
        relevance=row.relevance,
        nothing=row.says_nothing,
        cited=CITED.validate_json(row.cited),
        intent=row.intent,
        thumb=Thumb(row.thumb) if row.thumb else None,
        question=row.question,
        seconds=row.seconds,
    )
