"""Questions with their answers, in the catalog's database."""

from collections.abc import Callable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_store import SqlStore, found, storable
from chapterverse.adapters.sql_tables import FaqRow
from chapterverse.errors import NotFound
from chapterverse.model import EntryType, FaqEntry


class SqlFaq(SqlStore):
    """FaqStore on any database that SQLAlchemy speaks."""

    def keep(self, entries: Sequence[FaqEntry]) -> None:
        with self._writing() as session:
            for entry in entries:
                session.merge(_row(entry))

    def find(self, school: str, id: str) -> FaqEntry:
        with self._reading() as session:
            return _entry(_found(session, school, id))

    def of_school(self, school: str, *, approved: bool | None = None) -> list[FaqEntry]:
        wanted = select(FaqRow).where(FaqRow.school == school).order_by(FaqRow.created, FaqRow.id)
        if approved is not None:
            draft = FaqRow.approved.is_(None) & FaqRow.archived.is_(None)
            wanted = wanted.where(FaqRow.approved.is_not(None) if approved else draft)
        with self._reading() as session:
            return [_entry(row) for row in session.scalars(wanted)]

    def change(self, school: str, id: str, change: Callable[[FaqEntry], FaqEntry]) -> FaqEntry:
        with self._writing() as session:
            changed = change(_entry(_found(session, school, id, alone=True)))
            session.merge(_row(changed))
            return changed

    def remove(self, school: str, id: str) -> None:
        if not self._forget(FaqRow.id, FaqRow.school == school, FaqRow.id == storable(id)):
            raise _not_found()


def _found(session: Session, school: str, id: str, *, alone: bool = False) -> FaqRow:
    """alone: nobody else writes it until the transaction ends."""
    wanted = select(FaqRow).where(FaqRow.school == school, FaqRow.id == storable(id))
    return found(session, wanted, _not_found(), alone=alone)


def _not_found() -> NotFound:
    return NotFound("no_such_faq_entry")


def _row(entry: FaqEntry) -> FaqRow:
    return FaqRow(
        id=entry.id,
        school=entry.school,
        type=entry.type.value,
        source_id=entry.source_id,
        archived=entry.archived,
        department=entry.department,
        conversation=entry.conversation,
        created=entry.created,
        approved=entry.approved,
        question=entry.question,
        answer=entry.answer,
    )


def _entry(row: FaqRow) -> FaqEntry:
    return FaqEntry(
        id=row.id,
        school=row.school,
        question=row.question,
        answer=row.answer,
        created=row.created,
        department=row.department,
        type=EntryType(row.type),
        conversation=row.conversation,
        approved=row.approved,
        source_id=row.source_id,
        archived=row.archived,
    )
