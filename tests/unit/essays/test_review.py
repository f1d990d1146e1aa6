"""A teacher changes comments: hidden, reworded, added, ordered; a note and a grade; each undone by sending what was before."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope, SchoolSettings
from chapterverse.core.errors import NotFound
from chapterverse.essays.history import feedback_of, find_feedback, visible_feedback
from chapterverse.essays.render import feedback_html
from chapterverse.infrastructure.sql import utc_now
from tests.support.browsers import OURS, browser_of
from tests.support.pdfs import a_pdf
from tests.support.shelved import shelve
from tests.support.web import ESSAY, Caller, Site, shelve_pdf

FEEDBACK = "/api/v1/feedback"


@pytest.fixture
def given(student: Caller) -> dict[str, Any]:
    """What a student was given."""
    return student("POST", "/api/v1/essays/feedback", {"essay": ESSAY}).get_json()


@pytest.fixture
def at(given: dict[str, Any]) -> str:
    return f"{FEEDBACK}/{given['id']}"


FORMS = {
    "markdown": ("text/markdown", b"# feedback"),
    "html": ("text/html", b"<!doctype html>"),
    "pdf": ("application/pdf", b"%pdf-"),
    "json": ("application/json", b"{"),
}


def test_it_is_given_in_the_form_asked_for(empty_site: Site) -> None:
    shelve_pdf(empty_site.services, a_pdf("Silencing an opinion robs mankind of truth."))
    student = empty_site.caller()
    at = f"{FEEDBACK}/{student('POST', '/api/v1/essays/feedback', {'essay': ESSAY}).get_json()['id']}"

    assert student("GET", at, headers={"Accept": "image/png"}).status_code == 406
    assert student("GET", at, query_string={"format": "docx"}).status_code == 400
    for format, (accept, begins) in FORMS.items():
        for asked in ({"headers": {"Accept": accept}}, {"query_string": {"format": format}}):
            answer = student("GET", at, **asked)
            assert (answer.mimetype, answer.data.lower()[: len(begins)]) == (accept, begins)
            assert (b"data:image/png;base64," in answer.data) is (format == "html")  # the book's page


def test_a_teacher_sees_what_there_is_newest_first_and_deletes(teacher: Caller, student: Caller, given: dict[str, Any]) -> None:
    newer = student("POST", "/api/v1/essays/feedback", {"essay": f"# Speech\n\n{ESSAY}"}).get_json()

    listed = teacher("GET", FEEDBACK).get_json()["feedback"]
    before = teacher("GET", FEEDBACK, query_string={"before": listed[0]["created"]}).get_json()["feedback"]

    told = [(each["id"], each["title"], each["begins"]) for each in listed]
    assert told == [(newer["id"], "Speech", ESSAY), (given["id"], None, ESSAY)]
    assert before == listed[1:]
    assert teacher("DELETE", f"{FEEDBACK}/{given['id']}").status_code == 204
    assert [each["id"] for each in teacher("GET", FEEDBACK).get_json()["feedback"]] == [newer["id"]]
    for caller in (student, teacher):
        assert caller("GET", f"{FEEDBACK}/{given['id']}").status_code == 404


def test_hidden_evidence_goes_with_what_stands_on_it_and_back(
    teacher: Caller, student: Caller, given: dict[str, Any], at: str
) -> None:
    assert teacher("PUT", f"{at}/evidence/1", {"show": "hidden"}).status_code == 204
    hidden, [choice] = student("GET", at).get_json(), teacher("GET", at).get_json()["choices"]
    listed = teacher("GET", FEEDBACK).get_json()["feedback"]
    forms = [student("GET", at, query_string={"format": format}).text for format in ("markdown", "html")]
    assert teacher("PUT", f"{at}/evidence/1", {}).status_code == 204

    assert (hidden["evidence"], hidden["section"], hidden["comments"]) == ([], None, [])
    assert (hidden["changed"], listed[0]["changed"], hidden["choices"]) == (True, True, [])
    assert choice["found"]["sentence"]["text"] == given["evidence"][0]["sentence"]["text"]
    assert [each for each in forms if "Silencing an opinion" in each] == []
    assert [paragraph["evidence"] for paragraph in hidden["paragraphs"]] == [[]]
    assert student("GET", at).get_json()["evidence"] == given["evidence"]


def test_another_sentence_of_the_books_stands_in_its_place_under_its_number(
    teacher: Caller, student: Caller, given: dict[str, Any], at: str, sentence: str
) -> None:
    other = sentence.replace("-1", "-2")

    for unknown in ("0123456789abcdef-0-0", "Words of mine."):  # in no book of the school
        assert teacher("PUT", f"{at}/evidence/1", {"sentence": unknown}).status_code == 404
    assert teacher("PUT", f"{at}/evidence/9", {"show": "hidden"}).status_code == 404
    assert teacher("PUT", f"{at}/evidence/1", {"sentence": other}).status_code == 204

    shown = student("GET", at).get_json()
    assert [(each["number"], each["sentence"]["text"]) for each in shown["evidence"]] == [(1, "So much is certain.")]
    assert [each["number"] for each in shown["comments"]] == [each["number"] for each in given["comments"]]
    assert [each["evidence"] for each in shown["comments"]] == [[1]]


def with_history(site: Site, **changes: Any) -> Site:
    """The same site with another history of feedback."""
    essays = site.parts.essays
    return site.but(essays=replace(essays, history=replace(essays.history, **changes)))


@pytest.fixture
def strict(library: Site) -> Site:
    """Where a teacher sees feedback first."""
    return with_history(library, settings_of=lambda _: SchoolSettings(approval=True))


def test_where_approval_is_on_students_wait_for_a_teacher(strict: Site) -> None:
    student, teacher = strict.caller(), strict.caller(KeyScope.TEACHER)

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


def test_feedback_that_waits_for_approval_is_named_by_its_id_with_and_without_a_key(strict: Site) -> None:
    anna, key = browser_of(strict, "anna@school.example"), "0123456789abcdef" * 2

    told = [anna.post("/api/v1/essays/feedback", json={"essay": ESSAY, **sent}) for sent in ({}, {"key": key}, {"key": key})]

    ids, mine = [answer.get_json()["id"] for answer in told], anna.get("/api/v1/essays/mine").get_json()["essays"]
    assert [answer.status_code for answer in told] == [202, 202, 202]
    assert ids[1] == ids[2]
    assert {each["id"]: each["approved"] for each in mine} == dict.fromkeys(ids)


def test_a_schools_own_days_end_its_feedback_in_lists_as_well(library: Site, given: dict[str, Any]) -> None:
    later = utc_now() + timedelta(days=3)
    shorter = with_history(library, settings_of=lambda _: SchoolSettings(keep_days=2))

    before, after = (each.caller(KeyScope.TEACHER) for each in (shorter, with_history(shorter, now=lambda: later)))

    assert [each["id"] for each in before("GET", FEEDBACK).get_json()["feedback"]] == [given["id"]]
    assert after("GET", FEEDBACK).get_json()["feedback"] == []
    assert after("GET", f"{FEEDBACK}/{given['id']}").status_code == 404


def test_of_two_who_change_the_same_the_second_is_told_and_undoes_nothing(teacher: Caller, at: str, sentence: str) -> None:
    normal, other = {"show": "normal"}, sentence.replace("-1", "-2")

    first = teacher("PUT", f"{at}/evidence/1", {"show": "hidden", "seen": normal})
    again = teacher("PUT", f"{at}/evidence/1", {"show": "hidden", "seen": normal})
    second = teacher("PUT", f"{at}/evidence/1", {"sentence": other, "seen": normal})
    assert (first.status_code, again.status_code, second.status_code) == (204, 204, 409)
    assert second.get_json()["code"] == "changed_meanwhile"

    assert teacher("PUT", f"{at}/approval", {"approved": False, "seen": True}).status_code == 204
    assert teacher("PUT", f"{at}/approval", {"approved": True, "seen": True}).status_code == 409
    edited(teacher, at, note="Mine.")
    assert teacher("PUT", f"{at}/edits", EMPTY | {"note": "Theirs.", "seen": EMPTY}).status_code == 409
    told = teacher("GET", at).get_json()
    assert (told["choices"][0]["show"], told["note"]) == ("hidden", "Mine.")


def test_a_sentence_put_there_outlives_its_book(library: Site, teacher: Caller, given: dict[str, Any], sentence: str) -> None:
    at, other = f"{FEEDBACK}/{given['id']}/evidence/1", sentence.replace("-1", "-2")
    teacher("PUT", at, {"sentence": other})
    for book in library.services.catalog.books("school"):
        library.services.catalog.retire("school", book.id)

    assert teacher("PUT", at, {"sentence": other, "show": "hidden"}).status_code == 204
    assert teacher("PUT", at, {"sentence": sentence}).status_code == 404


def test_a_teacher_is_offered_other_sentences_the_nearest_first_and_none_that_is_shown(
    library: Site, teacher: Caller, given: dict[str, Any]
) -> None:
    shelve(library.services, "More", ["An opinion is.", "Truth has no need of force.", "Need has no eyes.", "Cats sleep."])
    at, first = f"{FEEDBACK}/{given['id']}/evidence", given["evidence"][0]["sentence"]["text"]

    def offered(**by: Any) -> list[dict[str, Any]]:
        return [one["sentence"] for one in teacher("POST", f"{at}/1/candidates", by).get_json()["candidates"]]

    nearest, *_, farthest = offered()
    assert (nearest["text"] == first, farthest["text"]) == (False, "Cats sleep.")
    assert [one["text"] for one in offered(words="has NO need", limit=1)] == ["Truth has no need of force."]
    assert {one["book"] for one in offered(book="more")} == {"more"}
    assert teacher("POST", f"{at}/1/candidates", {"book": "no-such-book"}).status_code == 404
    assert teacher("POST", f"{at}/9/candidates", {}).status_code == 404

    teacher("PUT", f"{at}/1", {"sentence": nearest["sentence_id"]})

    texts = [one["text"] for one in offered()]
    assert (nearest["text"] in texts, first in texts) == (False, True)


EMPTY: dict[str, Any] = {"changes": [], "own": [], "order": [], "note": "", "grade": "", "levels": []}
OWN = {"number": 1001, "text": "Say where you know that from.", "paragraph": 0, "start": 0, "end": 9}


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
    assert (shown(student, at)["evidence"], shown(student, at)["hidden"]) == ([], [])  # its passage goes with it
    assert [one["text"] for one in shown(teacher, at)["hidden"]] == [first["text"]]
    assert first["text"] not in student("GET", at, headers={"Accept": "text/markdown"}).text
    edited(teacher, at)
    assert shown(student, at)["evidence"] == before["evidence"]
    assert texts(shown(student, at)) == texts(before)


def test_the_comment_of_an_added_passage_is_reworded_and_hidden(teacher: Caller, student: Caller, at: str) -> None:
    sentence = shown(student, at)["evidence"][0]["sentence"]["sentence_id"].replace("-1", "-2")
    edited(teacher, at, own=[OWN])
    number = teacher("POST", f"{at}/evidence", {"paragraph": 1, "sentence": sentence}).get_json()["number"]
    assert number != OWN["number"]  # each is changed by its number

    edited(teacher, at, changes=[{"number": number, "text": "So he says."}])
    assert "So he says." in texts(shown(student, at))
    edited(teacher, at, changes=[{"number": number, "is_hidden": True}])

    assert number not in [one["number"] for one in shown(student, at)["evidence"]]
    assert [one["number"] for one in shown(teacher, at)["hidden"]] == [number]


def test_a_teacher_rewords_adds_and_orders_comments_and_gives_a_grade(teacher: Caller, student: Caller, at: str) -> None:
    first, *others = shown(student, at)["comments"]
    changes = [{"number": first["number"], "text": "Read page 36 again."}]

    edited(teacher, at, changes=changes, own=[OWN], order=[1001], note=" Well argued. ", grade="2+")

    changed = shown(student, at)
    own = changed["comments"][0]
    assert (own["text"], own["paragraph"], own["about"]["text"]) == (OWN["text"], 1, ESSAY[:9])
    assert texts(changed)[1:] == ["Read page 36 again.", *(one["text"] for one in others)]
    assert changed["comments"][1] == first | {"text": "Read page 36 again."}
    assert (changed["note"], changed["grade_given"], changed["changed"], changed["edits"]) == ("Well argued.", "2+", True, None)
    assert shown(teacher, at)["edits"]["own"] == [OWN]


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


def test_a_teacher_chooses_levels_of_the_rubric_for_all_hand_outs(library: Site, teacher: Caller, student: Caller) -> None:
    essay = {"essay": ESSAY, "rubric": "Gives reasons\nUses evidence <b> (6 points)"}
    at = f"/api/v1/feedback/{student('POST', '/api/v1/essays/feedback', essay).get_json()['id']}"
    levels = [{"criterion": "Uses evidence <b>", "level": "mostly"}]

    edited(teacher, at, levels=levels, note="Well argued.\n<i>Go on.</i>", grade="2+")

    assert [one["chosen_level"] for one in shown(student, at)["criteria"]] == [None, "mostly"]
    page = feedback_html(visible_feedback(find_feedback("school", at.rpartition("/")[2], library.parts.essays.history)))
    markdown = student("GET", f"{at}?format=markdown", headers={"Accept-Language": "de"}).text
    english = ("From your teacher", "Grade: 2+", '<b dir="auto">mostly</b>', "Points: 4 of 6", "&lt;i&gt;Go on.")
    german = ("Von deiner Lehrkraft", "Note: 2+", "**überwiegend**", "Punkte: 4 von 6", r"\<i\>Go on.")
    assert [*english, *german] == [*(each for each in english if each in page), *(each for each in german if each in markdown)]
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


def test_what_another_version_gave_is_said_to_be_so_without_a_word_of_it(library: Site, given: dict[str, Any]) -> None:
    found = find_feedback("school", given["id"], library.parts.essays.history)

    with pytest.raises(NotFound, match="another version") as error:
        feedback_of(replace(found, answer='{"words": "My secret."}'))
    assert error.value.__cause__ is None
    assert "secret" not in str(error.value)
