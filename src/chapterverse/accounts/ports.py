"""What a school's people leave here: keys, batches of essays, feedback.

By which accounts of their school people may sign in.

What a school sets and has measured for itself."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from chapterverse.accounts.model import Account, ApiKey, Chosen, Person, Provider, Purpose, Ticket, Value

Guard = Callable[[Sequence[Person]], None]


class KeyStore(Protocol):
    """API keys and the digests of their secrets; tests/contract/test_key_store.py. Raises CatalogUnavailable."""

    def add(self, key: ApiKey, digest: str) -> None:
        """Keep a new key."""

    def find(self, id: str) -> tuple[ApiKey, str]:
        """The key and its digest, revoked or not. Raises NotFound."""

    def of_school(self, school: str) -> list[ApiKey]:
        """The school's keys, oldest first."""

    def change(self, key: ApiKey, digest: str) -> None:
        """The key of the same id is this one from now on. Raises NotFound."""


class PeopleStore(Protocol):
    """Who may sign in, and the tickets they were given; tests/contract/test_people_store.py. Each method is one transaction.
    Raises CatalogUnavailable."""

    def keep(self, person: Person, guard: Guard | None = None) -> None:
        """From now on the person of this school and e-mail address is this one. guard: is told everybody of the school before,
        and of several at one moment each what the one before has left; what it raises leaves all as it is."""

    def find(self, school: str, email: str) -> Person:
        """Raises NotFound."""

    def of_school(self, school: str) -> list[Person]:
        """By e-mail address."""

    def with_email(self, email: str) -> list[Person]:
        """In any school, by school."""

    def remove(self, school: str, email: str, guard: Guard | None = None) -> None:
        """Forget the person, their tickets, and who they are elsewhere: the school's own sign-in, learning platforms. guard: as
        of keep. Not there: nothing happens."""

    def issue(self, ticket: Ticket) -> None:
        """Keep a new ticket."""

    def holder(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        """Whose ticket that is. Raises NotFound where there is none of that purpose, or it has expired."""

    def spend(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        """The same; the ticket is good for nothing afterwards, and of two who spend it one finds it. Raises NotFound."""

    def forget(self, before: datetime) -> int:
        """Tickets that expired before then; how many there were."""


class SchoolRecords(Protocol):
    """Whatever the catalog's database keeps of a school; tests/contract/test_school_records.py. Raises CatalogUnavailable."""

    def remove(self, school: str) -> Mapping[str, int]:
        """Forget all of it, and see to it that it is in no file of the database: how many rows there were, by table. Nothing
        there: nothing happens.

        What its books have in buckets and in the index is removed before: nobody knows of it afterwards."""


class AccountStore(Protocol):
    """Schools' own sign-ins, and whose account is whose; tests/contract/test_account_store.py. Each method is one transaction.
    Raises CatalogUnavailable."""

    def keep_provider(self, provider: Provider) -> None:
        """From now on the one of this id is this one. Raises BadRequest where another school has it."""

    def provider(self, id: str) -> Provider:
        """Raises NotFound."""

    def providers(self, school: str | None = None) -> list[Provider]:
        """By title; of all schools if none is named."""

    def remove_provider(self, school: str, id: str) -> None:
        """Nobody signs in by it any more; who did stays. Raises NotFound."""

    def link(self, account: Account, person: Person) -> None:
        """From now on it is that person's. Raises NotFound where there is no such person."""

    def holder(self, account: Account) -> Person:
        """Raises NotFound."""


class ChoiceStore(Protocol):
    """What schools have set; tests/contract/test_choice_store.py. Raises CatalogUnavailable."""

    def of_school(self, school: str) -> Mapping[str, Chosen]:
        """By name; nothing where the school has never set it."""

    def change(self, school: str, values: Mapping[str, Value | None], by: str, at: datetime) -> None:
        """From now on these names have these values. What has its value already keeps who set it, and when."""
