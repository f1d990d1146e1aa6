"""Who may sign in, in the catalog's database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_engine import one_at_a_time
from chapterverse.adapters.sql_store import SqlStore, storable
from chapterverse.adapters.sql_tables import AccountRow, PersonRow, TicketRow
from chapterverse.adapters.sql_tables_of_lti import GuestRow
from chapterverse.errors import NotFound
from chapterverse.model import KeyScope, Person, Purpose, Ticket
from chapterverse.ports import Guard


class SqlPeople(SqlStore):
    """PeopleStore on any database that SQLAlchemy speaks."""

    def keep(self, person: Person, guard: Guard | None = None) -> None:
        with self._guarded(person.school, guard) as session:
            session.merge(_row_of(person))

    def find(self, school: str, email: str) -> Person:
        with self._reading() as session:
            return person_of(person_row(session, school, email))

    def of_school(self, school: str) -> list[Person]:
        return self._people(PersonRow.school == storable(school))

    def with_email(self, email: str) -> list[Person]:
        return self._people(PersonRow.email == storable(email))

    def remove(self, school: str, email: str, guard: Guard | None = None) -> None:
        named = {"school": storable(school), "email": storable(email)}
        with self._guarded(school, guard) as session:
            for table in (TicketRow, AccountRow, GuestRow, PersonRow):  # SQLite leaves foreign keys alone unless it is asked
                session.execute(delete(table).filter_by(**named))

    def issue(self, ticket: Ticket) -> None:
        with self._writing() as session:
            session.add(
                TicketRow(
                    digest=ticket.digest,
                    purpose=ticket.purpose,
                    school=ticket.school,
                    email=ticket.email,
                    expires=ticket.expires,
                )
            )

    def holder(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        good = select(TicketRow.school, TicketRow.email).where(*_good(digest, purpose, now))
        with self._reading() as session:
            return _holder(session, session.execute(good).one_or_none())

    def spend(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        taken = delete(TicketRow).where(*_good(digest, purpose, now)).returning(TicketRow.school, TicketRow.email)
        with self._writing() as session:
            return _holder(session, session.execute(taken).one_or_none())

    def forget(self, before: datetime) -> int:
        gone = delete(TicketRow).where(TicketRow.expires < before).returning(TicketRow.digest)
        with self._writing() as session:
            return len(session.scalars(gone).all())

    def _people(self, which: ColumnElement[bool]) -> list[Person]:
        with self._reading() as session:
            return _people(session, which)

    @contextmanager
    def _guarded(self, school: str, guard: Guard | None) -> Iterator[Session]:
        with self._writing() as session:
            if guard:
                one_at_a_time(session.connection(), school)
                guard(_people(session, PersonRow.school == storable(school)))
            yield session


def _people(session: Session, which: ColumnElement[bool]) -> list[Person]:
    wanted = select(PersonRow).where(which).order_by(PersonRow.school, PersonRow.email)
    return [person_of(row) for row in session.scalars(wanted)]


def _good(digest: str, purpose: Purpose, now: datetime) -> Sequence[ColumnElement[bool]]:
    return TicketRow.digest == digest, TicketRow.purpose == purpose, TicketRow.expires > now


def _holder(session: Session, named: Any) -> Person:
    if named is None:
        raise NotFound("ticket_not_valid")
    return person_of(person_row(session, *named))


def person_row(session: Session, school: str, email: str) -> PersonRow:
    """Raises NotFound."""
    if row := session.get(PersonRow, (storable(school), storable(email))):
        return row
    raise NotFound("no_such_person")


def _row_of(person: Person) -> PersonRow:
    return PersonRow(school=person.school, email=person.email, name=person.name, role=person.role, created=person.created)


def person_of(row: PersonRow) -> Person:
    """As the store hands them out."""
    return Person(row.school, row.email, row.name, KeyScope(row.role), row.created)
