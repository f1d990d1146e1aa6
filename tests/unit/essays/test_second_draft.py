"""A second draft over HTTP: the revision in every form, and what is left of it when the first draft is deleted."""

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.model import Change, ChangeKind, EssaySpan, Revision
from chapterverse.essays.render import feedback_html
from tests.support.browsers import browser_of
from tests.support.essays import some_feedback
from tests.support.web import Site

FEEDBACK, MINE = "/api/v1/essays/feedback", "/api/v1/essays/mine"
FIRST = "Silencing opinion robs mankind of truth. My uncle sings wierd songs. I like music."
SECOND = "Silencing opinion robs mankind of truth. My uncle sings weird songs, because he is happy then. I like music."
CHANGED = {"kind": "changed", "name": "Changed"}


@pytest.fixture
def anna(library: Site) -> FlaskClient:
    return browser_of(library, "anna@school.example")


def submit(browser: FlaskClient, essay: str, **more: Any) -> dict[str, Any]:
    answer = browser.post(FEEDBACK, json={"essay": essay, **more})
    assert answer.status_code == 200, answer.text
    given: dict[str, Any] = answer.get_json()
    return given


def test_a_first_draft_has_no_revision(anna: FlaskClient) -> None:
    assert submit(anna, FIRST)["revision"] is None


def test_a_second_draft_tells_what_changed(anna: FlaskClient) -> None:
    first = submit(anna, FIRST)

    second = submit(anna, SECOND, version_of=first["id"])

    [change] = second["revision"]["changes"]
    assert change["before"] == "My uncle sings wierd songs."
    assert change["after"] == "My uncle sings weird songs, because he is happy then."
    assert {name: change[name] for name in CHANGED} == CHANGED
    became = [(each["state"], each["name"], each["words"]) for each in second["revision"]["comments"]]
    assert became == [("tried", "Partly", ""), ("answered", "Addressed", "wierd")]
    assert "Changed: 1" in second["revision"]["story"]
    assert anna.get(f"/api/v1/feedback/{second['id']}").get_json()["revision"] == second["revision"]


def test_the_story_is_told_in_the_readers_language(anna: FlaskClient) -> None:
    first = submit(anna, FIRST)
    second = submit(anna, SECOND, version_of=first["id"])
    german = {"Accept-Language": "de"}

    read = anna.get(f"/api/v1/feedback/{second['id']}", headers=german).get_json()
    markdown = anna.get(f"/api/v1/feedback/{second['id']}?format=markdown", headers=german).text

    assert "Geändert: 1" in read["revision"]["story"]
    assert "## Änderungen seit dem vorigen Entwurf" in markdown


def test_the_page_to_print_tells_it_too() -> None:
    change = Change(ChangeKind.REASONING, after=(EssaySpan(0, 0, 35),))

    page = feedback_html(replace(some_feedback(), revision=Revision("id", (change,))), language="de")

    assert "Änderungen seit dem vorigen Entwurf" in page
    assert '<ins dir="auto">Silencing opinion robs us of truth.</ins>' in page


def test_the_same_request_again_gives_the_same_revision(anna: FlaskClient) -> None:
    first = submit(anna, FIRST)
    again = {"version_of": first["id"], "key": "0123456789abcdef0123456789abcdef"}

    assert submit(anna, SECOND, **again) == submit(anna, SECOND, **again)


def test_with_the_first_draft_its_words_are_gone(anna: FlaskClient) -> None:
    first = submit(anna, FIRST)
    second = submit(anna, SECOND, version_of=first["id"])

    assert anna.delete(f"{MINE}/{first['id']}").status_code == 204

    left = anna.get(f"/api/v1/feedback/{second['id']}").get_json()["revision"]
    assert left["story"] == second["revision"]["story"]
    assert [one["before"] for one in left["changes"]] == [None]
    assert left["comments"] == []


def test_what_was_withdrawn_on_the_first_draft_is_shown_to_teachers_alone(anna: FlaskClient, library: Site) -> None:
    first = submit(anna, FIRST)
    path = f"/api/v1/feedback/{submit(anna, SECOND, version_of=first['id'])['id']}"
    library.parts.essays.history.store.change("school", first["id"], lambda stored: replace(stored, approved=None))

    assert anna.get(path).get_json()["revision"]["comments"] == []
    assert library.caller(KeyScope.TEACHER)("GET", path).get_json()["revision"]["comments"]


def test_the_stream_sends_the_revision_with_the_whole(anna: FlaskClient) -> None:
    first = submit(anna, FIRST)

    stream = anna.post(
        FEEDBACK, json={"essay": SECOND, "version_of": first["id"]}, headers={"Accept": "text/event-stream"}
    ).text

    assert '"revision": {"story": [' in stream
