"""What somebody who is signed in handed in themselves."""

import json
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pymupdf
import pytest
from flask.testing import FlaskClient

from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.model import Change, ChangeKind, EssaySpan, Revision
from chapterverse.essays.render import feedback_html
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.messages import message
from tests.support.browsers import browser_of
from tests.support.essays import found_on, some_feedback
from tests.support.language_servers import MODEL, as_simulated, language_server
from tests.support.pdfs import a_pdf
from tests.support.web import ESSAY, Caller, Site, events_in, shelve_pdf, site

EVIDENCE, FEEDBACK = "/api/v1/essays/evidence", "/api/v1/essays/feedback"
STREAM = {"Accept": "text/event-stream"}


def test_a_stream_brings_the_evidence_first_then_each_comment_then_the_whole(student: Caller) -> None:
    answer = student("POST", FEEDBACK, {"essay": ESSAY}, STREAM)
    refused = student("POST", FEEDBACK, {"essay": ESSAY, "books": ["unknown"]}, STREAM)

    whole = student("POST", FEEDBACK, {"essay": ESSAY}).get_json()
    first, *comments, last = (told[1:] for told in events_in(answer))
    assert answer.mimetype == "text/event-stream"
    assert first == ("evidence", student("POST", EVIDENCE, {"essay": ESSAY}).get_json())
    assert comments == [("comment", one) for one in whole["comments"]]
    assert last == ("done", whole | {"id": ANY})
    assert (refused.status_code, refused.get_json()["code"]) == (404, "not_found")


def test_what_a_language_model_wrote_says_so_in_every_form(empty_site: Site, ledger: SqlLedger) -> None:
    """As JSON, as a page, printed and as text (AI Act, Article 50)."""
    with language_server() as server:
        server.reply = as_simulated
        essays = empty_site.parts.essays
        writing = replace(essays.writing, paid=PaidModel(server.openai(), ledger), seconds=30.0)
        by_model = empty_site.but(essays=replace(essays, writing=writing))
        shelve_pdf(by_model.services, a_pdf("Silencing an opinion robs mankind of truth."))
        student = by_model.caller()
        kept = student("POST", FEEDBACK, {"essay": ESSAY}).get_json()
        forms = {
            form: student("GET", f"/api/v1/feedback/{kept['id']}", query_string={"format": form}).data
            for form in ("json", "html", "markdown", "pdf")
        }

    assert json.loads(forms["json"])["by"] == MODEL
    with pymupdf.open(stream=forms.pop("pdf")) as pdf:
        forms["pdf"] = "".join(page.get_text() for page in pdf).encode()
    for form in ("html", "markdown", "pdf"):
        assert f"A language model ({MODEL}) wrote comments here." in " ".join(forms[form].decode().split()), form


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/essay"),
        ({"essay": ESSAY, "school": "other"}, "/school"),
        ([], ""),
        ({"essay": ESSAY, "grade": 99}, "/grade"),
        ({"essay": ESSAY, "rubric": "x" * 50_000}, "/rubric"),
    ],
)
def test_a_field_that_is_not_usable_is_named(student: Caller, body: object, pointer: str) -> None:
    answer = student("POST", FEEDBACK, body)

    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["pointer"].startswith(pointer)


def test_why_a_request_is_refused_is_said_without_a_pattern_and_what_is_misspelt_is_named(student: Caller) -> None:
    silent = student("POST", "/api/v1/documents/ask", {"question": "???"}).get_json()["errors"]
    packed = student("POST", FEEDBACK, {"essay": ESSAY}, {"Content-Encoding": "gzip"})
    misspelt = student("GET", "/api/v1/conversations/1?aftr=3").get_json()["errors"]

    assert silent == [{"pointer": "/question", "message": ANY}]
    assert "\\w" not in silent[0]["message"]
    assert (packed.status_code, "not compressed" in packed.get_json()["detail"]) == (415, True)
    assert misspelt == [{"pointer": "/aftr", "message": "Extra inputs are not permitted"}]


@pytest.mark.parametrize("limits", [{"essay_words": 5}, {"body_bytes": 1024}])
def test_an_essay_of_too_many_words_or_bytes_is_refused(tmp_path: Path, limits: dict[str, int]) -> None:
    with site(tmp_path, **limits) as running:
        answer = running.caller()("POST", EVIDENCE, {"essay": "word " * 1000})

    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")


def test_a_paragraph_that_is_copied_from_a_source_of_the_task_is_not_searched_for(student: Caller) -> None:
    source = "Every river that we crossed that summer was low, brown, and full of leaves."

    answer = student("POST", EVIDENCE, {"essay": f"{ESSAY}\n\n{source}", "sources": [source]}).get_json()

    assert answer["paragraphs"][-1]["message"] == str(message("paragraph_is_task"))


def test_an_essay_that_is_neither_english_nor_german_gets_its_passage(student: Caller) -> None:
    essay = "قال ميل إن إسكات رأي واحد يسلب البشرية الحقيقة كلها ولا يحق لأحد. Silencing an opinion robs mankind of truth."

    answer = student("POST", FEEDBACK, {"essay": essay}).get_json()

    assert [one["text"] for one in answer["comments"]] == ["Could you use this?"]


MINE = "/api/v1/essays/mine"
KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def anna(library: Site) -> FlaskClient:
    return browser_of(library, "anna@school.example")


def hand_in(browser: FlaskClient, **more: Any) -> dict[str, Any]:
    answer = browser.post("/api/v1/essays/feedback", json={"essay": ESSAY, **more})
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def mine(browser: FlaskClient) -> list[dict[str, Any]]:
    return browser.get(MINE).get_json()["essays"]


def test_a_history_tells_how_each_begins_and_until_when_it_is_kept(anna: FlaskClient) -> None:
    first = hand_in(anna)
    second = hand_in(anna, essay=f"# Speech\n\n{ESSAY}", version_of=first["id"])

    newest, oldest = mine(anna)

    assert [each["id"] for each in (newest, oldest)] == [second["id"], first["id"]]
    assert (newest["title"], newest["version_of"]) == ("Speech", first["id"])
    assert (oldest["begins"], oldest["words"], oldest["version_of"]) == (ESSAY, len(ESSAY.split()), None)
    assert oldest["created"] < oldest["expires"]


def test_a_new_version_begins_with_all_that_was_handed_in_and_its_lines_are_shown(anna: FlaskClient) -> None:
    text = f"# Speech\n\n## Causes\n\n- **one**\n- two\n\n{ESSAY}"
    given = hand_in(anna, essay=text)

    assert given["paragraphs"][0]["above"] == ["Causes"]
    assert "<b>Causes</b>" in feedback_html(some_feedback(found_on(text)))
    assert text in unescape(anna.get(f"/essay?version_of={given['id']}").text)


def test_its_owner_alone_judges_and_deletes_a_practice_essay(library: Site, anna: FlaskClient, teacher: Caller) -> None:
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
    assert anna.delete(f"{MINE}/{id}").status_code == 204
    assert mine(anna) == []
    assert teacher("GET", f"/api/v1/feedback/{id}").status_code == 404


def test_a_programs_key_owns_nothing_and_what_nobody_owns_is_open_to_who_knows_it(student: Caller, anna: FlaskClient) -> None:
    id = student("POST", "/api/v1/essays/feedback", {"essay": ESSAY}).get_json()["id"]

    assert student("GET", MINE).get_json() == {"essays": []}
    assert student("DELETE", f"{MINE}/{id}").status_code == 404
    read = student("GET", f"/api/v1/feedback/{id}"), anna.get(f"/api/v1/feedback/{id}")
    assert [answer.status_code for answer in read] == [200, 200]


def test_thumbs_are_kept_changed_taken_back_and_seen_by_teachers_as_figures(anna: FlaskClient, teacher: Caller) -> None:
    id = hand_in(anna)["id"]
    own = {"number": 1001, "text": "Well done.", "paragraph": None, "start": None, "end": None}
    assert teacher("PUT", f"/api/v1/feedback/{id}/edits", {"own": [own]}).status_code == 204
    given = (("evidence/1", "up"), ("comment/1", "up"), ("comment/1", "down"), ("evidence/1", None), ("comment/1001", "up"))
    for part, thumb in (*given, ("comment/1001", None)):
        assert anna.put(f"{MINE}/{id}/thumbs/{part}", json={"thumb": thumb}).status_code == 204

    assert anna.put(f"{MINE}/{id}/thumbs/comment/99", json={"thumb": "up"}).status_code == 404
    assert anna.get(f"/api/v1/feedback/{id}").get_json()["thumbs"] == [{"part": "comment", "number": 1, "thumb": "down"}]
    [listed] = teacher("GET", "/api/v1/feedback").get_json()["feedback"]
    assert listed["thumbs"] == {"up": 0, "down": 1}


def test_an_essay_with_the_same_key_is_written_on_once_and_its_stream_goes_on(library: Site, anna: FlaskClient) -> None:
    whole, again = (
        anna.post(FEEDBACK, json={"essay": ESSAY, "key": KEY}, headers=STREAM | more).text
        for more in ({}, {"Last-Event-ID": "2"})
    )

    assert whole.startswith("id: 1\nevent: evidence\n")
    assert whole.endswith(again)
    assert again.startswith("id: 3\n")
    assert hand_in(anna, key=KEY)["id"] in again
    assert len(mine(anna)) == 1
    assert hand_in(browser_of(library, "ben@school.example"), key=KEY)["id"] not in again


def test_a_files_text_is_told_and_nothing_of_it_kept(anna: FlaskClient) -> None:
    def sent(data: bytes) -> Any:
        return anna.post("/api/v1/essays/text", data={"file": (BytesIO(data), "essay.txt")})

    assert sent(b"One.\r\n\r\nTwo.").get_json() == {"text": "One.\n\nTwo."}
    assert (sent(b"\x00").status_code, sent(b"x" * (10 * 2**20 + 1)).status_code) == (400, 413)
    assert mine(anna) == []


FIRST = "Silencing opinion robs mankind of truth. My uncle sings wierd songs. I like music."
SECOND = "Silencing opinion robs mankind of truth. My uncle sings weird songs, because he is happy then. I like music."


def test_a_second_draft_tells_what_changed_in_the_readers_language(anna: FlaskClient) -> None:
    first = hand_in(anna, essay=FIRST)
    second = hand_in(anna, essay=SECOND, version_of=first["id"])
    path, german = f"/api/v1/feedback/{second['id']}", {"Accept-Language": "de"}

    assert first["revision"] is None
    [change] = second["revision"]["changes"]
    assert change["before"] == "My uncle sings wierd songs."
    assert change["after"] == "My uncle sings weird songs, because he is happy then."
    assert (change["kind"], change["name"]) == ("changed", "Changed")
    became = [(each["state"], each["name"], each["words"]) for each in second["revision"]["comments"]]
    assert became == [("answered", "Addressed", "wierd")]  # and no passage
    assert "Changed: 1" in second["revision"]["story"]
    assert anna.get(path).get_json()["revision"] == second["revision"]
    assert "Geändert: 1" in anna.get(path, headers=german).get_json()["revision"]["story"]
    assert "## Änderungen seit dem vorigen Entwurf" in anna.get(f"{path}?format=markdown", headers=german).text


def test_a_correction_of_several_places_is_answered_when_all_are_mended(anna: FlaskClient) -> None:
    wrong = "My uncle sings wierd songs. He likes wierd food."
    first = hand_in(anna, essay=wrong)

    def became(essay: str) -> list[str]:
        return [one["state"] for one in hand_in(anna, essay=essay, version_of=first["id"])["revision"]["comments"]]

    drafts = (wrong, wrong.replace("wierd", "weird", 1), wrong.replace("wierd", "weird"))
    assert [became(each) for each in drafts] == [["untouched"], ["tried"], ["answered"]]


def test_what_a_teacher_hid_stays_hidden_in_the_next_version_where_it_says_the_same(anna: FlaskClient, teacher: Caller) -> None:
    first = hand_in(anna, essay=FIRST)
    [gone] = [one["number"] for one in first["comments"] if one["instead"]]
    changes = [{"number": gone, "is_hidden": True}]
    assert teacher("PUT", f"/api/v1/feedback/{first['id']}/edits", {"changes": changes}).status_code == 204

    second = hand_in(anna, essay=f"{FIRST} So it is.", version_of=first["id"])
    third = hand_in(anna, essay=f"{FIRST} So it is.", version_of=second["id"])
    other = hand_in(anna, essay=FIRST)

    for version in (second, third):
        path = f"/api/v1/feedback/{version['id']}"
        for told in (version, anna.get(path).get_json()):
            assert [one["instead"] for one in told["comments"] if one["instead"]] == []
    assert [one["instead"] for one in other["comments"] if one["instead"]] == ["weird"]


def test_the_page_to_print_tells_it_too() -> None:
    change = Change(ChangeKind.REASONING, after=(EssaySpan(0, 0, 35),))

    page = feedback_html(replace(some_feedback(), revision=Revision("id", (change,))), language="de")

    assert "Änderungen seit dem vorigen Entwurf" in page
    assert '<ins dir="auto">Silencing opinion robs us of truth.</ins>' in page


def test_what_was_withdrawn_on_the_first_draft_is_shown_to_teachers_alone_and_with_it_its_words_are_gone(
    anna: FlaskClient, library: Site, teacher: Caller
) -> None:
    first = hand_in(anna, essay=FIRST)
    second = hand_in(anna, essay=SECOND, version_of=first["id"])
    path = f"/api/v1/feedback/{second['id']}"

    library.parts.essays.history.store.change("school", first["id"], lambda stored: replace(stored, approved=None))
    assert anna.get(path).get_json()["revision"]["comments"] == []
    assert teacher("GET", path).get_json()["revision"]["comments"]

    assert anna.delete(f"{MINE}/{first['id']}").status_code == 204
    left = anna.get(path).get_json()["revision"]
    assert left["story"] == second["revision"]["story"]
    assert [one["before"] for one in left["changes"]] == [None]
    assert left["comments"] == []
