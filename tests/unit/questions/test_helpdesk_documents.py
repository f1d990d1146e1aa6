"""Documents of the help desk over HTTP, a department's or everybody's."""

from typing import Any

import pytest
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from tests.support.web import Caller, Site

RULES = b"Theses are bound in blue."
AT = "/api/v1/collections/helpdesk/sources"


@pytest.fixture
def teacher(empty_site: Site) -> Caller:
    return empty_site.caller(KeyScope.TEACHER)


def hand_in(teacher: Caller, text: bytes = RULES, name: str = "rules.pdf", **fields: str) -> TestResponse:
    return teacher.send(AT, text, name, **fields)


def asked(empty_site: Site, question: str = "Are theses bound in blue?", **facts: Any) -> dict[str, Any]:
    student = empty_site.caller()
    id = student("POST", "/api/v1/conversations", {"user": "u-1"} | facts).get_json()["id"]
    told: dict[str, Any] = student("POST", f"/api/v1/conversations/{id}/messages", {"message": question}).get_json()
    return told


def test_a_document_is_accepted_at_once_read_meanwhile_and_answers(empty_site: Site, teacher: Caller) -> None:
    accepted = hand_in(teacher)
    told = accepted.get_json()
    assert (accepted.status_code, teacher("GET", told["progress"]).get_json()["state"]) == (202, "waiting")

    empty_site.do_tasks()

    ready = teacher("GET", told["progress"]).get_json()
    assert (ready["state"], ready["file"], ready["department"]) == ("ready", "rules.pdf", None)
    [source] = asked(empty_site)["sources"]
    facts = {name: source[name] for name in ("source_type", "source_id", "title", "department_id")}
    assert facts == {"source_type": "pdf", "source_id": "rules", "title": "Printed Title", "department_id": None}
    assert source["pages"][0]["page_label"] == "vii"


def test_a_departments_document_is_found_by_it_and_by_those_of_none(empty_site: Site, teacher: Caller) -> None:
    physics = hand_in(teacher, department="physics").get_json()
    chemistry = hand_in(teacher, b"Reports are bound in green.", department="chemistry").get_json()
    empty_site.do_tasks()

    assert physics["source"] != chemistry["source"]
    departments = {each["department"] for each in teacher("GET", AT).get_json()["sources"]}
    assert departments == {"physics", "chemistry"}
    [source] = asked(empty_site, department="physics")["sources"]
    assert source["department_id"] == "physics"
    assert asked(empty_site, department="chemistry")["no_relevant_info"]
    assert not asked(empty_site)["no_relevant_info"]


@pytest.mark.parametrize(("name", "fields"), [("faq.json", {}), ("rules.pdf", {"department": "x" * 61})])
def test_what_is_no_document_is_refused(teacher: Caller, name: str, fields: dict[str, str]) -> None:
    assert hand_in(teacher, name=name, **fields).status_code == 400
