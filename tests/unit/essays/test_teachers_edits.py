"""A teacher changes comments: hidden, reworded, added, ordered; a note and a grade; each undone by sending what was before."""

from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.history import find_feedback, visible_feedback
from chapterverse.essays.render import feedback_html
from tests.support.browsers import OURS, browser_of
from tests.support.web import ESSAY, Caller, Site

EMPTY: dict[str, Any] = {"changes": [], "own": [], "order": [], "note": "", "grade": "", "levels": []}
OWN = {"number": 1001, "text": "Say where you know that from.", "paragraph": 0, "start": 0, "end": 9}


@pytest.fixture
def teacher(library: Site) -> Caller:
    return library.caller(KeyScope.TEACHER)


@pytest.fixture
def at(student: Caller) -> str:
    given = student("POST", "/api/v1/essays/feedback", {"essay": ESSAY}).get_json()
    return f"/api/v1/feedback/{given['id']}"


def edited(teacher: Caller, at: str, **edits: Any) -> None:
    answer = teacher("PUT", f"{at}/edits", EMPTY | edits)
    assert answer.status_code == 204, answer.text


def shown(who: Caller, at: str) -> dict[str, Any]:
    answer = who("GET", at)
    assert answer.status_code == 200, answer.text
    return dict(answer.get_json())


def texts(feedback: dict[str, Any]) -> list[str]:
    return [one["text"] for one in feedback["comments"]]


def test_a_hidden_comment_is_gone_for_the_student_and_comes_back(teacher: Caller, student: Caller, at: str) -> None:
    before = shown(student, at)
    first = before["comments"][0]

    edited(teacher, at, changes=[{"number": first["number"], "is_hidden": True}])

    assert first["text"] not in texts(shown(student, at))
    assert shown(student, at)["hidden"] == []
    assert [one["text"] for one in shown(teacher, at)["hidden"]] == [first["text"]]
    assert first["text"] not in student("GET", at, headers={"Accept": "text/markdown"}).text
    edited(teacher, at)
    assert texts(shown(student, at)) == texts(before)


def test_a_comment_is_reworded(teacher: Caller, student: Caller, at: str) -> None:
    first = shown(student, at)["comments"][0]

    edited(teacher, at, changes=[{"number": first["number"], "text": "Read page 36 again."}])

    changed = shown(student, at)
    assert texts(changed)[0] == "Read page 36 again."
    assert changed["comments"][0]["evidence"] == first["evidence"]
    assert changed["changed"]


def test_a_teacher_adds_a_comment_on_words_of_the_essay(teacher: Caller, student: Caller, at: str) -> None:
    edited(teacher, at, own=[OWN])

    own = shown(student, at)["comments"][-1]
    assert (own["text"], own["paragraph"], own["about"]["text"]) == (OWN["text"], 1, ESSAY[:9])
    assert shown(student, at)["edits"] is None
    assert shown(teacher, at)["edits"]["own"] == [OWN]


def test_comments_are_shown_in_the_teachers_order(teacher: Caller, student: Caller, at: str) -> None:
    before = shown(student, at)["comments"]

    edited(teacher, at, own=[OWN], order=[1001])

    assert texts(shown(student, at)) == [OWN["text"], *(one["text"] for one in before)]


def test_a_note_and_a_grade_are_for_the_student(teacher: Caller, student: Caller, at: str) -> None:
    edited(teacher, at, note=" Well argued. ", grade="2+")

    assert (shown(student, at)["note"], shown(student, at)["grade_given"]) == ("Well argued.", "2+")


def test_what_a_colleague_changed_meanwhile_is_not_overwritten(teacher: Caller, at: str) -> None:
    edited(teacher, at, note="Mine.")

    answer = teacher("PUT", f"{at}/edits", EMPTY | {"note": "Theirs.", "seen": EMPTY})

    assert answer.status_code == 409
    assert shown(teacher, at)["note"] == "Mine."


@pytest.mark.parametrize(
    ("edits", "status"),
    [
        ({"changes": [{"number": 99, "is_hidden": True}]}, 404),
        ({"own": [OWN | {"paragraph": 7}]}, 400),
        ({"own": [OWN | {"end": 9000}]}, 400),
        ({"own": [OWN | {"end": None}]}, 400),
        ({"own": [OWN | {"number": 1}]}, 400),
        ({"own": [OWN | {"text": ""}]}, 400),
    ],
)
def test_what_the_essay_does_not_have_is_refused(teacher: Caller, at: str, edits: dict[str, Any], status: int) -> None:
    assert teacher("PUT", f"{at}/edits", EMPTY | edits).status_code == status
    assert shown(teacher, at)["edits"] == EMPTY


def test_own_comments_are_offered_again_to_teachers_of_the_school_alone(library: Site, teacher: Caller, at: str) -> None:
    edited(teacher, at, own=[OWN, OWN | {"number": 1002}, OWN | {"number": 1003, "text": "Another one."}])

    bank = teacher("GET", "/api/v1/feedback/comments").get_json()["comments"]
    other = library.caller(KeyScope.TEACHER, "another")("GET", "/api/v1/feedback/comments").get_json()["comments"]

    assert (bank, other) == ([OWN["text"], "Another one."], [])


def test_what_teachers_did_before_they_released_is_counted_without_names(library: Site, teacher: Caller, at: str) -> None:
    [only] = shown(teacher, at)["comments"]
    edited(teacher, at, changes=[{"number": only["number"], "text": "Read page 36 again."}], own=[OWN])

    [after] = teacher("GET", "/api/v1/feedback/verdict").get_json()["writers"]
    other = library.caller(KeyScope.TEACHER, "another")("GET", "/api/v1/feedback/verdict").get_json()["writers"]

    assert other == []
    assert after == {"by": "", "essays": 1, "comments": 1, "changed": 1, "hidden": 0, "own": 1}


def test_students_edit_nothing(student: Caller, at: str) -> None:
    assert student("PUT", f"{at}/edits", EMPTY).status_code == 403
    assert student("GET", "/api/v1/feedback/comments").status_code == 403


def test_a_teacher_chooses_levels_of_the_rubric_and_all_hand_outs_have_them(
    library: Site, teacher: Caller, student: Caller
) -> None:
    essay = {"essay": ESSAY, "rubric": "Gives reasons\nUses evidence <b>"}
    at = f"/api/v1/feedback/{student('POST', '/api/v1/essays/feedback', essay).get_json()['id']}"
    levels = [{"criterion": "Uses evidence <b>", "level": "mostly"}]

    edited(teacher, at, levels=levels, note="Well argued.\n<i>Go on.</i>", grade="2+")

    assert {one["criterion"]: one["chosen_level"] for one in shown(student, at)["criteria"]} == {
        "Gives reasons": None,
        "Uses evidence <b>": "mostly",
    }
    page = feedback_html(visible_feedback(find_feedback("school", at.rpartition("/")[2], library.parts.essays.history)))
    markdown = student("GET", f"{at}?format=markdown", headers={"Accept-Language": "de"}).text
    assert all(each in page for each in ("From your teacher", "Grade: 2+", "Level: mostly", "&lt;i&gt;Go on."))
    assert all(each in markdown for each in ("Von deiner Lehrkraft", "Note: 2+", "Stufe: mostly", r"\<i\>Go on."))
    wrong = teacher("PUT", f"{at}/edits", EMPTY | {"levels": [{"criterion": "Spelling", "level": "fully"}]})
    assert (wrong.status_code, shown(teacher, at)["edits"]["levels"]) == (400, levels)


def test_a_hand_out_names_the_student(library: Site, teacher: Caller) -> None:
    anna = browser_of(library, "anna@school.example")
    id = anna.post("/api/v1/essays/feedback", json={"essay": ESSAY}, headers=OURS).get_json()["id"]

    for_teacher = teacher("GET", f"/api/v1/feedback/{id}?format=markdown").text
    own = anna.get(f"/api/v1/feedback/{id}?format=markdown", headers=OURS).text

    name = library.parts.sign_in.people.find("school", "anna@school.example").name
    assert f"*{name}" in for_teacher.replace("\\", "")
    assert own == for_teacher
