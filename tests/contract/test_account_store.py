"""What every SqlAccounts must do."""

from dataclasses import replace

import pytest

from chapterverse.accounts.model import Account, KeyScope, Person, Provider
from chapterverse.accounts.store import SqlAccounts, SqlPeople
from chapterverse.core.errors import BadRequest, NotFound
from tests.contract.conftest import NOON, opens

ANNA = Person("school", "anna@school.example", "Anna Berg", KeyScope.STUDENT, NOON)
LESSING = Provider(
    id="lessing",
    school="school",
    title='Lessing "Gymnasium"',
    issuer="https://accounts.google.com",
    client="12.apps.googleusercontent.com",
    domains=("school.example",),
    vouched=True,
)
ACCOUNT = Account("school", "https://accounts.google.com", "248289")
accounts = opens(SqlAccounts)
people = opens(SqlPeople)


def test_a_provider_comes_back_as_kept_last_and_nobody_takes_another_schools_away(accounts: SqlAccounts) -> None:
    accounts.keep_provider(LESSING)
    accounts.keep_provider(replace(LESSING, title="Lessing"))

    assert accounts.provider("lessing") == replace(LESSING, title="Lessing")
    assert accounts.providers("school") == accounts.providers() == [replace(LESSING, title="Lessing")]
    assert accounts.providers("another") == []
    with pytest.raises(BadRequest, match="taken"):
        accounts.keep_provider(replace(LESSING, school="another"))
    with pytest.raises(NotFound):
        accounts.remove_provider("another", "lessing")
    accounts.remove_provider("school", "lessing")
    with pytest.raises(NotFound):
        accounts.provider("lessing")


def test_an_account_is_somebodys_until_they_are_removed(accounts: SqlAccounts, people: SqlPeople) -> None:
    with pytest.raises(NotFound):  # who is not there has none
        accounts.link(ACCOUNT, ANNA)
    people.keep(ANNA)
    accounts.link(ACCOUNT, ANNA)
    accounts.link(ACCOUNT, ANNA)
    assert accounts.holder(ACCOUNT) == ANNA
    for other in (replace(ACCOUNT, school="x"), replace(ACCOUNT, issuer="x"), replace(ACCOUNT, subject="a\0b")):
        with pytest.raises(NotFound):
            accounts.holder(other)

    people.remove(ANNA.school, ANNA.email)
    people.keep(ANNA)

    with pytest.raises(NotFound):
        accounts.holder(ACCOUNT)
