"""A school's people, as its admins see and change them."""

from pathlib import Path

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import enrol
from tests.support.browsers import OURS, browser_of
from tests.support.web import Caller, Site


@pytest.fixture
def admin(library: Site) -> Caller:
    return library.caller(KeyScope.ADMIN)


def letters(folder: Path) -> list[str]:
    return [file.read_text() for file in (folder / "outbox").glob("*.eml")]


def roles(admin: Caller) -> dict[str, str]:
    return {each["email"]: each["role"] for each in admin("GET", "/api/v1/people").json["people"]}  # type: ignore[index]


def test_who_is_invited_gets_one_letter_and_is_there(admin: Caller, tmp_path: Path) -> None:
    asked = {"email": "Ben@school.example", "name": "Ben", "role": "teacher"}
    first, again = (admin("POST", "/api/v1/people", json=asked) for _ in range(2))

    assert (first.status_code, first.json["new"], first.json["sent"]) == (201, True, True)  # type: ignore[index]
    assert (again.json["new"], again.json["sent"]) == (False, False)  # type: ignore[index]
    assert roles(admin) == {"ben@school.example": "teacher"}
    [letter] = letters(tmp_path)
    assert "https://school.example/sign-in/link#" in letter.replace("=\n", "").replace("=23", "#")


def test_a_list_is_read_however_it_was_pasted_and_wrong_lines_are_told(admin: Caller) -> None:
    pasted = "\n".join(
        (
            "E-Mail;Name;Rolle",
            "anna@school.example;Berg, Anna;Lehrerin",
            "",
            "ben@school.example,Ben",
            "Cem Kaya <cem@school.example>",
            "no address,X",
            "dora@school.example\tDora\thead",
            '"<script>"@x y,evil',
        )
    )
    answer = admin("POST", "/api/v1/people/list", json={"people": pasted})

    assert answer.json["wrong"] == [  # type: ignore[index]
        {"line": 6, "why": "no_address"},
        {"line": 7, "why": "no_role"},
        {"line": 8, "why": "no_address"},
    ]
    told = {each["email"]: (each["name"], each["role"]) for each in answer.json["invited"]}  # type: ignore[index]
    assert told == {
        "anna@school.example": ("Berg, Anna", "teacher"),
        "ben@school.example": ("Ben", "student"),
        "cem@school.example": ("Cem Kaya", "student"),
    }


def test_the_same_list_again_sends_nothing_and_takes_no_role_away(admin: Caller, tmp_path: Path) -> None:
    admin("POST", "/api/v1/people", json={"email": "anna@school.example", "role": "teacher"})
    for _ in range(2):
        admin("POST", "/api/v1/people/list", json={"people": "anna@school.example\nben@school.example"})

    assert roles(admin) == {"anna@school.example": "teacher", "ben@school.example": "student"}
    assert len(letters(tmp_path)) == 2


def test_a_list_that_is_too_long_is_refused_whole(admin: Caller) -> None:
    long = "\n".join(f"a{n}@school.example" for n in range(301))

    assert admin("POST", "/api/v1/people/list", json={"people": long, "send": False}).status_code == 413
    assert roles(admin) == {}


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
    listed = admin("POST", "/api/v1/people/list", json={"people": "anna@school.example,Anna,student"})
    assert listed.json["wrong"] == [{"line": 1, "why": "locks_out"}]  # type: ignore[index]
    assert roles(admin) == {"anna@school.example": "admin"}


def test_another_link_goes_to_who_is_here_only(admin: Caller, tmp_path: Path) -> None:
    admin("POST", "/api/v1/people", json={"email": "ben@school.example", "send": False})

    assert admin("POST", "/api/v1/people/ben@school.example/link").json == {"sent": True, "link": None}
    assert admin("POST", "/api/v1/people/nobody@school.example/link").status_code == 404
    assert len(letters(tmp_path)) == 1


def test_people_are_for_admins_of_the_same_school(library: Site, admin: Caller) -> None:
    admin("POST", "/api/v1/people", json={"email": "ben@school.example", "send": False})

    assert library.caller(KeyScope.TEACHER)("GET", "/api/v1/people").status_code == 403
    other = library.caller(KeyScope.ADMIN, school="another")
    assert roles(other) == {}
    assert other("DELETE", "/api/v1/people/ben@school.example").status_code == 404
    assert browser_of(library, "t@school.example", KeyScope.TEACHER).get("/settings/people").status_code == 403
    assert browser_of(library, "a@school.example", KeyScope.ADMIN).get("/settings/people").status_code == 200
