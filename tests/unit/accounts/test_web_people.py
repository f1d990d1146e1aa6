"""A school's people, as its admins see and change them."""

import json
from pathlib import Path

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import enrol
from chapterverse.cli.session import SERVED
from tests.support.browsers import OURS, browser_of
from tests.support.mail_server import letters
from tests.support.web import Caller, Site
from tests.unit.conftest import Run


def roles(admin: Caller) -> dict[str, str]:
    return {each["email"]: each["role"] for each in admin("GET", "/api/v1/people").json["people"]}


def test_who_is_invited_gets_one_letter_and_another_link_when_asked(library: Site, admin: Caller, tmp_path: Path) -> None:
    asked = {"email": "Ben@school.example", "name": "Ben", "role": "teacher"}
    first, again = (admin("POST", "/api/v1/people", json=asked) for _ in range(2))

    assert (first.status_code, first.json["new"], first.json["sent"]) == (201, True, True)
    assert (again.json["new"], again.json["sent"]) == (False, False)
    assert roles(admin) == {"ben@school.example": "teacher"}
    assert roles(library.caller(KeyScope.ADMIN, school="another")) == {}
    [letter] = letters(tmp_path / "outbox")
    assert "https://school.example/sign-in/link#" in letter.replace("=\n", "").replace("=23", "#")
    assert admin("POST", "/api/v1/people/ben@school.example/link").json == {"sent": True, "link": None}
    assert admin("POST", "/api/v1/people/nobody@school.example/link").status_code == 404
    assert len(letters(tmp_path / "outbox")) == 2


def test_another_role_counts_at_once_and_who_is_removed_is_out(library: Site, admin: Caller) -> None:
    ben = browser_of(library, "ben@school.example", KeyScope.STUDENT)
    assert ben.get("/books").status_code == 403

    assert admin("PUT", "/api/v1/people/ben@school.example", json={"role": "teacher"}).status_code == 200
    assert ben.get("/books").status_code == 200
    assert admin("DELETE", "/api/v1/people/ben@school.example").status_code == 204

    assert ben.get("/essay").status_code == 303
    assert admin("DELETE", "/api/v1/people/ben@school.example").status_code == 404


def test_no_admin_locks_themselves_or_the_school_out(library: Site, admin: Caller) -> None:
    anna = browser_of(library, "anna@school.example", KeyScope.ADMIN)
    me = "/api/v1/people/anna@school.example"
    enrol("school", "ben@school.example", "", KeyScope.ADMIN, sign_in=library.parts.sign_in, now=library.parts.now())

    assert anna.put(me, json={"role": "teacher"}, headers=OURS).status_code == 403
    assert anna.delete(me, headers=OURS).status_code == 403
    assert anna.delete("/api/v1/people/ben@school.example", headers=OURS).status_code == 204
    for refused in (admin("DELETE", me), admin("PUT", me, json={"role": "student"})):
        assert refused.status_code == 403
    assert roles(admin) == {"anna@school.example": "admin"}


def test_somebody_is_invited_with_a_link_listed_and_removed(run: Run, home: Path) -> None:
    assert run("people", "list").stderr == "chapterverse: Nothing to list yet.\n"
    (home / SERVED).write_text("http://127.0.0.1:9090", "utf-8")

    link, told = run("people", "invite", "Anna@school.example", "--role", "teacher").stdout.splitlines()

    assert link.startswith("http://127.0.0.1:9090/sign-in/link")
    assert "as teacher" in told
    [anna] = json.loads(run("people", "list", "--json").stdout)
    assert (anna["email"], anna["role"]) == ("anna@school.example", "teacher")
    run("people", "invite", "anna@school.example", "--name", "Anna")  # for another link
    [again] = json.loads(run("people", "list", "--json").stdout)
    assert (again["name"], again["role"]) == ("Anna", "teacher")
    assert run("people", "remove", "anna@school.example").exit_code == 0
    assert run("people", "remove", "anna@school.example").exit_code == 3


def test_who_is_here_keeps_the_role_and_a_school_its_last_admin(run: Run, admin: Caller) -> None:
    run("people", "invite", "boss@school.example", "--role", "admin")

    assert run("people", "invite", "boss@school.example", "--role", "student").exit_code != 0
    [boss] = json.loads(run("people", "list", "--json").stdout)
    assert boss["role"] == "admin"
    admin("POST", "/api/v1/people", json={"email": "ada@school.example", "role": "teacher", "send": False})
    admin("POST", "/api/v1/people", json={"email": "ada@school.example", "role": "student", "send": False})
    assert roles(admin)["ada@school.example"] == "teacher"


SETTINGS = "/api/v1/settings"


def test_what_is_set_is_told_with_who_did_and_what_stays_keeps_its_author_and_what_cannot_be_is_refused(library: Site) -> None:
    anna, ben = library.caller(KeyScope.TEACHER), library.caller(KeyScope.ADMIN)
    before = anna("PATCH", SETTINGS, {"grade": 5, "approval": True}).get_json()

    after = ben("PATCH", SETTINGS, {"grade": 5, "tone": "plain", "approval": None}).get_json()

    assert after["grade"] == before["grade"]
    assert after["approval"]["value"] is None
    assert after["approval"]["changed_by"] != before["approval"]["changed_by"]
    assert (after["tone"]["value"], after["codes"]["changed"]) == ("plain", None)
    for wrong in ({"grade": 2}, {"tone": "loud"}, {"codes": "yes"}, {"colour": 1}):
        assert anna("PATCH", SETTINGS, wrong).status_code == 400

    refused, done = (who("PATCH", SETTINGS, {"transcripts": True}) for who in (anna, ben))
    assert (refused.status_code, done.status_code) == (403, 200)
    assert "admins" in refused.get_json()["detail"]
    assert "data-live disabled" in browser_of(library, "carl@school.example", KeyScope.TEACHER).get("/settings").text

    browser = browser_of(library, "anna@school.example", KeyScope.ADMIN)
    assert "data-live disabled" not in browser.get("/settings").text
    browser.patch(SETTINGS, json={"grade": 11}, headers=OURS)

    page = browser.get("/settings/advanced").text

    assert '<option value="11" selected>' in page
    assert "anna@school.example" in page
