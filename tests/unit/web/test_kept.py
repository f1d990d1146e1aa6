from collections.abc import Callable
from typing import Any

import pytest

from chapterverse.model import KeyScope
from tests.support.web import ESSAY, Caller, Site

FEEDBACK = "/api/v1/feedback"
Ask = Callable[..., dict[str, Any]]


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

    id = stream.partition('event: kept\ndata: {"id": "')[2].partition('"')[0]
    assert student("GET", f"{FEEDBACK}/{id}").status_code == 200


def test_a_teacher_sees_what_there_is_the_newest_first(teacher: Caller, student: Caller, given: dict[str, Any]) -> None:
    newer = student("POST", "/api/v1/essays/feedback", {"essay": f"# Speech\n\n{ESSAY}"}).get_json()

    listed = teacher("GET", FEEDBACK).get_json()["feedback"]
    before = teacher("GET", FEEDBACK, query_string={"before": listed[0]["created"]}).get_json()["feedback"]

    assert [(each["id"], each["title"]) for each in listed] == [(newer["id"], "Speech"), (given["id"], None)]
    assert before == listed[1:]


def test_deleted_feedback_is_gone_at_once_for_everybody(teacher: Caller, student: Caller, given: dict[str, Any]) -> None:
    assert teacher("DELETE", f"{FEEDBACK}/{given['id']}").status_code == 204

    assert teacher("GET", FEEDBACK).get_json() == {"feedback": []}
    for caller in (student, teacher):
        assert caller("GET", f"{FEEDBACK}/{given['id']}").status_code == 404


def test_another_schools_feedback_is_not_there(library: Site, given: dict[str, Any]) -> None:
    stranger = library.caller(KeyScope.ADMIN, school="another")

    for method in ("GET", "DELETE"):
        assert stranger(method, f"{FEEDBACK}/{given['id']}").status_code == 404
    assert stranger("GET", FEEDBACK).get_json() == {"feedback": []}
