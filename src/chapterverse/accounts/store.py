"""Keys, people, sign-in tickets, sign-in services and school settings in the catalogue's database: tables and stores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnElement, ForeignKey, ForeignKeyConstraint, String, Text, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.accounts.model import Account, ApiKey, Chosen, KeyScope, Person, Provider, Purpose, Ticket, Value
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.infrastructure.sql.engine import CatalogTable, SqlStore, UtcTime, found, one_at_a_time, storable

Guard = Callable[[Sequence[Person]], None]

"""Called with all people of a school before a change; what it raises prevents the change."""


class GuestRow(CatalogTable):
    """Somebody whom it has sent."""

    __tablename__ = "lti_guests"

    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(320))
    role: Mapped[str | None] = mapped_column(String(16))


class ProviderRow(CatalogTable):
    """A school's own sign-in. told: who is let in by it, and as what."""

    __tablename__ = "providers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    title: Mapped[str] = mapped_column(Text)
    issuer: Mapped[str] = mapped_column(Text)
    client: Mapped[str] = mapped_column(Text)
    told: Mapped[dict[str, Any]] = mapped_column(JSON)


class AccountRow(CatalogTable):
    """Whose account that is."""

    __tablename__ = "accounts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name="fk_accounts_person"
        ),
    )

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    email: Mapped[str] = mapped_column(String(320))


class ChoiceRow(CatalogTable):
    """One thing that a school has set for itself; value: null where it went back to the default."""

    __tablename__ = "choices"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    changed_by: Mapped[str] = mapped_column(String(320))
    changed: Mapped[datetime] = mapped_column(UtcTime)


class KeyRow(CatalogTable):
    """A school's API key; of its secret only the digest."""

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
    """Somebody who may sign in."""

    __tablename__ = "people"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), primary_key=True, index=True)
    name: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(16))
    created: Mapped[datetime] = mapped_column(UtcTime)


class TicketRow(CatalogTable):
    """What proves who somebody is; of its secret only the digest."""

    __tablename__ = "tickets"
    __table_args__ = (
        ForeignKeyConstraint(
            ["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name="fk_tickets_person"
        ),
    )

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
    school: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(320))
    expires: Mapped[datetime] = mapped_column(UtcTime, index=True)


class SqlPeople(SqlStore):
    """SqlPeople on any database that SQLAlchemy speaks."""

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


class SqlAccounts(SqlStore):
    """SqlAccounts on any database that SQLAlchemy speaks."""

    def keep_provider(self, provider: Provider) -> None:
        with self._writing() as session:
            if (there := session.get(ProviderRow, provider.id)) and there.school != provider.school:
                raise BadRequest("provider_name_taken", name=provider.id)
            session.merge(_provider_row(provider))

    def provider(self, id: str) -> Provider:
        with self._reading() as session:
            return _provider_of(
                found(session, select(ProviderRow).where(ProviderRow.id == storable(id)), NotFound("no_such_provider"))
            )

    def providers(self, school: str | None = None) -> list[Provider]:
        wanted = select(ProviderRow).order_by(ProviderRow.title, ProviderRow.id)
        with self._reading() as session:
            rows = session.scalars(wanted if school is None else wanted.where(ProviderRow.school == storable(school)))
            return [_provider_of(row) for row in rows]

    def remove_provider(self, school: str, id: str) -> None:
        ours = select(ProviderRow).where(ProviderRow.id == storable(id), ProviderRow.school == storable(school))
        with self._writing() as session:
            session.delete(found(session, ours, NotFound("no_such_provider")))

    def link(self, account: Account, person: Person) -> None:
        with self._writing() as session:
            person_row(session, person.school, person.email)
            named = {"school": account.school, "issuer": account.issuer, "subject": account.subject}
            session.merge(AccountRow(**named, email=person.email))

    def holder(self, account: Account) -> Person:
        named = (storable(account.school), storable(account.issuer), storable(account.subject))
        with self._reading() as session:
            if row := session.get(AccountRow, named):
                return person_of(person_row(session, row.school, row.email))
        raise NotFound("account_never_signed_in")


def _provider_row(provider: Provider) -> ProviderRow:
    told = {
        "domains": provider.domains,
        "vouched": provider.vouched,
        "required": provider.required,
        "role_claim": provider.role_claim,
        "roles": provider.roles,
    }
    named = {"id": provider.id, "school": provider.school, "title": provider.title}
    return ProviderRow(**named, issuer=provider.issuer, client=provider.client, told=told)


def _provider_of(row: ProviderRow) -> Provider:
    told = row.told
    return Provider(
        id=row.id,
        school=row.school,
        title=row.title,
        issuer=row.issuer,
        client=row.client,
        domains=tuple(told["domains"]),
        vouched=told["vouched"],
        required=tuple((name, value) for name, value in told["required"]),
        role_claim=told["role_claim"],
        roles=tuple((value, KeyScope(role)) for value, role in told["roles"]),
    )


class SqlKeys(SqlStore):
    """SqlKeys on any database that SQLAlchemy speaks."""

    def add(self, key: ApiKey, digest: str) -> None:
        with self._writing() as session:
            session.add(_sql_keys_row_of(key, digest))

    def find(self, id: str) -> tuple[ApiKey, str]:
        with self._reading() as session:
            row = _found(session, id)
            return _key_of(row), row.digest

    def of_school(self, school: str) -> list[ApiKey]:
        wanted = select(KeyRow).where(KeyRow.school == school).order_by(KeyRow.created, KeyRow.id)
        with self._reading() as session:
            return [_key_of(row) for row in session.scalars(wanted)]

    def change(self, key: ApiKey, digest: str) -> None:
        with self._writing() as session:
            _found(session, key.id)
            session.merge(_sql_keys_row_of(key, digest))


def _found(session: Session, id: str) -> KeyRow:
    if id.isprintable() and (row := session.get(KeyRow, id)):  # no database takes a NUL or half a character
        return row
    raise NotFound("no_such_key")


def _sql_keys_row_of(key: ApiKey, digest: str) -> KeyRow:
    return KeyRow(
        id=key.id,
        school=key.school,
        scope=key.scope,
        note=key.note,
        digest=digest,
        created=key.created,
        expires=key.expires,
        revoked=key.revoked,
    )


def _key_of(row: KeyRow) -> ApiKey:
    return ApiKey(row.id, row.school, KeyScope(row.scope), row.note, row.created, row.expires, row.revoked)


class SqlChoices(SqlStore):
    """SqlChoices on any database that SQLAlchemy speaks."""

    def of_school(self, school: str) -> Mapping[str, Chosen]:
        with self._reading() as session:
            rows = session.scalars(select(ChoiceRow).where(ChoiceRow.school == school))
            return {row.name: Chosen(row.value, row.changed_by, row.changed) for row in rows}

    def change(self, school: str, values: Mapping[str, Value | None], by: str, at: datetime) -> None:
        with self._writing() as session:
            held = select(ChoiceRow).where(ChoiceRow.school == school).with_for_update()
            known = {row.name: row.value for row in session.scalars(held)}
            for name, value in values.items():
                if known.get(name) != value:
                    session.merge(ChoiceRow(school=school, name=name, value=value, changed_by=by, changed=at))
