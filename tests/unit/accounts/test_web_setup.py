"""What an admin sets up on the page: used at once, with secrets that nobody reads back, never in place of the operator's."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.oidc import OidcProvider
from chapterverse.accounts.setup import MAIL, MODEL, MailSetup, SchoolSetups
from chapterverse.core.errors import BadRequest
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, Usage
from chapterverse.infrastructure.mail import FolderPost, SmtpPost
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.infrastructure.sealing import Seal, refuse_private
from tests.support.browsers import OURS, browser_of
from tests.support.mail_server import MailServer, letters
from tests.support.oidc import a_school
from tests.support.web import Caller, Site

SECRET = "tulip-49"
SERVER = {"server": "smtps://mail.school.example", "sender": "no-reply@school.example", "user": "us", "password": SECRET}
MODEL_SERVER = {"url": "https://llm.school.example/v1", "model": "gpt-school", "key": SECRET, "prompt_price": 1, "per_day": 2.5}
SIGN_IN = {
    "id": "lessing",
    "title": "Lessing",
    "issuer": "https://login.lessing.example",
    "client": "chapterverse",
    "secret": SECRET,
    "domains": "Lessing.example, @staff.lessing.example",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the school's own mail server puts its letters."""
    return tmp_path / "sent"


@pytest.fixture
def school(library: Site, folder: Path) -> Iterator[Site]:
    """An installation without a mail server of the operator."""
    opened: list[MailSetup] = []

    def open_post(setup: MailSetup) -> FolderPost:
        opened.append(setup)
        return FolderPost(folder)

    setups = replace(library.parts.setups, open_post=open_post)
    sign_in = replace(library.parts.sign_in, is_outbox=True, school_post=setups.post)
    yield library.but(setups=setups, sign_in=sign_in)
    assert {each.password for each in opened} <= {SECRET, ""}


@pytest.fixture
def admin(school: Site) -> Caller:
    return school.caller(KeyScope.ADMIN)


def changed(site: Site, **setups: Any) -> Site:
    return site.but(setups=replace(site.parts.setups, **setups))


def test_without_a_mail_server_an_invitation_is_a_link_to_copy(school: Site, admin: Caller, folder: Path) -> None:
    invited = admin("POST", "/api/v1/people", json={"email": "ben@school.example"}).json
    again = admin("POST", "/api/v1/people/ben@school.example/link")

    assert (invited["sent"], invited["link"].startswith("https://school.example/sign-in/link#")) == (False, True)
    assert again.status_code == 201
    assert again.json["link"] != invited["link"]
    page = browser_of(school, "anna@school.example", KeyScope.ADMIN).get("/settings/people").text
    assert "Without a mail server" in page
    assert letters(folder) == []


def test_letters_go_through_the_schools_server_in_the_language_of_its_choice_and_only_then_are_they_promised(
    school: Site, admin: Caller, folder: Path
) -> None:
    def asked() -> str:
        return school.anybody("POST", "/sign-in", data={"email": "nobody@school.example"}, headers=OURS).text

    to = {"to": "anna@school.example"}
    assert "E-mail isn’t set up here yet" in asked()
    assert admin("POST", "/api/v1/setup/mail/test", json=to).status_code == 404
    admin("PUT", "/api/v1/setup/mail", json=SERVER)
    assert "we’ve sent you a link" in asked()
    admin("PATCH", "/api/v1/setup/rules", json={"language": "de"})

    invited = admin("POST", "/api/v1/people", json={"email": "ben@school.example", "name": "Ben"}).json

    assert (invited["sent"], invited["link"]) == (True, None)
    [test, letter] = sorted(letters(folder), key=lambda each: "Ben" in each)
    assert "no-reply@school.example" in test.partition("To: ")[2]
    assert "Hallo Ben" in letter
    assert "Hello" not in letter
    assert admin("POST", "/api/v1/setup/mail/test", json=to).status_code == 204
    assert admin("POST", "/api/v1/setup/mail/test", json={"to": "no address"}).status_code == 400
    assert sorted("anna@school.example" in letter for letter in letters(folder)) == [False, False, True]


def test_no_secret_is_read_back_or_stored_in_plain(school: Site, admin: Caller, tmp_path: Path) -> None:
    told = [
        admin("PUT", "/api/v1/setup/mail", json=SERVER),
        admin("PUT", "/api/v1/setup/model", json=MODEL_SERVER),
        admin("POST", "/api/v1/setup/sign-in", json=SIGN_IN),
        admin("GET", "/api/v1/setup"),
        browser_of(school, "anna@school.example", KeyScope.ADMIN).get("/settings/setup"),
    ]

    assert [answer.status_code for answer in told] == [200] * 5
    assert SECRET not in "".join(answer.text for answer in told)
    assert SECRET.encode() not in (tmp_path / "catalog.db").read_bytes()
    status = admin("GET", "/api/v1/setup").json
    assert (status["mail"]["has_password"], status["model"]["has_key"]) == (True, True)


def test_an_empty_password_leaves_the_stored_one_and_another_server_never_gets_it(school: Site, admin: Caller) -> None:
    admin("PUT", "/api/v1/setup/mail", json=SERVER)
    admin("PUT", "/api/v1/setup/model", json=MODEL_SERVER)
    setups = school.parts.setups

    admin("PUT", "/api/v1/setup/mail", json={**SERVER, "password": "", "user": "other"})
    kept = setups.mail("school")
    admin("PUT", "/api/v1/setup/mail", json={**SERVER, "password": "", "server": "smtps://evil.example"})
    admin("PUT", "/api/v1/setup/model", json={**MODEL_SERVER, "key": "", "url": "https://evil.example/v1"})

    assert (kept.user, kept.password) == ("other", SECRET)
    assert [setups.mail("school").password, setups.model("school").key] == ["", ""]


def test_what_the_operator_has_set_comes_first_and_the_page_says_so(school: Site, admin: Caller) -> None:
    admin("PUT", "/api/v1/setup/mail", json=SERVER)
    by_operator = {MAIL: "CHAPTERVERSE_MAIL_SERVER", MODEL: "CHAPTERVERSE_LLM_MODEL"}
    decided = changed(school, by_operator=by_operator).caller(KeyScope.ADMIN)

    refused = [
        decided("PUT", "/api/v1/setup/mail", json=SERVER),
        decided("DELETE", "/api/v1/setup/mail"),
        decided("PUT", "/api/v1/setup/model", json=MODEL_SERVER),
    ]

    assert [answer.status_code for answer in refused] == [403, 403, 403]
    assert "CHAPTERVERSE" not in refused[0].json["detail"]
    status = decided("GET", "/api/v1/setup").json
    assert status["mail"]["variable"] == "CHAPTERVERSE_MAIL_SERVER"
    assert status["mail"]["server"] == ""


def test_without_a_key_or_an_address_of_a_mail_server_nothing_is_stored(school: Site, admin: Caller) -> None:
    refused = changed(school, seal=None).caller(KeyScope.ADMIN)("PUT", "/api/v1/setup/mail", json=SERVER)

    assert (refused.status_code, refused.json["id"]) == (400, "setup_no_key")
    for server in ("mail.school.example", "ftp://mail", "smtp://a:b@mail", "smtp://mail:x", "smtp://", "[::1"):
        assert admin("PUT", "/api/v1/setup/mail", json={**SERVER, "server": server}).status_code == 400


def test_a_mail_server_whose_sender_has_no_mailbox_is_tested_with_a_letter_to_the_admin(school: Site) -> None:
    with MailServer() as server:
        site = changed(school, open_post=lambda setup: SmtpPost(server.address, setup.sender))
        refused = site.caller(KeyScope.ADMIN)("PUT", "/api/v1/setup/mail", json=SERVER)
        anna = browser_of(site, "anna@school.example", KeyScope.ADMIN)
        status = anna.put("/api/v1/setup/mail", json=SERVER, headers=OURS).get_json()

    assert (refused.status_code, refused.json["id"]) == (503, "mail_address_refused")
    assert (status["mail"]["is_set"], status["mail"]["sender"]) == (True, "no-reply@school.example")
    [letter] = server.letters
    assert b"To: anna@school.example" in letter


def test_where_schools_share_an_installation_no_admin_reaches_a_private_server(school: Site) -> None:
    shared = changed(school, check_host=refuse_private).caller(KeyScope.ADMIN)

    for server in ("smtp://127.0.0.1:25", "smtp://169.254.169.254", "smtp://[::1]", "smtps://localhost"):
        refused = shared("PUT", "/api/v1/setup/mail", json={**SERVER, "server": server})
        assert (server, refused.status_code) == (server, 400)
    for url in ("https://127.0.0.1/v1", "https://localhost/v1", "http://school.example/v1", "file:///etc/passwd"):
        assert shared("PUT", "/api/v1/setup/model", json={**MODEL_SERVER, "url": url}).status_code == 400
    assert school.caller(KeyScope.ADMIN)("PUT", "/api/v1/setup/model", json={**MODEL_SERVER, "key": "a\nb"}).status_code == 400


def test_a_sealed_text_opens_only_for_its_school_and_its_key() -> None:
    seal = Seal(b"one key of many bytes")
    sealed = seal.seal("a text", "school", MAIL)

    assert seal.open(sealed, "school", MAIL) == "a text"
    for other, subject in ((seal, ("another", MAIL)), (seal, ("school", MODEL)), (Seal(b"another key"), ("school", MAIL))):
        with pytest.raises(BadRequest):
            other.open(sealed, *subject)
    with pytest.raises(BadRequest):
        seal.open("no such thing", "school", MAIL)


class Robot:
    """A language model that has nothing to say."""

    model = "gpt-school"

    def generate(self, _prompt: Prompt, _schema: Schema, _deadline: float) -> ModelAnswer:
        return ModelAnswer({"comments": []}, Usage(100_000, 0))


def test_a_test_call_is_paid_for_and_its_cost_is_on_the_page(school: Site, ledger: SqlLedger) -> None:
    paid = PaidModel(Robot(), ledger, Price(1.0, 1.0), 10_000_000)
    models: Mapping[str, PaidModel] = {"school": paid}
    essays = replace(school.parts.essays, writing=replace(school.parts.essays.writing, school_model=models.get))
    admin, other = (school.but(essays=essays).caller(KeyScope.ADMIN, each) for each in ("school", "another"))

    called = admin("POST", "/api/v1/setup/model/test")

    assert called.json["cost"] == 0.1
    assert "without a comment" in str(called.json["message"])
    status = admin("GET", "/api/v1/setup").json["model"]
    assert (status["is_set"], status["model"], status["spent_today"], status["per_day"]) == (True, "gpt-school", 0.1, 10.0)
    assert status["essay_cost"] == 0.0135
    assert other("POST", "/api/v1/setup/model/test").status_code == 404


def test_a_sign_in_service_keeps_its_secret_until_its_issuer_is_another(school: Site, admin: Caller) -> None:
    one_address = admin("POST", "/api/v1/setup/sign-in", json={**SIGN_IN, "domains": "anna@gmail.com"})
    assert (one_address.status_code, "not addresses" in one_address.text) == (400, True)
    made = admin("POST", "/api/v1/setup/sign-in", json=SIGN_IN).json["sign_in"]
    assert made[0]["domains"] == ["lessing.example", "staff.lessing.example"]
    assert made[0]["address"] == "https://school.example/sign-in/school/lessing/back"

    admin("POST", "/api/v1/setup/sign-in", json={**SIGN_IN, "secret": "", "title": "Lessing 2"})
    assert school.parts.setups.secrets("school") == {"lessing": SECRET}
    other = {**SIGN_IN, "secret": "", "issuer": "https://evil.example"}
    assert admin("POST", "/api/v1/setup/sign-in", json=other).json["sign_in"][0]["has_secret"] is False

    assert admin("DELETE", "/api/v1/setup/sign-in/lessing").json["sign_in"] == []


def test_a_sign_in_service_that_does_not_answer_as_one_is_not_stored(school: Site) -> None:
    checking = replace(school.parts.schools, check=lambda made: OidcProvider(made, "").check())
    admin, address = school.but(schools=checking).caller(KeyScope.ADMIN), "/api/v1/setup/sign-in"
    with a_school() as there:
        for issuer, id in ((f"{there.issuer}/", "provider_other_issuer"), ("http://127.0.0.1:9", "school_sign_in_away")):
            refused = admin("POST", address, json=SIGN_IN | {"issuer": issuer})
            assert (refused.status_code, refused.json["id"]) == (503, id)
        assert len(admin("POST", address, json=SIGN_IN | {"issuer": there.issuer}).json["sign_in"]) == 1
    narrower = admin("POST", address, json=SIGN_IN | {"issuer": there.issuer, "domains": "a.example"})  # while it is away
    assert narrower.json["sign_in"][0]["domains"] == ["a.example"]


def test_an_admin_sets_how_long_feedback_is_stored(school: Site, admin: Caller) -> None:
    history, nothing = school.parts.essays.history, SchoolSetups(school.parts.school_settings)
    assert (nothing.mail("school"), nothing.model("school"), nothing.post("school"), nothing.has_mail()) == (*[None] * 3, False)
    assert admin("GET", "/api/v1/setup").json["keep_days"] == history.days

    changed = admin("PATCH", "/api/v1/setup/rules", json={"keep_days": 7}).json

    assert (changed["keep_days"], changed["max_keep_days"]) == (7, history.days)
    assert (history.days_for("school"), history.days_for("another")) == (7, history.days)
    assert dict(school.parts.school_settings.by_school("keep_days")) == {"school": 7}
    too_long = admin("PATCH", "/api/v1/setup/rules", json={"keep_days": history.days + 1})
    assert (too_long.status_code, too_long.json["id"]) == (400, "setup_too_many_days")
