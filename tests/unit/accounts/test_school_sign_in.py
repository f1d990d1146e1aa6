"""Who somebody is, whom a school's own sign-in has let in."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chapterverse.accounts.model import Flow, KeyScope, Person, Provider
from chapterverse.accounts.sign_in import SchoolSignIns, SignIn, enrol, person_for, register
from chapterverse.accounts.store import SqlAccounts, SqlPeople
from chapterverse.core.errors import BadRequest, SignInRefused
from chapterverse.infrastructure.mail import FolderPost
from tests.support.oidc import ANNA

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LESSING = Provider("lessing", "school", "Lessing", "https://id.example", "client", domains=("lessing.example",))


@pytest.fixture
def sign_in(tmp_path: Path) -> Iterator[SignIn]:
    people = SqlPeople(f"sqlite:///{tmp_path / 'catalog.db'}")
    yield SignIn(people, FolderPost(tmp_path / "outbox"), site="https://school.example")
    people.close()


@pytest.fixture
def schools(tmp_path: Path) -> Iterator[SchoolSignIns]:
    accounts = SqlAccounts(f"sqlite:///{tmp_path / 'catalog.db'}")

    def nobody_asks(_: Provider) -> Any:
        raise AssertionError

    yield SchoolSignIns(accounts, nobody_asks)
    accounts.close()


def comes(schools: SchoolSignIns, sign_in: SignIn, provider: Provider = LESSING, **claims: Any) -> Person:
    return person_for(ANNA | claims, provider, schools, sign_in, NOON)


def refused(schools: SchoolSignIns, sign_in: SignIn, provider: Provider = LESSING, **claims: Any) -> str:
    with pytest.raises(SignInRefused) as error:
        comes(schools, sign_in, provider, **claims)
    return error.value.reason


def test_a_verified_address_leads_to_who_is_here_already_in_that_school(schools: SchoolSignIns, sign_in: SignIn) -> None:
    anna = enrol("school", "anna@lessing.example", "Dr Berg", KeyScope.TEACHER, sign_in=sign_in, now=NOON)

    assert comes(schools, sign_in, groups=["10b"]) == anna
    assert comes(schools, sign_in, replace(LESSING, school="another")).school == "another"


@pytest.mark.parametrize("told", [False, None, "false", "yes", ["true"]])
def test_an_address_that_is_not_verified_leads_to_nobody_and_makes_nobody(
    schools: SchoolSignIns, sign_in: SignIn, told: Any
) -> None:
    assert refused(schools, sign_in, email_verified=told) == "unverified"
    enrol("school", "anna@lessing.example", "", KeyScope.ADMIN, sign_in=sign_in, now=NOON)
    assert refused(schools, sign_in, email_verified=told) == "unverified"


def test_where_the_school_gives_its_addresses_away_itself_nobody_has_to_say_so(schools: SchoolSignIns, sign_in: SignIn) -> None:
    vouched = replace(LESSING, vouched=True)

    assert comes(schools, sign_in, vouched, email_verified=None).email == "anna@lessing.example"
    assert refused(schools, sign_in, vouched, email_verified=False, sub="another") == "unverified"


def test_somebody_new_is_a_student_and_the_subject_counts_before_the_address(schools: SchoolSignIns, sign_in: SignIn) -> None:
    anna = comes(schools, sign_in)

    assert anna == Person("school", "anna@lessing.example", "Anna Berg", KeyScope.STUDENT, NOON)
    assert comes(schools, sign_in, email="anna.huber@lessing.example") == anna
    assert comes(schools, sign_in, email_verified=False) == anna
    assert comes(schools, sign_in, sub="another", email="ben@lessing.example").email == "ben@lessing.example"


def test_a_token_of_nobody_of_a_stranger_or_without_an_address_lets_nobody_in(schools: SchoolSignIns, sign_in: SignIn) -> None:
    for email in ("anna@gmail.example", "anna@evil-lessing.example"):
        assert refused(schools, sign_in, email=email) == "stranger"
    for sub in ("", None, 5, "x" * 256, "a\0b"):
        assert refused(schools, sign_in, sub=sub) == "invalid"
    for email in ("", None, "anna", "a b@lessing.example", ["anna@lessing.example"]):
        assert refused(schools, sign_in, email=email) == "unverified"


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "Lessing School"},
        {"issuer": "http://id.example"},
        {"issuer": "https://id.example?x=y"},
        {"issuer": "id.example"},
        {"client": ""},
        {"domains": ()},
        {"school": ""},
    ],
)
def test_what_would_let_everybody_in_or_nobody_is_not_registered(schools: SchoolSignIns, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        register(replace(LESSING, **wrong), schools.accounts)


def test_what_goes_there_tells_nothing_of_the_browsers_secret() -> None:
    flow, other = Flow("secret", "lessing", "/"), Flow("secret", "goethe", "/")

    made = {flow.state, flow.nonce, flow.verifier, other.state, other.nonce, other.verifier}
    assert len(made) == 6
    assert all(len(each) == 43 and "secret" not in each for each in made)
