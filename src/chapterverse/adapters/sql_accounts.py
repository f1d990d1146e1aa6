"""Schools' own sign-ins, in the catalog's database."""

from sqlalchemy import select

from chapterverse.adapters.sql_people import person_of, person_row
from chapterverse.adapters.sql_store import SqlStore, found, storable
from chapterverse.adapters.sql_tables import AccountRow, ProviderRow
from chapterverse.errors import BadRequest, NotFound
from chapterverse.model import Account, KeyScope, Person, Provider


class SqlAccounts(SqlStore):
    """AccountStore on any database that SQLAlchemy speaks."""

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
