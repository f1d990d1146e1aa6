"""Links that sign in once, sessions that end."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chapterverse.accounts.model import Flow, KeyScope, Person, Provider
from chapterverse.accounts.sign_in import (
    SchoolSignIns,
    SignIn,
    enrol,
    link_for,
    person_for,
    redeem_link,
    register,
    send_links,
    who_is,
)
from chapterverse.accounts.store import SqlAccounts, SqlPeople
from chapterverse.core.errors import BadRequest, PostUnavailable, SignInRefused, Unauthenticated
from chapterverse.infrastructure.mail import FolderPost
from tests.support.mail_server import letters
from tests.support.oidc import ANNA

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def sign_in(tmp_path: Path) -> Iterator[SignIn]:
    people = SqlPeople(f"sqlite:///{tmp_path / 'catalog.db'}")
    yield SignIn(people, FolderPost(tmp_path / "outbox"), site="https://school.example")
    people.close()


def test_link_and_session_are_good_for_their_time_and_their_purpose(sign_in: SignIn) -> None:
    anna = enrol("school", "anna@school.example", "", KeyScope.STUDENT, sign_in=sign_in, now=NOON)
    late, link = link_for(anna, sign_in, NOON), link_for(anna, sign_in, NOON)

    with pytest.raises(Unauthenticated):
        redeem_link(late, sign_in, NOON + 21 * MINUTE)
    with pytest.raises(Unauthenticated):
        who_is(link, sign_in, NOON)
    _, session = redeem_link(link, sign_in, NOON)
    with pytest.raises(Unauthenticated):
        who_is(session, sign_in, NOON + timedelta(hours=12))


def test_a_link_is_sent_for_each_school_and_to_nobody_unknown(sign_in: SignIn, tmp_path: Path) -> None:
    for school in ("one", "two"):
        enrol(school, "anna@school.example", "Anna", KeyScope.STUDENT, sign_in=sign_in, now=NOON)

    send_links("ANNA@school.example", sign_in, NOON)
    send_links("nobody@school.example", sign_in, NOON)

    sent = letters(tmp_path / "outbox")
    assert len(sent) == 2
    assert "use this link to sign in" in sent[0]
    assert "dieser Link meldet dich" not in sent[0]  # a letter is in one language
    [link] = re.findall(r"https://school\.example/sign-in/link#link=([\w-]+)", sent[0].replace("=\n", "").replace("=3D", "="))
    assert redeem_link(link, sign_in, NOON)[0].email == "anna@school.example"
    with pytest.raises(PostUnavailable, match="address"):
        send_links("anna@school.example", replace(sign_in, site=""), NOON)


@pytest.mark.parametrize("email", ["", "anna", "anna@", "a b@c.example", "a@b.example\nBcc: x@y.example", "a@@b"])
def test_what_is_no_address_is_refused(sign_in: SignIn, email: str) -> None:
    with pytest.raises(BadRequest, match="e-mail"):
        enrol("school", email, "", KeyScope.STUDENT, sign_in=sign_in, now=NOON)


LESSING = Provider("lessing", "school", "Lessing", "https://id.example", "client", domains=("lessing.example",))


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
def test_an_address_not_verified_leads_to_nobody_and_makes_nobody(schools: SchoolSignIns, sign_in: SignIn, told: Any) -> None:
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
        {"client": ""},
        {"domains": ()},
        {"school": ""},
    ],
)
def test_what_would_let_everybody_in_or_nobody_is_not_registered(schools: SchoolSignIns, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        register(replace(LESSING, **wrong), schools)


def test_what_goes_there_tells_nothing_of_the_browsers_secret() -> None:
    flow, other = Flow("secret", "lessing", "/"), Flow("secret", "goethe", "/")

    made = {flow.state, flow.nonce, flow.verifier, other.state, other.nonce, other.verifier}
    assert len(made) == 6
    assert all(len(each) == 43 and "secret" not in each for each in made)
