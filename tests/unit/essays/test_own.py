"""What somebody who is signed in handed in themselves."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from chapterverse.accounts.model import SchoolSettings
from chapterverse.web.app import create_app
from tests.support.browsers import browser_of
from tests.support.shelved import shelve
from tests.support.web import ESSAY, Caller, Site, web_parts

MINE = "/api/v1/essays/mine"
KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Site]:
    """Where a teacher sees feedback first."""
    with web_parts(tmp_path / "strict") as parts:
        history = replace(parts.essays.history, settings_of=lambda _: SchoolSettings(approval=True))
        approving = replace(parts, essays=replace(parts.essays, history=history))
        shelve(parts.services, "On Liberty", ["Silencing an opinion robs mankind of truth."])
        yield Site(approving, create_app(approving))


@pytest.fixture
def anna(library: Site) -> FlaskClient:
    return browser_of(library, "anna@school.example")


def hand_in(browser: FlaskClient, **more: Any) -> dict[str, Any]:
    answer = browser.post("/api/v1/essays/feedback", json={"essay": ESSAY, **more})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.get_json()
    return told


def mine(browser: FlaskClient) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = browser.get(MINE).get_json()["essays"]
    return listed


def test_a_history_tells_how_each_begins_and_until_when_it_is_kept(anna: FlaskClient) -> None:
    first = hand_in(anna)
    second = hand_in(anna, essay=f"# Speech\n\n{ESSAY}", version_of=first["id"])

    newest, oldest = mine(anna)

    assert [each["id"] for each in (newest, oldest)] == [second["id"], first["id"]]
    assert (newest["title"], newest["version_of"]) == ("Speech", first["id"])
    assert (oldest["begins"], oldest["words"], oldest["version_of"]) == (ESSAY, len(ESSAY.split()), None)
    assert oldest["created"] < oldest["expires"]


def test_nobody_sees_deletes_or_judges_what_another_handed_in(library: Site, anna: FlaskClient) -> None:
    id = hand_in(anna)["id"]
    ben = browser_of(library, "ben@school.example")

    assert mine(ben) == []
    assert hand_in(ben, version_of=id)["id"]
    assert mine(ben)[0]["version_of"] is None
    assert ben.get(f"/api/v1/feedback/{id}").status_code == 404
    assert ben.get(f"/api/v1/feedback/{id}?format=markdown").status_code == 404
    assert ben.delete(f"{MINE}/{id}").status_code == 404
    assert ben.put(f"{MINE}/{id}/thumbs/comment/1", json={"thumb": "up"}).status_code == 404
    assert [each["id"] for each in mine(anna)] == [id]


def test_a_programs_key_owns_nothing(library: Site, student: Caller) -> None:
    id = student("POST", "/api/v1/essays/feedback", {"essay": ESSAY}).get_json()["id"]

    assert student("GET", MINE).get_json() == {"essays": []}
    assert student("DELETE", f"{MINE}/{id}").status_code == 404
    assert student("GET", f"/api/v1/feedback/{id}").status_code == 200


def test_what_its_owner_deletes_is_gone_for_the_teacher_too(library: Site, anna: FlaskClient, teacher: Caller) -> None:
    id = hand_in(anna)["id"]

    assert anna.delete(f"{MINE}/{id}").status_code == 204

    assert mine(anna) == []
    assert teacher("GET", f"/api/v1/feedback/{id}").status_code == 404


def test_thumbs_are_kept_changed_taken_back_and_seen_by_teachers_as_figures(anna: FlaskClient, teacher: Caller) -> None:
    id = hand_in(anna)["id"]
    for part, thumb in (("evidence", "up"), ("comment", "up"), ("comment", "down"), ("evidence", None)):
        assert anna.put(f"{MINE}/{id}/thumbs/{part}/1", json={"thumb": thumb}).status_code == 204

    assert anna.put(f"{MINE}/{id}/thumbs/comment/99", json={"thumb": "up"}).status_code == 404
    assert anna.get(f"/api/v1/feedback/{id}").get_json()["thumbs"] == [{"part": "comment", "number": 1, "thumb": "down"}]
    [listed] = teacher("GET", "/api/v1/feedback").get_json()["feedback"]
    assert listed["thumbs"] == {"up": 0, "down": 1}


def test_a_teachers_choice_is_seen_and_told(anna: FlaskClient, teacher: Caller) -> None:
    id = hand_in(anna)["id"]
    teacher("PUT", f"/api/v1/feedback/{id}/evidence/1", {"show": "hidden"})

    assert [each["changed"] for each in mine(anna)] == [True]
    assert anna.get(f"/api/v1/feedback/{id}").get_json()["evidence"] == []


def test_an_essay_with_the_same_key_is_written_on_once_and_its_stream_goes_on(library: Site, anna: FlaskClient) -> None:
    events = {"Accept": "text/event-stream"}
    whole = anna.post("/api/v1/essays/feedback", json={"essay": ESSAY, "key": KEY}, headers=events).text
    again = anna.post(
        "/api/v1/essays/feedback", json={"essay": ESSAY, "key": KEY}, headers={**events, "Last-Event-ID": "2"}
    ).text

    assert whole.startswith("id: 1\nevent: evidence\n")
    assert whole.endswith(again)
    assert again.startswith("id: 3\n")
    assert hand_in(anna, key=KEY)["id"] in again
    assert len(mine(anna)) == 1


def test_the_same_key_of_another_is_another_essay(library: Site, anna: FlaskClient) -> None:
    ben = browser_of(library, "ben@school.example")

    assert hand_in(anna, key=KEY)["id"] != hand_in(ben, key=KEY)["id"]


def test_where_a_teacher_has_to_approve_it_waits_in_the_history(strict: Site) -> None:
    anna = browser_of(strict, "anna@school.example")
    answer = anna.post("/api/v1/essays/feedback", json={"essay": ESSAY, "key": KEY}, headers={"Accept": "text/event-stream"})

    assert (answer.status_code, answer.get_json()["state"]) == (202, "waiting for approval")
    assert [(each["id"], each["approved"]) for each in mine(anna)] == [(answer.get_json()["id"], None)]


def test_feedback_that_waits_for_approval_is_named_by_its_id_with_and_without_a_key(strict: Site) -> None:
    anna = browser_of(strict, "anna@school.example")
    answers = [anna.post("/api/v1/essays/feedback", json={"essay": ESSAY, **key}) for key in ({}, {"key": KEY}, {"key": KEY})]
    ids = [answer.get_json()["id"] for answer in answers]

    assert [answer.status_code for answer in answers] == [202, 202, 202]
    assert ids[1] == ids[2]
    assert {each["id"] for each in mine(anna)} == set(ids)
    assert len(mine(anna)) == 2


def test_a_files_text_is_told_and_nothing_of_it_kept(anna: FlaskClient) -> None:
    def sent(data: bytes) -> Any:
        return anna.post("/api/v1/essays/text", data={"file": (BytesIO(data), "essay.txt")})

    assert sent(b"One.\r\n\r\nTwo.").get_json() == {"text": "One.\n\nTwo."}
    assert (sent(b"\x00").status_code, sent(b"x" * (10 * 2**20 + 1)).status_code) == (400, 413)
    assert mine(anna) == []
