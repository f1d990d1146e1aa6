"""Tables and stores of keys, people, tickets, account services and school settings, in the catalogue's database.

Each method is one transaction and raises CatalogUnavailable."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnElement, ForeignKey, ForeignKeyConstraint, Select, String, Text, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.accounts.model import Account, ApiKey, Person, Provider, Purpose, StoredSetting, Ticket, Value
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.infrastructure.sql import CatalogTable, SqlStore, UtcTime, fact_of, found, one_at_a_time, row_of, storable

Guard = Callable[[Sequence[Person]], None]
"""Called with all people of a school before a change; what it raises prevents the change."""


def _of_a_person(name: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name=name)


class GuestRow(CatalogTable):
    """A person that a learning platform has sent, by the platform's id. role: as last given by the platform."""

    __tablename__ = "lti_guests"

    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(320))
    role: Mapped[str | None] = mapped_column(String(16))


class ProviderRow(CatalogTable):
    """A school's own account service. details: the fields of Provider without a column."""

    __tablename__ = "providers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    title: Mapped[str] = mapped_column(Text)
    issuer: Mapped[str] = mapped_column(Text)
    client: Mapped[str] = mapped_column(Text)
    details: Mapped[dict[str, Any]] = mapped_column(JSON)


class AccountRow(CatalogTable):
    """The person of an account at a provider."""

    __tablename__ = "accounts"
    __table_args__ = (_of_a_person("fk_accounts_person"),)

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    email: Mapped[str] = mapped_column(String(320))


class SettingRow(CatalogTable):
    """One setting of a school. value: null after a return to the default."""

    __tablename__ = "choices"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    changed_by: Mapped[str] = mapped_column(String(320))
    changed: Mapped[datetime] = mapped_column(UtcTime)


class KeyRow(CatalogTable):
    """An API key, with the digest of its secret."""

    __tablename__ = "api_keys"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    scope: Mapped[str] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    expires: Mapped[datetime | None] = mapped_column(UtcTime)
    revoked: Mapped[datetime | None] = mapped_column(UtcTime)


class PersonRow(CatalogTable):
    """A person who may sign in."""

    __tablename__ = "people"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), primary_key=True, index=True)
    name: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(16))
    created: Mapped[datetime] = mapped_column(UtcTime)


class TicketRow(CatalogTable):
    """A sign-in link or session, by the digest of its secret."""

    __tablename__ = "tickets"
    __table_args__ = (_of_a_person("fk_tickets_person"),)

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
    school: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(320))
    expires: Mapped[datetime] = mapped_column(UtcTime, index=True)


class SqlPeople(SqlStore):
    """People who may sign in, and their tickets."""

    def keep(self, person: Person, guard: Guard | None = None) -> None:
        """Create or replace the person with this school and e-mail address. guard: may refuse;
        concurrent calls for one school run one after the other."""
        with self._checked(person.school, guard) as session:
            session.merge(row_of(PersonRow, person))

    def find(self, school: str, email: str) -> Person:
        """Raises NotFound."""
        with self._reading() as session:
            return _person(session, school, email)

    def of_school(self, school: str) -> list[Person]:
        """The people of a school, by e-mail address."""
        return self._facts(Person, _people(PersonRow.school == storable(school)))

    def with_email(self, email: str) -> list[Person]:
        """The people with this e-mail address, by school."""
        return self._facts(Person, _people(PersonRow.email == storable(email)))

    def remove(self, school: str, email: str, guard: Guard | None = None) -> None:
        """Remove the person with tickets, accounts and ids at learning platforms; nothing happens if there is none. guard: as
        of keep."""
        named = {"school": storable(school), "email": storable(email)}
        with self._checked(school, guard) as session:
            for table in (TicketRow, AccountRow, GuestRow, PersonRow):  # SQLite checks foreign keys only if told to
                session.execute(delete(table).filter_by(**named))

    def issue(self, ticket: Ticket) -> None:
        """Store a new ticket."""
        with self._writing() as session:
            session.add(row_of(TicketRow, ticket))

    def holder(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        """The person of a ticket. Raises NotFound if it has expired or is for another purpose."""
        valid = select(TicketRow.school, TicketRow.email).where(*_valid(digest, purpose, now))
        with self._reading() as session:
            return _holder(session, session.execute(valid).one_or_none())

    def spend(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        """The person of a ticket, which is removed: of two concurrent calls one succeeds. Raises NotFound, as holder does."""
        taken = delete(TicketRow).where(*_valid(digest, purpose, now)).returning(TicketRow.school, TicketRow.email)
        with self._writing() as session:
            return _holder(session, session.execute(taken).one_or_none())

    def forget(self, before: datetime) -> int:
        """Remove the tickets that expired before then; returns their number."""
        gone = delete(TicketRow).where(TicketRow.expires < before).returning(TicketRow.digest)
        with self._writing() as session:
            return len(session.scalars(gone).all())

    @contextmanager
    def _checked(self, school: str, guard: Guard | None) -> Iterator[Session]:
        with self._writing() as session:
            if guard:
                one_at_a_time(session.connection(), school)
                everyone = session.scalars(_people(PersonRow.school == storable(school)))
                guard([fact_of(Person, row) for row in everyone])
            yield session


def _people(which: ColumnElement[bool]) -> Select[PersonRow]:
    return select(PersonRow).where(which).order_by(PersonRow.school, PersonRow.email)


def _valid(digest: str, purpose: Purpose, now: datetime) -> Sequence[ColumnElement[bool]]:
    return TicketRow.digest == digest, TicketRow.purpose == purpose, TicketRow.expires > now


def _holder(session: Session, named: Any) -> Person:
    if named is None:
        raise NotFound("ticket_not_valid")
    return _person(session, *named)


def _person(session: Session, school: str, email: str) -> Person:
    wanted = select(PersonRow).where(PersonRow.school == storable(school), PersonRow.email == storable(email))
    return fact_of(Person, found(session, wanted, NotFound("no_such_person")))


class SqlAccounts(SqlStore):
    """Account services of schools, and the person of each account."""

    def keep_provider(self, provider: Provider) -> None:
        """Create or replace the provider with this id. Raises BadRequest if another school has it."""
        with self._writing() as session:
            if (there := session.get(ProviderRow, provider.id)) and there.school != provider.school:
                raise BadRequest("provider_name_taken", name=provider.id)
            session.merge(row_of(ProviderRow, provider))

    def provider(self, id: str) -> Provider:
        """Raises NotFound."""
        wanted = select(ProviderRow).where(ProviderRow.id == storable(id))
        return fact_of(Provider, self._row(wanted, NotFound("no_such_provider")))

    def providers(self, school: str | None = None) -> list[Provider]:
        """The providers of a school, by title; None: of all schools."""
        wanted = select(ProviderRow).order_by(ProviderRow.title, ProviderRow.id)
        return self._facts(Provider, wanted if school is None else wanted.where(ProviderRow.school == storable(school)))

    def remove_provider(self, school: str, id: str) -> None:
        """Remove the provider; its people stay. Raises NotFound."""
        ours = select(ProviderRow).where(ProviderRow.id == storable(id), ProviderRow.school == storable(school))
        with self._writing() as session:
            session.delete(found(session, ours, NotFound("no_such_provider")))

    def link(self, account: Account, person: Person) -> None:
        """Give the account to the person. Raises NotFound if there is no such person."""
        with self._writing() as session:
            _person(session, person.school, person.email)
            session.merge(row_of(AccountRow, account, email=person.email))

    def holder(self, account: Account) -> Person:
        """The person of the account. Raises NotFound."""
        named = (storable(account.school), storable(account.issuer), storable(account.subject))
        with self._reading() as session:
            if row := session.get(AccountRow, named):
                return _person(session, row.school, row.email)
        raise NotFound("account_never_signed_in")


class SqlKeys(SqlStore):
    """API keys, with the digests of their secrets."""

    def add(self, key: ApiKey, digest: str) -> None:
        """Store a new key."""
        with self._writing() as session:
            session.add(row_of(KeyRow, key, digest=digest))

    def find(self, id: str) -> tuple[ApiKey, str]:
        """The key, revoked or not, and its digest. Raises NotFound."""
        row = self._row(_key(id), NotFound("no_such_key"))
        return fact_of(ApiKey, row), row.digest

    def of_school(self, school: str) -> list[ApiKey]:
        """The school's keys, oldest first."""
        return self._facts(ApiKey, select(KeyRow).where(KeyRow.school == school).order_by(KeyRow.created, KeyRow.id))

    def revoke(self, school: str, id: str, now: datetime) -> ApiKey:
        """Revoke a key of the school; one that is revoked keeps its time. Raises NotFound."""
        with self._writing() as session:
            row = found(session, _key(id).where(KeyRow.school == storable(school)), NotFound("no_such_key"), alone=True)
            row.revoked = row.revoked or now
            return fact_of(ApiKey, row)


def _key(id: str) -> Select[KeyRow]:
    return select(KeyRow).where(KeyRow.id == storable(id))


class SqlSchoolSettings(SqlStore):
    """Settings of schools."""

    def of_school(self, school: str) -> Mapping[str, StoredSetting]:
        """The school's settings by name, without those that it never set."""
        rows = self._rows(select(SettingRow).where(SettingRow.school == school))
        return {row.name: StoredSetting(row.value, row.changed_by, row.changed) for row in rows}

    def by_school(self, name: str) -> Mapping[str, Value]:
        """The values of a setting by school, of those that set it."""
        rows = self._rows(select(SettingRow).where(SettingRow.name == name, SettingRow.value.is_not(None)))
        return {row.school: row.value for row in rows if row.value is not None}

    def change(self, school: str, values: Mapping[str, Value | None], by: str, at: datetime) -> None:
        """Set these values. A setting whose value does not change keeps its author and time."""
        with self._writing() as session:
            held = select(SettingRow).where(SettingRow.school == school).with_for_update()
            known = {row.name: row.value for row in session.scalars(held)}
            for name, value in values.items():
                if known.get(name) != value:
                    session.merge(SettingRow(school=school, name=name, value=value, changed_by=by, changed=at))
