import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope, SchoolSettings
from chapterverse.infrastructure.sql.engine import utc_now
from chapterverse.web.app import create_app
from tests.support.pdfs import a_pdf
from tests.support.shelved import shelve
from tests.support.web import ESSAY, Caller, Site, shelve_pdf, web_parts

FEEDBACK = "/api/v1/feedback"


@pytest.fixture
def given(student: Caller) -> dict[str, Any]:
    """What a student was given."""
    feedback: dict[str, Any] = student("POST", "/api/v1/essays/feedback", {"essay": ESSAY}).get_json()
    return feedback


def test_a_student_comes_back_to_feedback_by_its_id(student: Caller, given: dict[str, Any]) -> None:
    kept = student("GET", f"{FEEDBACK}/{given['id']}").get_json()

    assert {name: kept[name] for name in given} == given
    assert kept["created"] < kept["expires"]


def test_the_stream_tells_the_id_at_its_end(student: Caller) -> None:
    stream = student("POST", "/api/v1/essays/feedback", {"essay": ESSAY}, {"Accept": "text/event-stream"}).text

    id = json.loads(stream.partition("event: done\ndata: ")[2].partition("\n")[0])["id"]
    assert student("GET", f"{FEEDBACK}/{id}").status_code == 200


@pytest.mark.parametrize(
    ("format", "accept", "begins"),
    [
        ("markdown", "text/markdown", b"# feedback"),
        ("html", "text/html", b"<!doctype html>"),
        ("pdf", "application/pdf", b"%pdf-"),
        ("json", "application/json", b"{"),
    ],
)
def test_it_is_given_in_the_form_asked_for(empty_site: Site, format: str, accept: str, begins: bytes) -> None:
    shelve_pdf(empty_site.services, a_pdf("Silencing an opinion robs mankind of truth."))
    student = empty_site.caller()
    at = f"{FEEDBACK}/{student('POST', '/api/v1/essays/feedback', {'essay': ESSAY}).get_json()['id']}"

    by_accept, by_name = student("GET", at, headers={"Accept": accept}), student("GET", at, query_string={"format": format})

    for answer in (by_accept, by_name):
        assert answer.content_type.startswith(accept)
        assert answer.data.lower().startswith(begins)


def test_a_form_that_there_is_not_is_refused(student: Caller, given: dict[str, Any]) -> None:
    at = f"{FEEDBACK}/{given['id']}"

    assert student("GET", at, headers={"Accept": "image/png"}).status_code == 406
    assert student("GET", at, query_string={"format": "docx"}).status_code == 400


def test_a_teacher_sees_what_there_is_the_newest_first(teacher: Caller, student: Caller, given: dict[str, Any]) -> None:
    newer = student("POST", "/api/v1/essays/feedback", {"essay": f"# Speech\n\n{ESSAY}"}).get_json()

    listed = teacher("GET", FEEDBACK).get_json()["feedback"]
    before = teacher("GET", FEEDBACK, query_string={"before": listed[0]["created"]}).get_json()["feedback"]

    told = [(each["id"], each["title"], each["begins"]) for each in listed]
    assert told == [(newer["id"], "Speech", ESSAY), (given["id"], None, ESSAY)]
    assert before == listed[1:]


def test_deleted_feedback_is_gone_at_once_for_everybody(teacher: Caller, student: Caller, given: dict[str, Any]) -> None:
    assert teacher("DELETE", f"{FEEDBACK}/{given['id']}").status_code == 204

    assert teacher("GET", FEEDBACK).get_json() == {"feedback": []}
    for caller in (student, teacher):
        assert caller("GET", f"{FEEDBACK}/{given['id']}").status_code == 404


def test_hidden_evidence_goes_with_what_stood_on_it_and_comes_back(
    teacher: Caller, student: Caller, given: dict[str, Any]
) -> None:
    at = f"{FEEDBACK}/{given['id']}"

    assert teacher("PUT", f"{at}/evidence/1", {"show": "hidden"}).status_code == 204
    hidden = student("GET", at).get_json()
    forms = [student("GET", at, query_string={"format": format}).text for format in ("markdown", "html")]
    assert teacher("PUT", f"{at}/evidence/1", {}).status_code == 204

    assert (hidden["evidence"], hidden["section"], hidden["comments"]) == ([], None, [])
    assert [each for each in forms if "Silencing an opinion" in each] == []
    assert [paragraph["evidence"] for paragraph in hidden["paragraphs"]] == [[]]
    assert student("GET", at).get_json()["evidence"] == given["evidence"]


def test_another_sentence_of_the_books_stands_in_its_place_under_its_number(
    teacher: Caller, student: Caller, given: dict[str, Any], sentence: str
) -> None:
    at, other = f"{FEEDBACK}/{given['id']}", sentence.replace("-1", "-2")

    assert teacher("PUT", f"{at}/evidence/1", {"sentence": other}).status_code == 204

    shown = student("GET", at).get_json()
    assert [(each["number"], each["sentence"]["text"]) for each in shown["evidence"]] == [(1, "So much is certain.")]
    assert [each["number"] for each in shown["comments"]] == [each["number"] for each in given["comments"]]
    assert [each["evidence"] for each in shown["comments"]] == [[1]]


def test_a_sentence_that_is_in_no_book_of_the_school_cannot_stand_there(teacher: Caller, given: dict[str, Any]) -> None:
    for body in ({"sentence": "0123456789abcdef-0-0"}, {"sentence": "Words of mine."}):
        assert teacher("PUT", f"{FEEDBACK}/{given['id']}/evidence/1", body).status_code == 404
    assert teacher("PUT", f"{FEEDBACK}/{given['id']}/evidence/9", {"show": "hidden"}).status_code == 404


def test_where_approval_is_on_students_wait_for_a_teacher(tmp_path: Path) -> None:
    with web_parts(tmp_path) as parts:
        history = replace(parts.essays.history, settings_of=lambda _: SchoolSettings(approval=True))
        strict = replace(parts, essays=replace(parts.essays, history=history))
        running = Site(strict, create_app(strict))
        shelve(running.services, "On Liberty", ["Silencing an opinion robs mankind of truth."])
        student, teacher = running.caller(), running.caller(KeyScope.TEACHER)

        told = student("POST", "/api/v1/essays/feedback", {"essay": ESSAY}, {"Accept": "text/event-stream"})
        at = f"{FEEDBACK}/{told.get_json()['id']}"
        waiting = student("GET", at)
        listed = teacher("GET", FEEDBACK).get_json()["feedback"]
        teacher("PUT", f"{at}/approval", {"approved": True})

        assert (told.status_code, waiting.status_code, set(waiting.get_json())) == (202, 202, {"id", "state"})
        assert [each["approved"] for each in listed] == [None]
        assert student("GET", at).get_json()["comments"]
        teacher("PUT", f"{at}/approval", {"approved": False})
        assert student("GET", at).status_code == 202


def test_a_schools_own_days_end_its_feedback_in_lists_as_well(tmp_path: Path) -> None:
    with web_parts(tmp_path) as parts:
        later = utc_now() + timedelta(days=3)
        shorter = replace(parts.essays.history, settings_of=lambda _: SchoolSettings(keep_days=2))
        running = Site(parts, create_app(replace(parts, essays=replace(parts.essays, history=shorter))))
        aged = create_app(replace(parts, essays=replace(parts.essays, history=replace(shorter, now=lambda: later))))
        shelve(running.services, "On Liberty", ["Silencing an opinion robs mankind of truth."])
        id = running.caller()("POST", "/api/v1/essays/feedback", {"essay": ESSAY}).get_json()["id"]

        before, after = running.caller(KeyScope.TEACHER), Site(parts, aged).caller(KeyScope.TEACHER)

        assert [each["id"] for each in before("GET", FEEDBACK).get_json()["feedback"]] == [id]
        assert after("GET", FEEDBACK).get_json()["feedback"] == []
        assert after("GET", f"{FEEDBACK}/{id}").status_code == 404


def test_of_two_who_change_the_same_the_second_is_told_and_undoes_nothing(teacher: Caller, given: dict[str, Any]) -> None:
    at = f"{FEEDBACK}/{given['id']}"
    normal, other = {"show": "normal"}, given["evidence"][0]["sentence"]["sentence_id"].replace("-1", "-2")

    first = teacher("PUT", f"{at}/evidence/1", {"show": "hidden", "seen": normal})
    again = teacher("PUT", f"{at}/evidence/1", {"show": "hidden", "seen": normal})
    second = teacher("PUT", f"{at}/evidence/1", {"sentence": other, "seen": normal})
    assert (first.status_code, again.status_code, second.status_code) == (204, 204, 409)
    assert second.get_json()["code"] == "changed_meanwhile"

    assert teacher("PUT", f"{at}/approval", {"approved": False, "seen": True}).status_code == 204
    assert teacher("PUT", f"{at}/approval", {"approved": True, "seen": True}).status_code == 409
    told = teacher("GET", at).get_json()
    assert told["choices"][0]["show"] == "hidden"


def test_what_a_teacher_has_hidden_or_replaced_is_still_told_to_teachers_alone(
    teacher: Caller, student: Caller, given: dict[str, Any]
) -> None:
    at = f"{FEEDBACK}/{given['id']}"
    teacher("PUT", f"{at}/evidence/1", {"show": "hidden"})

    [choice] = teacher("GET", at).get_json()["choices"]

    assert choice["found"]["sentence"]["text"] == given["evidence"][0]["sentence"]["text"]
    assert student("GET", at).get_json()["choices"] == []
    assert student("GET", at).get_json()["changed"] is True


def test_a_sentence_once_put_there_outlives_its_book(
    library: Site, teacher: Caller, given: dict[str, Any], sentence: str
) -> None:
    at, other = f"{FEEDBACK}/{given['id']}/evidence/1", sentence.replace("-1", "-2")
    teacher("PUT", at, {"sentence": other})
    for book in library.services.catalog.books("school"):
        library.services.catalog.retire("school", book.id)

    assert teacher("PUT", at, {"sentence": other, "show": "hidden"}).status_code == 204
    assert teacher("PUT", at, {"sentence": sentence}).status_code == 404


def test_a_teacher_is_offered_other_sentences(teacher: Caller, student: Caller, given: dict[str, Any]) -> None:
    at = f"{FEEDBACK}/{given['id']}/evidence"

    offered = teacher("POST", f"{at}/1/candidates", {}).get_json()["candidates"]
    looked_for = teacher("POST", f"{at}/1/candidates", {"words": "So much is certain", "limit": 1}).get_json()["candidates"]

    assert given["evidence"][0]["sentence"]["sentence_id"] not in [one["sentence"]["sentence_id"] for one in offered]
    assert [one["sentence"]["text"] for one in looked_for] == ["So much is certain."]
    assert teacher("POST", f"{at}/1/candidates", {"book": "no-such-book"}).status_code == 404
    assert teacher("POST", f"{at}/9/candidates", {}).status_code == 404
    assert student("POST", f"{at}/1/candidates", {}).status_code == 403
