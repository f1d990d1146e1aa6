"""Classes from a OneRoster 1.2 CSV export."""

import io
import zipfile
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from tests.support.web import Site

USERS = """sourcedId,status,enabledUser,givenName,familyName,email
u1,,true,Anna,Berg,anna@school.example
u2,,true,Ben,Çelik,
u3,,true,Clara,Stein,stein@school.example
u4,,true,No,Address,
"""
CLASSES = """sourcedId,status,title
c1,,English 10b
c2,,History
"""
ENROLLMENTS = """sourcedId,status,classSourcedId,userSourcedId,role
e1,,c1,u1,student
e2,,c1,u2,student
e3,,c1,u3,teacher
e4,,c2,u1,student
e5,,c2,u4,teacher
e6,,c2,u1,parent
e7,,c9,u1,student
"""


def roster(**changed: str | None) -> bytes:
    files = {"users": USERS, "classes": CLASSES, "enrollments": ENROLLMENTS} | changed
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            if text is not None:
                archive.writestr(f"{name}.csv", text.encode("utf-8-sig"))
    return packed.getvalue()


def sent(library: Site, data: bytes, scope: KeyScope = KeyScope.ADMIN) -> Any:
    return library.caller(scope)("POST", "/api/v1/classes/oneroster", headers={"Content-Type": "application/zip"}, data=data)


def classes(library: Site) -> dict[str, list[dict[str, Any]]]:
    teacher = library.caller(KeyScope.TEACHER)
    listed = teacher("GET", "/api/v1/classes").get_json()["classes"]
    return {each["name"]: teacher("GET", f"/api/v1/classes/{each['id']}").get_json()["students"] for each in listed}


def test_classes_students_and_teachers_are_there(library: Site) -> None:
    done = sent(library, roster()).get_json()

    assert (done["classes"], done["students"], done["teachers"], done["removed"], done["skipped"]) == (2, 3, 1, 0, 3)
    assert len(done["problems"]) == 3
    found = classes(library)
    assert {name: [each["name"] for each in those] for name, those in found.items()} == {
        "English 10b": ["Anna Berg", "Ben Çelik"],
        "History": ["Anna Berg"],
    }
    anna, ben = found["English 10b"]
    assert (anna["email"], anna["code"]) == ("anna@school.example", None)
    assert ben["email"] is None
    assert ben["code"]
    stein = library.parts.sign_in.find("school", "stein@school.example")
    assert stein
    assert stein.role is KeyScope.TEACHER


def test_the_same_file_again_changes_nothing(library: Site) -> None:
    sent(library, roster())
    before = classes(library)

    sent(library, roster())

    assert classes(library) == before


def test_names_change_and_marked_rows_remove(library: Site) -> None:
    sent(library, roster())
    changed = roster(
        classes=CLASSES.replace("English 10b", "English 11b"),
        users=USERS.replace("Çelik", "Yılmaz"),
        enrollments=ENROLLMENTS.replace("e1,,c1", "e1,tobedeleted,c1"),
    )

    assert sent(library, changed).get_json()["removed"] == 1

    assert [each["name"] for each in classes(library)["English 11b"]] == ["Ben Yılmaz"]


def test_an_admin_stays_one_and_nobody_else_imports(library: Site) -> None:
    assert sent(library, roster(), KeyScope.TEACHER).status_code == 403
    sent(library, roster(users=USERS.replace("Clara,Stein,stein@school.example", "Clara,Stein,anna@school.example")))

    anna = library.parts.sign_in.find("school", "anna@school.example")
    assert anna
    assert anna.role is KeyScope.TEACHER


@pytest.mark.parametrize(
    "data",
    [
        b"no zip",
        roster(users=None),
        roster(users="sourcedId,givenName\n1,A\n"),
        roster(classes='sourcedId,title\n1,"open'),
    ],
)
def test_a_file_that_is_none_is_refused_with_what_to_do(library: Site, data: bytes) -> None:
    answer = sent(library, data)

    assert answer.status_code == 400
    assert answer.get_json()["detail"]
    assert classes(library) == {}
