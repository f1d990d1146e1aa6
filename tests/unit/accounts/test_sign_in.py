"""Links that sign in once, sessions that end."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import SignIn, enrol, link_for, redeem_link, send_links, who_is
from chapterverse.accounts.store import SqlPeople
from chapterverse.core.errors import BadRequest, PostUnavailable, Unauthenticated
from chapterverse.infrastructure.mail import FolderPost

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def sign_in(tmp_path: Path) -> Iterator[SignIn]:
    people = SqlPeople(f"sqlite:///{tmp_path / 'catalog.db'}")
    yield SignIn(people, FolderPost(tmp_path / "outbox"), site="https://school.example")
    people.close()


def letters(tmp_path: Path) -> list[str]:
    return [file.read_text() for file in (tmp_path / "outbox").glob("*.eml")]


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

    sent = letters(tmp_path)
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
