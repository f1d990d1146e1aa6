"""Handing in for a course, and the way to its gradebook."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.lti import OURS, TOOL, Course
from tests.support.shelved import shelve
from tests.support.web import ESSAY, wait_for_essays


@pytest.fixture
def assignment(english: Course) -> str:
    return english.chosen()


def call(browser: FlaskClient, method: str, path: str, json: Any = None) -> TestResponse:
    return browser.open(f"/api/v1{path}", method=method, json=json, headers=OURS, base_url=TOOL)


def handed_in(english: Course, assignment: str, user: str = "u-1") -> str:
    """The id of the feedback on what that student hands in."""
    browser, _ = english.signed_in(user)
    answer = call(browser, "PUT", f"/assignments/{assignment}/essay", {"essay": ESSAY})
    assert answer.status_code == 200, answer.text
    wait_for_essays(english.site.parts.batches)
    return str(call(browser, "GET", f"/assignments/{assignment}/essay").get_json()["feedback"])


@pytest.fixture
def teacher(english: Course, assignment: str) -> FlaskClient:
    """Dr Stein's browser, once Anna has handed in."""
    handed_in(english, assignment)
    return english.signed_in("u-9")[0]


def students(browser: FlaskClient, assignment: str) -> list[dict[str, Any]]:
    answer = call(browser, "GET", f"/assignments/{assignment}/students")
    assert answer.status_code == 200, answer.text
    return list(answer.get_json()["students"])


def test_the_course_tells_who_is_to_hand_in_and_feedback_that_is_gone_is_not_offered(english: Course, assignment: str) -> None:
    feedback = handed_in(english, assignment)
    teacher, _ = english.signed_in("u-9")

    anna, ben = students(teacher, assignment)

    assert (anna["student"], anna["name"], anna["feedback"]) == ("u-1", "Anna Berg", feedback)
    assert anna["approved"]
    assert (ben["name"], ben["handed_in"]) == ("Ben Çelik", None)
    call(teacher, "DELETE", f"/feedback/{feedback}")
    anna = students(teacher, assignment)[0]
    assert anna["handed_in"]
    assert anna["feedback"] is None


def test_a_score_reaches_the_gradebook_once_a_change_is_newer_and_a_comment_alone_leaves_the_grading_to_the_platform(
    english: Course, assignment: str, teacher: FlaskClient
) -> None:
    path, told = f"/assignments/{assignment}/score", {"student": "u-1", "given": 10.0, "comment": "Good."}

    first = call(teacher, "PUT", path, told).get_json()
    again = call(teacher, "PUT", path, told).get_json()
    better = call(teacher, "PUT", path, told | {"given": 12.0})
    call(teacher, "PUT", path, {"student": "u-1", "comment": "Read chapter two again."})

    assert again == first
    assert better.status_code == 200
    assert [score.get("scoreGiven") for score in english.platform.scores] == [10.0, 12.0, None]
    sent, *_, alone = english.platform.scores
    assert (sent["userId"], sent["scoreMaximum"]) == ("u-1", 20.0)
    assert sent["comment"].startswith("Good.\nhttps://school.example/")
    assert [(each["activityProgress"], each["gradingProgress"]) for each in (sent, alone)] == [
        ("Completed", "FullyGraded"),
        ("Submitted", "PendingManual"),
    ]
    assert students(teacher, assignment)[0]["score"]["given"] is None


def test_a_column_that_is_missing_is_made_once(english: Course, assignment: str) -> None:
    del english.platform.links["link-1"]["line_item"]
    english.platform.line_items.clear()
    handed_in(english, assignment)
    teacher, _ = english.signed_in("u-9")

    for given in (1.0, 2.0):
        sent = call(teacher, "PUT", f"/assignments/{assignment}/score", {"student": "u-1", "given": given})
        assert sent.status_code == 200, sent.text
        english.signed_in("u-9")  # a launch does not tell of our column

    assert len(english.platform.line_items) == 1
    assert len(english.platform.scores) == 2


@pytest.mark.parametrize(
    ("broken", "status", "says"),
    [
        (500, 503, "learning platform"),
        (429, 503, "learning platform"),
        (403, 502, "learning platform"),
        (0, 502, "no longer has this column"),  # somebody has deleted it
    ],
)
def test_a_platform_that_fails_or_has_no_column_is_said_and_can_be_tried_again(
    english: Course, assignment: str, broken: int, status: int, says: str, teacher: FlaskClient
) -> None:
    columns = dict(english.platform.line_items)
    english.platform.broken = broken
    if not broken:
        english.platform.line_items.clear()
    path, told = f"/assignments/{assignment}/score", {"student": "u-1", "given": 3.0}

    failed = call(teacher, "PUT", path, told)
    english.platform.broken = 0
    english.platform.line_items |= columns
    assert (failed.status_code, call(teacher, "PUT", path, told).status_code) == (status, 200)
    assert says in failed.get_json()["detail"]


def test_tokens_are_used_again_and_a_course_that_tells_no_list_shows_who_has_handed_in(
    english: Course, assignment: str, teacher: FlaskClient
) -> None:
    for _ in range(3):
        students(teacher, assignment)
    assert len(english.platform.tokens) == 1

    english.platform.tokens.clear()

    assert len(students(teacher, assignment)) == 2  # with a new one
    english.platform.broken = 403
    room = call(teacher, "GET", f"/assignments/{assignment}/students").get_json()
    assert room["whole"] is False
    assert [each["name"] for each in room["students"]] == ["Anna Berg"]


def test_our_key_is_rotated_and_the_platform_follows_and_a_score_beyond_the_highest_is_refused(
    english: Course, assignment: str, teacher: FlaskClient
) -> None:
    english.site.parts.lti.keys.rotate(english.site.parts.now(), 0.0)
    path = f"/assignments/{assignment}/score"

    assert [call(teacher, "PUT", path, {"student": "u-1", "given": given}).status_code for given in (21.0, -1.0)] == [400, 400]
    assert english.platform.scores == []
    sent = call(teacher, "PUT", path, {"student": "u-1", "given": 3.0})
    assert sent.status_code == 200, sent.text


def test_who_has_not_handed_in_gets_no_score_and_only_people_hand_in_an_essay(english: Course, assignment: str) -> None:
    program = english.site.caller()
    student, _ = english.signed_in("u-1")
    teacher, _ = english.signed_in("u-9")
    for nobody in ("u-1", "nobody"):
        assert call(teacher, "PUT", f"/assignments/{assignment}/score", {"student": nobody}).status_code == 404
    path = f"/assignments/{assignment}/essay"

    assert program("PUT", f"/api/v1{path}", {"essay": ESSAY}).status_code == 403
    assert call(student, "PUT", path, {"essay": ""}).status_code == 400
    assert call(student, "PUT", "/assignments/none/essay", {"essay": ESSAY}).status_code == 404


def test_the_essay_page_shows_what_is_asked_for(english: Course, assignment: str) -> None:
    student, goal = english.signed_in("u-1")

    page = student.get(goal, base_url=TOOL)

    assert "On liberty" in page.text
    assert "Take a side." in page.text
    assert "Handed in." not in page.text
    handed_in(english, assignment)
    assert "Handed in." in student.get(goal, base_url=TOOL).text


def test_an_assignments_books_are_looked_in_whatever_is_sent(english: Course) -> None:
    shelve(english.site.services, "Other", ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth."))
    assignment = english.chosen(books=["other"])
    student, _ = english.signed_in("u-1")

    def books_of(**sent: Any) -> set[str]:
        feedback = call(student, "POST", "/essays/feedback", {"essay": ESSAY, **sent}).get_json()
        return {evidence["sentence"]["book"] for evidence in feedback["evidence"]}

    assert books_of(books=["on-liberty"]) == {"on-liberty"}
    assert books_of(books=["on-liberty"], assignment=assignment) == {"other"}
    assert call(student, "POST", "/essays/feedback", {"essay": ESSAY, "assignment": "none"}).status_code == 404
    feedback = call(student, "GET", f"/feedback/{handed_in(english, assignment)}").get_json()
    assert {evidence["sentence"]["book"] for evidence in feedback["evidence"]} == {"other"}
