"""A class without a learning platform: created, joined by codes, submitted to, uploaded, released."""

import csv
import io
import re
from dataclasses import replace
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.assignments.overview import csv_table
from chapterverse.core.book import BookId, Collection
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.essays.batch.service import begin_all
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.library.intake import use_in
from chapterverse.messages import message
from tests.support.browsers import OURS, browser_of
from tests.support.language_servers import as_simulated, language_server
from tests.support.pdf_ua import broken
from tests.support.shelved import key_of, shelve
from tests.support.web import ESSAY, Caller, Site, wait_for_essays

CODE = re.compile(r'<p class="code">([\w-]+)</p>')
TWO = '{"id": "Lovelace_Ada", "text": "Silencing opinion robs mankind of truth."}\n{"id": "Ben", "text": "My uncle sings."}\n'
Made = dict[str, Any]


@pytest.fixture
def stein(library: Site) -> Caller:
    return library.caller(KeyScope.TEACHER)


@pytest.fixture
def assignment(stein: Caller) -> Made:
    return an_assignment(stein)


@pytest.fixture
def ada(library: Site, assignment: Made) -> FlaskClient:
    """The browser of a student who has joined."""
    return joined(library, assignment["join_code"], "Ada")[0]


def call(who: FlaskClient | Caller, method: str, path: str, json: Any = None) -> Any:
    """The JSON of an answer that is no refusal."""
    if isinstance(who, FlaskClient):
        answer = who.open(f"/api/v1{path}", method=method, json=json, headers=OURS)
    else:
        answer = who(method, f"/api/v1{path}", json)
    assert answer.status_code < 300, answer.text
    return answer.get_json() if answer.data else None


def status_of(who: FlaskClient, method: str, path: str, json: Any = None) -> int:
    return who.open(f"/api/v1{path}", method=method, json=json, headers=OURS).status_code


def an_assignment(stein: Caller, **more: Any) -> Made:
    return call(stein, "POST", "/assignments", {"title": "Free speech", "class_name": "9b", "release": "by_teacher"} | more)


def joined(site: Site, code: str, name: str) -> tuple[FlaskClient, str]:
    """The browser of a student who has joined, and the personal code that the page tells."""
    browser = site.app.test_client()
    answer = browser.post("/join", data={"code": code, "name": name}, headers=OURS)
    assert answer.status_code == 200, answer.text
    [personal] = CODE.findall(answer.text)
    return browser, personal


def handed_in(site: Site, browser: FlaskClient, assignment: str, essay: str = ESSAY) -> str:
    """The id of the feedback on an essay that is handed in and left."""
    call(browser, "PUT", f"/assignments/{assignment}/essay", {"essay": essay})
    wait_for_essays(site.parts.batches)
    return str(call(browser, "GET", "/essays/mine")["essays"][0]["id"])


def upload(stein: Caller, assignment: str, lines: str, *, replace: bool) -> TestResponse:
    path, typed = f"/api/v1/assignments/{assignment}/essays", {"Content-Type": "application/x-ndjson"}
    return stein("POST", f"{path}?replace={str(replace).lower()}", data=lines.encode(), headers=typed)


def uploaded(stein: Caller, assignment: str, lines: str = TWO) -> Any:
    answer = upload(stein, assignment, lines, replace=True)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def rows(stein: Caller, assignment: str) -> list[dict[str, Any]]:
    return list(call(stein, "GET", f"/assignments/{assignment}/students")["students"])


def test_a_student_joins_by_a_code_hands_in_and_sees_feedback_once_it_is_released(
    library: Site, stein: Caller, assignment: Made, ada: FlaskClient
) -> None:
    feedback = handed_in(library, ada, assignment["id"])

    assert call(ada, "GET", f"/feedback/{feedback}")["state"] == "waiting for approval"
    [row] = rows(stein, assignment["id"])
    assert (row["name"], row["email"], row["progress"], row["feedback"]) == ("Ada", "", "ready", feedback)
    path, other = f"/assignments/{assignment['id']}/release", an_assignment(stein)
    assert stein("POST", f"/api/v1/assignments/{other['id']}/release", {"feedback": [feedback]}).status_code == 404
    done = call(stein, "POST", path, {"released": True})
    assert done["feedback"] == [feedback]
    assert call(ada, "GET", f"/feedback/{feedback}")["approved"]
    assert rows(stein, assignment["id"])[0]["progress"] == "released"
    assert call(stein, "POST", path, {"feedback": None})["feedback"] == []
    assert call(stein, "POST", path, done | {"released": False})["feedback"] == [feedback]  # the same call undoes it
    assert rows(stein, assignment["id"])[0]["progress"] == "ready"


def test_what_is_handed_in_without_a_book_to_search_has_feedback_that_says_so(empty_site: Site) -> None:
    assignment = an_assignment(empty_site.caller(KeyScope.TEACHER), release="at_once")
    ada, _ = joined(empty_site, assignment["join_code"], "Ada")

    before = call(ada, "GET", f"/feedback/{handed_in(empty_site, ada, assignment['id'])}")
    shelve(empty_site.parts.services, "On Liberty", ["Silencing an opinion robs mankind of truth."])
    after = call(ada, "GET", f"/feedback/{handed_in(empty_site, ada, assignment['id'])}")

    assert before["evidence"] == []
    assert before["notes"] == [str(message("note_no_book"))]
    assert [each["message"] for each in before["paragraphs"]] == [None] * len(before["paragraphs"])
    assert after["evidence"]
    assert str(message("note_no_book")) not in after["notes"]


def test_what_is_handed_in_while_the_first_book_is_read_waits_for_it(empty_site: Site) -> None:
    catalog, services = empty_site.parts.services.catalog, empty_site.parts.services
    catalog.begin(services.key("school", BookId("on-liberty"), "v1"), "On Liberty.pdf")
    assignment = an_assignment(empty_site.caller(KeyScope.TEACHER), release="at_once")
    ada, _ = joined(empty_site, assignment["join_code"], "Ada")

    assert call(ada, "PUT", f"/assignments/{assignment['id']}/essay", {"essay": ESSAY})["feedback"] is None
    wait_for_essays(empty_site.parts.batches)
    assert begin_all(empty_site.parts.batches, running=True) == []

    shelve(services, "On Liberty", ["Silencing an opinion robs mankind of truth."])
    begin_all(empty_site.parts.batches, running=True)
    wait_for_essays(empty_site.parts.batches)
    [essay] = call(ada, "GET", "/essays/mine")["essays"]
    assert call(ada, "GET", f"/feedback/{essay['id']}")["evidence"]


def test_an_essay_is_stored_before_its_feedback_is_written(library: Site, stein: Caller) -> None:
    assignment = an_assignment(stein, release="at_once")
    ada, _ = joined(library, assignment["join_code"], "Ada")
    path = f"/assignments/{assignment['id']}/essay"

    stored = call(ada, "PUT", path, {"essay": ESSAY})
    assert (stored, stored["feedback"]) == (call(ada, "PUT", path, {"essay": ESSAY}), None)
    assert ESSAY.split(maxsplit=1)[0] in ada.get(f"/essay?assignment={assignment['id']}").text
    [row] = rows(stein, assignment["id"])
    assert row["progress"] == "waiting"
    wait_for_essays(library.parts.batches)
    feedback = call(ada, "GET", path)["feedback"]
    assert feedback == rows(stein, assignment["id"])[0]["feedback"]
    assert call(ada, "GET", f"/feedback/{feedback}")["comments"]


def test_an_unknown_book_is_refused_and_one_removed_later_keeps_no_essay_waiting(
    library: Site, stein: Caller, assignment: Made, ada: FlaskClient
) -> None:
    unknown = stein("POST", "/api/v1/assignments", {"title": "Free speech", "books": ["another"]})
    assert (unknown.status_code, unknown.json["id"]) == (404, "no_such_book")
    assert len(call(stein, "GET", "/classes")["classes"]) == 1
    store = library.parts.assignments
    store.keep_assignment(replace(store.assignment("school", assignment["id"]), books=("removed",)))
    refused = ada.put(f"/api/v1/assignments/{assignment['id']}/essay", json={"essay": ESSAY}, headers=OURS)
    assert (refused.status_code, refused.json["id"]) == (404, "assignment_books_removed")
    [book] = library.services.catalog.books("school")
    store.keep_assignment(replace(store.assignment("school", assignment["id"]), books=("removed", book.id)))
    handed_in(library, ada, assignment["id"])
    uploaded(stein, assignment["id"])
    wait_for_essays(library.parts.batches)

    assert {row["progress"] for row in rows(stein, assignment["id"])} == {"ready"}


def test_the_same_text_is_the_same_version(library: Site, stein: Caller, assignment: Made, ada: FlaskClient) -> None:
    first = handed_in(library, ada, assignment["id"])
    second = handed_in(library, ada, assignment["id"], f"{ESSAY} So everyone may speak.")

    for essay, feedback, version in ((f"{ESSAY} So everyone may speak.", second, 2), (ESSAY, first, 1)):
        handed_in(library, ada, assignment["id"], essay)
        [row] = rows(stein, assignment["id"])
        assert (row["feedback"], row["essay_version"]) == (feedback, version)
    assert len(call(ada, "GET", "/essays/mine")["essays"]) == 2


def test_an_essay_that_cannot_be_used_is_refused_and_one_that_a_teacher_deleted_may_be_handed_in_again(
    library: Site, stein: Caller, assignment: Made, ada: FlaskClient
) -> None:
    assert status_of(ada, "PUT", f"/assignments/{assignment['id']}/essay", {"essay": " \n"}) == 400
    assert status_of(ada, "GET", f"/assignments/{assignment['id']}/essay") == 404
    assert rows(stein, assignment["id"])[0]["progress"] == "missing"
    call(stein, "DELETE", f"/feedback/{handed_in(library, ada, assignment['id'])}")
    assert rows(stein, assignment["id"])[0]["failed_because"] == "A teacher has deleted this essay."

    handed_in(library, ada, assignment["id"])

    assert rows(stein, assignment["id"])[0]["progress"] == "ready"


def test_no_student_deletes_what_is_handed_in(library: Site, stein: Caller, assignment: Made, ada: FlaskClient) -> None:
    first, last = (handed_in(library, ada, assignment["id"], f"{ESSAY} {word}") for word in ("Yes.", "No."))
    call(stein, "PUT", f"/feedback/{last}/edits", {"grade": "2+"})
    call(stein, "PUT", f"/feedback/{last}/approval", {"approved": True})

    call(ada, "PUT", f"/assignments/{assignment['id']}/essay", {"essay": ESSAY})  # its feedback is still to come
    for id in (first, last):
        answer = ada.delete(f"/api/v1/essays/mine/{id}", headers=OURS)
        assert (answer.status_code, "your teacher" in answer.text) == (403, True)
    assert not any("DELETE /essays" in ada.get(path).text for path in ("/", f"/essay/mine/{last}"))
    assert rows(stein, assignment["id"])[0]["grade_given"] == "2+"


def test_where_no_mail_is_sent_a_student_with_an_address_gets_a_code(library: Site) -> None:
    site = library.but(sign_in=replace(library.parts.sign_in, is_outbox=True))
    stein = site.caller(KeyScope.TEACHER)
    assignment = an_assignment(stein)
    path = f"/classes/{assignment['class_id']}/students"
    [ben] = call(stein, "POST", path, {"names": "Ben Okri, ben@school.example"})["students"]

    renewed = call(stein, "POST", f"{path}/{ben['id']}/code")["code"]

    for code, status in ((ben["code"], 404), (renewed, 303)):
        assert site.app.test_client().post("/join", data={"code": code}, headers=OURS).status_code == status
    call(stein, "DELETE", f"{path}/{ben['id']}")
    assert site.parts.sign_in.find("school", "ben@school.example")  # who may sign in otherwise


def test_a_personal_code_leads_back_and_the_code_of_a_class_to_nobody(library: Site, assignment: Made) -> None:
    ada, personal = joined(library, assignment["join_code"], "Ada Lovelace")
    handed_in(library, ada, assignment["id"])

    data = {"code": assignment["join_code"], "name": "ada  lovelace"}
    stranger = library.app.test_client().post("/join", data=data, headers=OURS)
    elsewhere = library.app.test_client()
    entered = elsewhere.post("/join", data={"code": personal.lower().replace("-", " ")}, headers=OURS)

    assert (stranger.status_code, "Set-Cookie" in stranger.headers) == (400, False)
    assert "already" in stranger.text
    assert entered.status_code == 303
    assert len(call(elsewhere, "GET", "/essays/mine")["essays"]) == 1
    for code in ("K7QX-4MNP", "K7QX-4MNP-2RTV", "", "'; --"):  # that nobody has
        answer = library.app.test_client().post("/join", data={"code": code, "name": "Ada"}, headers=OURS)
        assert (answer.status_code, "Set-Cookie" in answer.headers) == (404, False)


def test_a_new_personal_code_ends_the_earlier_one_and_its_sessions(library: Site, stein: Caller, assignment: Made) -> None:
    ada, personal = joined(library, assignment["join_code"], "Ada")
    [student] = call(stein, "GET", f"/classes/{assignment['class_id']}")["students"]
    assert student["code"] == personal

    renewed = call(stein, "POST", f"/classes/{assignment['class_id']}/students/{student['id']}/code")["code"]

    def status(code: str) -> int:
        return library.app.test_client().post("/join", data={"code": code, "name": "Ben"}, headers=OURS).status_code

    assert renewed != personal
    assert status_of(ada, "GET", "/essays/mine") == 401
    assert (status(personal), status(renewed)) == (404, 303)
    library.parts.sign_in.people.keep(replace(person(library, "Ada"), role=KeyScope.TEACHER))
    assert status(renewed) == 404  # it does not open what a teacher may do
    call(stein, "PATCH", "/settings", {"codes": False})
    assert (status(assignment["join_code"]), status(renewed)) == (403, 403)


def test_who_is_signed_in_joins_as_they_are_and_a_teacher_sees_the_task(library: Site, stein: Caller, assignment: Made) -> None:
    anna = browser_of(library, "anna@school.example")
    teacher = browser_of(library, "stein@school.example", KeyScope.TEACHER)

    assert "Join as" in anna.get(f"/join/{assignment['join_code']}").text
    for _ in range(2):
        assert anna.post("/join", data={"code": assignment["join_code"]}, headers=OURS).location.endswith(assignment["id"])

    [row] = rows(stein, assignment["id"])
    assert (row["email"], row["progress"]) == ("anna@school.example", "missing")
    assert teacher.get(f"/join/{assignment['join_code']}").location == f"/essay/assignments/{assignment['id']}"


def test_an_assignment_is_for_its_class_alone(library: Site, assignment: Made) -> None:
    ben = browser_of(library, "ben@school.example")

    assert status_of(ben, "GET", f"/assignments/{assignment['id']}") == 404
    assert status_of(ben, "PUT", f"/assignments/{assignment['id']}/essay", {"essay": ESSAY}) == 404
    assert status_of(ben, "POST", "/essays/feedback", {"essay": ESSAY, "assignment": assignment["id"]}) == 404
    assert ben.get(f"/essay?assignment={assignment['id']}").status_code == 404
    ada, personal = joined(library, assignment["join_code"], "Ada")
    shown = call(ada, "GET", f"/assignments/{assignment['id']}")
    assert (shown["join_code"], personal in str(shown)) == (None, False)


def test_names_are_added_from_a_list_once_and_two_of_one_name_told_apart_by_addresses(stein: Caller, assignment: Made) -> None:
    names = "Name;E-Mail\nAda Lovelace;\nBen Okri;Ben@School.example\n\nada lovelace\nBob, notamail\nBob @x.example\n"
    students = f"/classes/{assignment['class_id']}/students"

    first, again = (call(stein, "POST", students, {"names": names}) for _ in range(2))

    assert [(each["name"], each["email"], bool(each["code"])) for each in first["students"]] == [
        ("Ada Lovelace", None, True),
        ("Ben Okri", "ben@school.example", False),
    ]
    assert (first["skipped"], again["skipped"], first["wrong"]) == (1, 3, ["Bob, notamail", "Bob @x.example"])
    assert again["students"] == first["students"]
    assert [row["progress"] for row in rows(stein, assignment["id"])] == ["missing", "missing"]
    kims = {"names": "Kim Lee, kim@school.example\nLee Kim, lee@school.example\nKim Lee\n"}
    listed = call(stein, "POST", students, kims)
    assert [each["email"] for each in listed["students"][-2:]] == ["kim@school.example", "lee@school.example"]
    assert listed["skipped"] == 1


def test_an_uploaded_class_lands_in_the_assignment_and_sees_feedback(library: Site, stein: Caller, assignment: Made) -> None:
    call(stein, "POST", f"/classes/{assignment['class_id']}/students", {"names": "Ada Lovelace\n"})

    done = uploaded(stein, assignment["id"], TWO + '{"id": "Zoe", "text": ""}\n{"id": "ben", "text": "So it is."}\n')
    before = rows(stein, assignment["id"])
    wait_for_essays(library.parts.batches)

    assert (done["essays"], [each.split(":")[0] for each in done["problems"]]) == (2, ["Zoe", "ben"])
    assert [(row["name"], row["progress"]) for row in before] == [("Ada Lovelace", "waiting"), ("Ben", "waiting")]
    ready = rows(stein, assignment["id"])
    assert [row["progress"] for row in ready] == ["ready", "ready"]
    students = call(stein, "GET", f"/classes/{assignment['class_id']}")["students"]
    ada = library.app.test_client()
    ada.post("/join", data={"code": students[0]["code"]}, headers=OURS)
    assert call(ada, "GET", f"/feedback/{ready[0]['feedback']}")["state"] == "waiting for approval"
    call(stein, "POST", f"/assignments/{assignment['id']}/release", {})
    assert call(ada, "GET", f"/feedback/{ready[0]['feedback']}")["approved"]
    assert f'data-assignment="{assignment["id"]}"' in ada.get(f"/essay?version_of={ready[0]['feedback']}").text
    assert status_of(ada, "GET", f"/feedback/{ready[1]['feedback']}") == 404


def test_an_upload_asks_before_it_replaces_what_is_a_version_then(library: Site, stein: Caller, assignment: Made) -> None:
    ada, _ = joined(library, assignment["join_code"], "Ada Lovelace")
    first = handed_in(library, ada, assignment["id"])
    call(stein, "PUT", f"/feedback/{first}/edits", {"note": "Well done.", "grade": "2"})

    asked = upload(stein, assignment["id"], TWO, replace=False)

    assert (asked.status_code, asked.get_json()["values"]) == (409, {"added": "Ben", "names": "Ada Lovelace"})
    [row] = rows(stein, assignment["id"])  # without Ben, too
    assert (row["feedback"], row["note"], row["grade_given"]) == (first, "Well done.", "2")
    uploaded(stein, assignment["id"])
    wait_for_essays(library.parts.batches)
    ada_row, ben = rows(stein, assignment["id"])
    assert [(row["name"], row["essay_version"]) for row in (ada_row, ben)] == [("Ada Lovelace", 2), ("Ben", 1)]
    assert [ada_row[part] for part in ("note", "grade_given", "graded_version")] == ["Well done.", "2", 1]
    assert (
        "2 (Version 1)"
        in browser_of(library, "okri@school.example", KeyScope.TEACHER)
        .get(f"/essay/assignments/{assignment['id']}?students=all")
        .text
    )
    assert call(stein, "GET", f"/feedback/{first}")["note"] == "Well done."


def test_a_text_that_is_there_keeps_its_feedback_and_others_are_added(library: Site, stein: Caller, assignment: Made) -> None:
    joined(library, assignment["join_code"], "Ben")
    uploaded(stein, assignment["id"])
    wait_for_essays(library.parts.batches)
    before = rows(stein, assignment["id"])

    for more in ("", '{"id": "Zoe", "text": "So it is."}\n'):
        assert upload(stein, assignment["id"], TWO + more, replace=bool(more)).status_code == 201
        assert rows(stein, assignment["id"])[:2] == before
    assert [row["name"] for row in rows(stein, assignment["id"])] == ["Ben", "Lovelace Ada", "Zoe"]


def test_a_student_added_again_has_their_essays_and_a_namesake_none(library: Site, stein: Caller, assignment: Made) -> None:
    names, students = {"names": "Fred"}, f"/classes/{assignment['class_id']}/students"
    [fred] = call(stein, "POST", students, names)["students"]
    uploaded(stein, assignment["id"], '{"id": "Fred", "text": "Cats sleep all day."}\n')
    wait_for_essays(library.parts.batches)
    [before] = rows(stein, assignment["id"])

    call(stein, "DELETE", f"{students}/{fred['id']}")
    namesake, personal = joined(library, assignment["join_code"], "Fred")
    assert [call(namesake, "GET", "/essays/mine")["essays"], rows(stein, assignment["id"])[0]["feedback"]] == [[], None]
    [there] = call(stein, "GET", f"/classes/{assignment['class_id']}")["students"]
    call(stein, "DELETE", f"{students}/{there['id']}")
    assert status_of(namesake, "GET", "/essays/mine") == 401  # who was known by a code alone is gone
    assert library.app.test_client().post("/join", data={"code": personal}, headers=OURS).status_code == 404
    call(stein, "POST", students, names)

    assert rows(stein, assignment["id"]) == [before]


def test_who_joins_under_a_name_that_a_student_had_takes_no_place(library: Site, stein: Caller, assignment: Made) -> None:
    students = f"/classes/{assignment['class_id']}/students"
    [fred] = call(stein, "POST", students, {"names": "Fred, fred@school.example"})["students"]
    call(stein, "PUT", f"{students}/{fred['id']}", {"name": "Freddy"})

    joined(library, assignment["join_code"], "Fred")

    there = call(stein, "GET", f"/classes/{assignment['class_id']}")["students"]
    assert [each["name"] for each in there] == ["Fred", "Freddy"]


def test_a_lecture_is_on_its_class_page_while_shared(library: Site, stein: Caller, assignment: Made, ada: FlaskClient) -> None:
    other, _ = joined(library, an_assignment(stein, class_name="9c")["join_code"], "Ben")
    details = {"name": "Harm principle", "class_id": assignment["class_id"]}
    lecture = call(stein, "POST", "/sessions", details)
    assert "Harm principle" not in ada.get("/").text

    code = call(stein, "PUT", f"/sessions/{lecture['id']}", details | {"shared": True})["code"]

    assert f"/lecture?code={code}" in ada.get("/").text
    assert "Harm principle" not in other.get("/").text


def test_an_assignments_cost_is_estimated_counted_and_limited(library: Site, ledger: SqlLedger) -> None:
    with language_server() as server:
        server.reply = as_simulated
        paid = PaidModel(server.openai(), ledger, Price(1, 1), ceiling=10**9)
        batches = library.parts.batches
        essays = replace(batches.essays, writing=replace(batches.essays.writing, paid=paid, seconds=60))
        site = library.but(batches=replace(batches, essays=essays))
        parts, stein = site.parts, site.caller(KeyScope.TEACHER)
        assignment = an_assignment(stein, cost_limit=0)
        path, shown = f"/assignments/{assignment['id']}", f"/essay/assignments/{assignment['id']}"
        uploaded(stein, assignment["id"])
        wait_for_essays(parts.batches)
        assert (server.asked, call(stein, "GET", f"{path}/cost")["spent"]) == ([], 0)
        admin = browser_of(site, "head@school.example", KeyScope.ADMIN)
        assert "work for 2 of the last 2 essays" in admin.get("/").text

        call(stein, "PUT", path, {"title": "Free speech", "cost_limit": 2.5, "course_limit": 30})
        call(stein, "PUT", path, {"title": "Free speech"})
        uploaded(stein, assignment["id"], TWO.replace("uncle", "aunt"))
        wait_for_essays(parts.batches)

        cost = call(stein, "GET", f"{path}/cost")
        teacher = browser_of(site, "stein@school.example", KeyScope.TEACHER)
        assert (cost["essay"], cost["class_essays"], cost["limit"]) == (0.0135, 0.027, 2.5)
        assert 0 < cost["spent"] == ledger.spent("school", paid.today()) / 1e6
        assert "Limit: 2.5" in teacher.get(shown).text
        assert 'value="2.5"' in (form := teacher.get(shown).text)
        assert 'value="30.0"' in form
        other = an_assignment(stein, title="Another", class_id=assignment["class_id"])
        theirs = call(stein, "GET", f"/assignments/{other['id']}/cost")
        assert (theirs["spent"], theirs["course_spent"], theirs["course_limit"]) == (0, cost["spent"], 30)
        kept = parts.assignments.assignment("school", assignment["id"])
        parts.assignments.keep_assignment(replace(kept, class_id=None, code=None))
        without_course = teacher.get(shown).text
        assert ("Spent so far" in without_course, 'name="course_limit"' in without_course) == (True, False)
        for limit, status in (("course_limit", 400), ("cost_limit", 200)):
            assert stein("PUT", f"/api/v1{path}", {"title": "Free speech", limit: 3}).status_code == status


def test_the_pages_of_an_assignment_are_there_and_it_is_changed(library: Site, stein: Caller) -> None:
    assignment = an_assignment(stein, instructions="Take <b>a</b> side.")
    teacher = browser_of(library, "stein@school.example", KeyScope.TEACHER)
    at = f"/essay/assignments/{assignment['id']}"

    assert f'href="{at}"' in teacher.get("/essay/assignments").text
    shown = teacher.get(at).text
    assert assignment["join_code"] in shown
    assert "costs about" not in shown
    assert stein("GET", f"/api/v1/assignments/{assignment['id']}/cost").status_code == 404
    assert "<svg" in shown
    assert "Take &lt;b&gt;a&lt;/b&gt; side." in shown
    details = {"title": "Custom", "rubric": "A reason", "release": "at_once"}
    changed = call(stein, "PUT", f"/assignments/{assignment['id']}", details)
    assert (changed | details, changed["instructions"]) == (changed, "")
    assert (changed["class_id"], changed["join_code"]) == (assignment["class_id"], assignment["join_code"])
    stranger = browser_of(library, "head@another.example", KeyScope.ADMIN, school="another")
    assert [stranger.get(path).status_code for path in (at, f"{at}/essays/x")] == [404] * 2


def test_versions_are_listed_and_a_later_one_tells_what_became_of_the_first_comments(library: Site, stein: Caller) -> None:
    assignment = an_assignment(stein, release="at_once")
    ada, _ = joined(library, assignment["join_code"], "Ada")
    first = handed_in(library, ada, assignment["id"], f"{ESSAY} The goverment does not beleive it, wich is a pity.")

    second = handed_in(library, ada, assignment["id"], f"{ESSAY} So everyone may speak.")

    lists = [call(who, "GET", f"/feedback/{id}/versions")["feedback"] for who in (ada, stein) for id in (first, second)]
    assert [[one["id"] for one in each] for each in lists] == [[first, second]] * 4
    assert status_of(joined(library, assignment["join_code"], "Ben")[0], "GET", f"/feedback/{first}/versions") == 404
    row, _ = rows(stein, assignment["id"])
    assert (row["essay_version"], row["progress"], row["in_short"]["earlier"] > 0) == (2, "visible", True)


def test_the_table_of_a_class_has_a_row_per_student(library: Site, stein: Caller) -> None:
    assignment = an_assignment(stein, rubric="Structure\t4\t4: clear\t1: vague\nStyle\t6")
    text = f"{ESSAY} The goverment does not see it. I dont and they dont."
    feedback = handed_in(library, joined(library, assignment["join_code"], "=Ada")[0], assignment["id"], text)
    call(stein, "POST", f"/classes/{assignment['class_id']}/students", {"names": "Zoe\n"})
    levels = [{"criterion": "Structure", "level": "1: vague"}, {"criterion": "Style", "level": "mostly"}]
    call(stein, "PUT", f"/feedback/{feedback}/edits", {"grade": "2+", "note": "Well done.", "levels": levels})

    path = f"/api/v1/assignments/{assignment['id']}/students.csv"
    answers = [stein("GET", path, headers={"Accept-Language": language}) for language in ("en", "de")]
    tables = [answer.data.decode("utf-8-sig") for answer in answers]

    ada, zoe = list(csv.DictReader(tables[0].splitlines()))
    assert (ada["student"], ada["progress"], ada["version"], ada["grade"]) == ("'=Ada", "ready", "1", "2+")
    desk = call(stein, "GET", f"/feedback/{feedback}")
    assert [one["text"] in ada["first_need"] for one in desk["comments"] if one["number"] == desk["start"]] == [True]
    assert (desk["comments"][0]["kind"], ada["first_need"][:4]) == ("passage", "dont")  # a passage is only offered
    assert (ada["note"], ada["Structure"], zoe["Structure"]) == ("Well done.", "1: vague", "")
    assert [each[key] for each in (ada, zoe) for key in ("points", "most_points")] == ["5", "10", "", ""]
    assert (zoe["student"], zoe["progress"], zoe["submitted"], zoe["version"], zoe["grade"]) == ("Zoe", "missing", "", "", "")
    assert tables[1].startswith("student;email;")
    okri = browser_of(library, "okri@school.example", KeyScope.TEACHER)
    own = ZipFile(BytesIO(okri.get("/api/v1/me/data.zip").data))
    assert own.read("assignments/001.csv").decode("utf-8-sig") == tables[0]
    assert b"Structure" in own.read("assignments/001.json")


def test_the_feedback_of_a_class_comes_as_one_archive(library: Site, stein: Caller, assignment: Made) -> None:
    for name in ("Ada Lovelace", "../Ben: <Okri>"):
        handed_in(library, joined(library, assignment["join_code"], name)[0], assignment["id"])

    data = stein("GET", f"/api/v1/assignments/{assignment['id']}/feedback.zip").data

    archive = ZipFile(BytesIO(data))
    assert archive.testzip() is None
    assert archive.namelist() == ["students.csv", "01 Ben_ _Okri.pdf", "02 Ada Lovelace.pdf"]
    assert broken(archive.read("02 Ada Lovelace.pdf")) == []


def test_a_teacher_starts_with_what_waits(library: Site, stein: Caller) -> None:
    teacher = browser_of(library, "stein@school.example", KeyScope.TEACHER)
    assert "Nothing at the moment." in teacher.get("/").text
    assignment = an_assignment(stein)
    handed_in(library, joined(library, assignment["join_code"], "Ada")[0], assignment["id"])
    uploaded(stein, assignment["id"])
    wait_for_essays(library.parts.batches)

    before = " ".join(teacher.get("/").text.split())
    call(stein, "POST", f"/assignments/{assignment['id']}/release", {})
    after = teacher.get("/").text

    assert "3 ready to release" in before
    assert "3 of 3 handed in" in " ".join(teacher.get("/essay/assignments").text.split())
    assert "ready to release" not in after


def test_an_admin_starts_with_what_the_school_lacks(library: Site) -> None:
    admin = browser_of(library, "head@school.example", KeyScope.ADMIN)

    alone = admin.get("/").text
    teacher = browser_of(library, "stein@school.example", KeyScope.TEACHER)

    assert "Nobody else can sign in yet." in alone
    assert "Nobody else can sign in yet." not in admin.get("/").text
    assert "Invite your colleagues" not in teacher.get("/").text


def test_a_student_without_an_address_signs_in_by_code_and_comes_back_to_the_page(library: Site, assignment: Made) -> None:
    _, personal = joined(library, assignment["join_code"], "Ada")
    browser = library.app.test_client()

    asked = browser.get("/sign-in?next=/essay/mine&ended=1").text
    shown = browser.get("/join?next=/essay/mine").text
    entered = browser.post("/join", data={"code": personal, "next": "/essay/mine"}, headers=OURS)
    away = library.app.test_client().post("/join", data={"code": personal, "next": "//evil.example"}, headers=OURS)

    assert 'href="/join?next=/essay/mine"' in asked
    assert '<input type="hidden" name="next" value="/essay/mine">' in shown
    assert entered.location == "/essay/mine"
    assert away.location == "/"


def test_a_student_starts_with_what_is_due_and_what_came_back(library: Site, stein: Caller, assignment: Made) -> None:
    ada, _ = joined(library, assignment["join_code"], "Ada <b>")
    empty = ada.get("/").text
    feedback = handed_in(library, ada, assignment["id"])

    waits = ada.get("/").text
    call(stein, "POST", f"/assignments/{assignment['id']}/release", {})
    back = ada.get("/").text

    assert "Free speech" in empty
    assert 0 < empty.index("not handed in yet") < empty.index("Practise")
    assert "Hello, Ada &lt;b&gt;" in empty
    assert [page.count("Waiting for your teacher") for page in (waits, back)] == [1, 0]
    assert [page.count("Released by your teacher on") for page in (waits, back)] == [0, 2]
    assert f"/essay/mine/{feedback}" in back
    assert f'data-assignment="{assignment["id"]}"' in ada.get(f"/essay?version_of={feedback}").text
    assert "data-assignment" not in ada.get("/essay?version_of=abc").text
    assert "Ada" not in browser_of(library, "ben@school.example").get("/").text


def test_the_samples_are_there_to_try(library: Site) -> None:
    teacher, student = browser_of(library, "stein@school.example", KeyScope.TEACHER), browser_of(library, "ben@school.example")

    assert teacher.get("/samples/on-liberty.pdf").data.startswith(b"%PDF")
    assert student.get("/samples/on-liberty.pdf").status_code == 403
    assert "Should people be aloud" in student.get("/essay?sample").text
    assert "Should people be aloud" not in student.get("/essay").text


def person(site: Site, name: str) -> Person:
    [found] = [each for each in site.parts.sign_in.people.of_school("school") if each.name == name]
    return found


def test_the_pages_of_a_student_name_the_books_of_their_assignments_and_a_teacher_has_no_choice(library: Site) -> None:
    stein = library.caller(KeyScope.TEACHER)
    [book] = library.services.catalog.books("school")
    ada, _ = joined(library, an_assignment(stein, books=[book.id])["join_code"], "Ada")
    ben, _ = joined(library, an_assignment(stein, class_name="9c")["join_code"], "Ben")
    assert book.title in ada.get("/").text
    assert "data-of-class" not in ada.get("/ask").text

    use_in(Collection.DOCUMENTS, book, key_of(book), library.parts.intake)

    assert f"""data-of-class='["{book.id}"]'""" in ada.get("/ask").text
    assert "data-of-class" not in ben.get("/ask").text
    library.parts.sign_in.people.keep(replace(person(library, "Ada"), role=KeyScope.TEACHER))
    assert "data-of-class" not in ada.get("/ask").text


@pytest.mark.parametrize(
    ("cell", "harmless"),
    [
        *(
            (cell, f"'{cell}")
            for cell in ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "  =1+1", "\x0b=1", "\x1c+1", "\uff1d1+1")
        ),
        ("x;=1+1", "x;'=1+1"),
        ("x|@SUM(A1)", "x|'@SUM(A1)"),
        ('x;"=1+1"', 'x;\'"=1+1"'),
        ("line\n-1", "line\n'-1"),
        ("x\t=1", "x\t'=1"),
        ("A well-known point, and 1 + 1 = 2; good.", "A well-known point, and 1 + 1 = 2; good."),
    ],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(cell: str, harmless: str) -> None:
    [row] = csv.reader(io.StringIO(csv_table([(cell, 1, "Fine.")]).decode("utf-8-sig"), newline=""))

    assert row == [harmless, "1", "Fine."]
