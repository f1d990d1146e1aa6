"""The help desk over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from chapterverse.infrastructure.quotas import MemoryTokenBuckets
from tests.support.made import Clock
from tests.support.web import Caller, Site, site

API = "/api/v1"
QUESTION, ANSWER = "What is the fee of a late project?", "The fee of a late project is 25 euros."


def begun(caller: Caller, **facts: Any) -> str:
    return str(caller("POST", f"{API}/conversations", {"user": "u-1"} | facts).get_json()["id"])


def asks(caller: Caller, id: str, message: str = QUESTION) -> Any:
    return caller("POST", f"{API}/conversations/{id}/messages", {"message": message})


def entry(teacher: Caller, **facts: Any) -> str:
    """One that is found."""
    draft = teacher("POST", f"{API}/faq", {"question": QUESTION, "answer": ANSWER} | facts)
    assert draft.status_code == 201
    id = str(draft.get_json()["id"])
    assert teacher("PUT", f"{API}/faq/approval", {"entries": [id], "approved": True, "read": True}).status_code == 200
    return id


def sent_list(teacher: Caller, *entries: dict[str, str], **more: str) -> TestResponse:
    """The answer to a list of entries sent as a file."""
    return teacher.send(f"{API}/faq/lists", json.dumps(entries).encode(), "faq.json", **more)


def test_where_nothing_is_found_an_agent_answers_until_all_is_forgotten(student: Caller, teacher: Caller) -> None:
    id = begun(student, names=["Ada"])
    told = asks(student, id, "Where do quokkas sleep, asks Ada?").get_json()
    assert (told["no_relevant_info"], told["sources"]) == (True, [])
    assert "Talk to Human" in told["reply"]

    assert student("POST", f"/api/v1/conversations/{id}/handoff").status_code == 202
    [waiting] = teacher("GET", f"{API}/inbox").get_json()["conversations"]
    assert waiting["id"] == id
    teacher("POST", f"{API}/conversations/{id}/replies", {"message": "In the stable, Ada."})
    assert teacher("GET", f"{API}/inbox").get_json()["conversations"] == []
    assert student("GET", f"{API}/conversations/{id}").get_json()["turns"][-1]["text"] == "In the stable, Ada."

    draft = teacher("POST", f"{API}/conversations/{id}/entry").get_json()
    assert (draft["question"], draft["answer"]) == ("Where do quokkas sleep, asks <PERSON>?", "In the stable, <PERSON>.")
    assert (draft["type"], draft["approved"]) == ("resolved_query", None)
    assert student("DELETE", f"{API}/conversations/{id}").status_code == 204
    assert asks(student, id).status_code == 404


def test_entries_can_be_read_changed_and_removed(teacher: Caller) -> None:
    id = entry(teacher)

    changed = teacher("PUT", f"{API}/faq/{id}", {"question": QUESTION, "answer": "30 euros.", "department": "physics"})

    assert changed.get_json()["approved"] is None
    [stored] = teacher("GET", f"{API}/faq").get_json()["entries"]
    assert (stored["id"], stored["answer"]) == (id, "30 euros.")
    assert teacher("DELETE", f"{API}/faq/{id}").status_code == 204
    assert teacher("GET", f"{API}/faq").get_json() == {"entries": []}


def test_messages_are_counted(tmp_path: Path) -> None:
    with site(tmp_path, requests_per_minute=1000) as running:
        student = running.but(rates=MemoryTokenBuckets(Clock())).caller()
        first, second, third = (begun(student) for _ in range(3))

        told = [asks(student, id, "Hello there?") for id in (*[first] * 11, *[second] * 10, third)]

        assert [each.status_code for each in told] == [*[200] * 10, 429, *[200] * 10, 429]
        assert "per conversation" in told[10].get_json()["detail"]
        assert "per person" in told[-1].get_json()["detail"]
        assert int(told[-1].headers["Retry-After"]) > 0
        assert asks(student, begun(student, user="u-2"), "Hello there?").status_code == 200


def test_a_list_is_drafts_or_indexed_in_the_background(library: Site, student: Caller, teacher: Caller) -> None:
    one = {"question": QUESTION, "answer": ANSWER, "source_id": "fee"}
    listed = sent_list(teacher, one).get_json()
    assert (listed["added"], listed["entries"][0]["approved"], listed["sources"]) == (1, None, [])
    assert asks(student, begun(student)).get_json()["no_relevant_info"]

    taken = sent_list(teacher, one, approved="true")
    again, [indexing] = taken.get_json(), taken.get_json()["sources"]
    assert (taken.status_code, again["added"], again["unchanged"]) == (202, 0, 1)
    assert teacher("GET", indexing["progress"]).get_json()["state"] == "indexing"
    assert asks(student, begun(student)).get_json()["no_relevant_info"]

    library.do_tasks()

    assert teacher("GET", indexing["progress"]).get_json()["state"] == "ready"
    [source] = asks(student, begun(student)).get_json()["sources"]
    assert (source["source_type"], source["source_id"], source["title"]) == ("faq", "fee", QUESTION)


def test_a_list_of_tickets_may_be_sent_as_a_file_and_names_nobody_and_is_refused_with_its_lines(teacher: Caller) -> None:
    csv = b"question,answer,student\nI am Ada: what is the fee?,It is 25 euros.,Ada Lovelace\n"

    told = teacher.send(f"{API}/faq/lists", csv, "tickets.csv", tickets="true", department="registry").get_json()

    [one] = told["entries"]
    assert one["question"] == "I am <PERSON>: what is the fee?"
    assert (one["type"], one["department"]) == ("resolved_query", "registry")
    problem = teacher.send(f"{API}/faq/lists", b"question,answer\nWhy?,\n", "faq.csv")
    assert problem.status_code == 422
    assert "Line 2: answer is missing" in problem.get_json()["detail"]


def test_several_entries_are_approved_at_once_or_none(student: Caller, teacher: Caller) -> None:
    entries = [{"question": QUESTION, "answer": ANSWER}, {"question": "Who?", "answer": "Nobody."}]
    ids = [each["id"] for each in sent_list(teacher, *entries).get_json()["entries"]]

    assert teacher("PUT", f"{API}/faq/approval", {"entries": [*ids, "0" * 16], "approved": True}).status_code == 404
    assert asks(student, begun(student)).get_json()["no_relevant_info"]

    assert teacher("PUT", f"{API}/faq/approval", {"entries": ids, "approved": True}).status_code == 200
    assert not asks(student, begun(student)).get_json()["no_relevant_info"]


RULES = b"Theses are bound in blue."
AT = "/api/v1/collections/helpdesk/sources"


def hand_in(teacher: Caller, text: bytes = RULES, name: str = "rules.pdf", **fields: str) -> TestResponse:
    return teacher.send(AT, text, name, **fields)


def sources_of_answer(student: Caller, **facts: Any) -> list[dict[str, Any]]:
    return list(asks(student, begun(student, **facts), "Are theses bound in blue?").get_json()["sources"])


def test_a_document_is_accepted_at_once_read_meanwhile_and_answers(library: Site, student: Caller, teacher: Caller) -> None:
    accepted = hand_in(teacher)
    told = accepted.get_json()
    assert (accepted.status_code, teacher("GET", told["progress"]).get_json()["state"]) == (202, "waiting")

    library.do_tasks()

    ready = teacher("GET", told["progress"]).get_json()
    assert (ready["state"], ready["file"], ready["department"]) == ("ready", "rules.pdf", None)
    [source] = sources_of_answer(student)
    facts = {name: source[name] for name in ("source_type", "source_id", "title", "department_id")}
    assert facts == {"source_type": "pdf", "source_id": "rules", "title": "Printed Title", "department_id": None}
    assert source["pages"][0]["page_label"] == "vii"


def test_a_departments_document_is_found_by_it_and_by_those_of_none(library: Site, student: Caller, teacher: Caller) -> None:
    physics = hand_in(teacher, department="physics").get_json()
    chemistry = hand_in(teacher, b"Reports are bound in green.", department="chemistry").get_json()
    library.do_tasks()

    assert physics["source"] != chemistry["source"]
    assert {each["department"] for each in teacher("GET", AT).get_json()["sources"]} == {"physics", "chemistry"}
    [source] = sources_of_answer(student, department="physics")
    assert source["department_id"] == "physics"
    assert sources_of_answer(student, department="chemistry") == []
    assert sources_of_answer(student)


@pytest.mark.parametrize(("name", "fields"), [("faq.json", {}), ("rules.pdf", {"department": "x" * 61})])
def test_what_is_no_document_is_refused(teacher: Caller, name: str, fields: dict[str, str]) -> None:
    assert hand_in(teacher, name=name, **fields).status_code == 400
