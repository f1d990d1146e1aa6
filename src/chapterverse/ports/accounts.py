"""By which accounts of their school people may sign in."""

from typing import Protocol

from chapterverse.model import Account, Person, Provider


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
