"""Documents of the help desk over HTTP, a department's or everybody's."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from tests.support.web import Caller, Site, site

RULES = b"Theses are bound in blue."
AT = "/api/v1/collections/helpdesk/sources"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path) as site_:
        yield site_


@pytest.fixture
def teacher(running: Site) -> Caller:
    return running.caller(KeyScope.TEACHER)


def hand_in(teacher: Caller, text: bytes = RULES, name: str = "rules.pdf", **fields: str) -> TestResponse:
    return teacher.send(AT, text, name, **fields)


def asked(running: Site, question: str = "Are theses bound in blue?", **facts: Any) -> dict[str, Any]:
    student = running.caller()
    id = student("POST", "/api/v1/conversations", {"user": "u-1"} | facts).get_json()["id"]
    told: dict[str, Any] = student("POST", f"/api/v1/conversations/{id}/messages", {"message": question}).get_json()
    return told


def test_a_document_is_accepted_at_once_read_meanwhile_and_answers(running: Site, teacher: Caller) -> None:
    accepted = hand_in(teacher)
    told = accepted.get_json()
    assert (accepted.status_code, teacher("GET", told["progress"]).get_json()["state"]) == (202, "waiting")

    running.do_tasks()

    ready = teacher("GET", told["progress"]).get_json()
    assert (ready["state"], ready["file"], ready["department"]) == ("ready", "rules.pdf", None)
    [source] = asked(running)["sources"]
    facts = {name: source[name] for name in ("source_type", "source_id", "title", "department_id")}
    assert facts == {"source_type": "pdf", "source_id": "rules", "title": "Printed Title", "department_id": None}
    assert source["pages"][0]["page_label"] == "vii"


def test_a_departments_document_is_found_by_it_and_by_those_of_none(running: Site, teacher: Caller) -> None:
    physics = hand_in(teacher, department="physics").get_json()
    chemistry = hand_in(teacher, b"Reports are bound in green.", department="chemistry").get_json()
    running.do_tasks()

    assert physics["source"] != chemistry["source"]
    departments = {each["department"] for each in teacher("GET", AT).get_json()["sources"]}
    assert departments == {"physics", "chemistry"}
    [source] = asked(running, department="physics")["sources"]
    assert source["department_id"] == "physics"
    assert asked(running, department="chemistry")["no_relevant_info"]
    assert not asked(running)["no_relevant_info"]


@pytest.mark.parametrize(("name", "fields"), [("faq.json", {}), ("rules.pdf", {"department": "x" * 61})])
def test_what_is_no_document_is_refused(teacher: Caller, name: str, fields: dict[str, str]) -> None:
    assert hand_in(teacher, name=name, **fields).status_code == 400
