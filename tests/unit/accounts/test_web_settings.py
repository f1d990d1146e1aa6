import json
from functools import partial
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.batch.service import run_batch_task
from chapterverse.infrastructure.local_queue import LocalQueue
from tests.support.browsers import OURS, browser_of
from tests.support.shelved import shelve
from tests.support.web import WITHIN, Caller, Site

SETTINGS = "/api/v1/settings"


def test_what_is_set_is_told_with_who_did_and_what_stays_keeps_its_author(library: Site) -> None:
    anna, ben = library.caller(KeyScope.TEACHER), library.caller(KeyScope.ADMIN)
    before = anna("PATCH", SETTINGS, {"grade": 5, "evidences": 2}).get_json()

    after = ben("PATCH", SETTINGS, {"grade": 5, "tone": "plain", "evidences": None}).get_json()

    assert after["grade"] == before["grade"]
    assert after["evidences"]["value"] is None
    assert after["evidences"]["changed_by"] != before["evidences"]["changed_by"]
    assert (after["tone"]["value"], after["codes"]["changed"]) == ("plain", None)


def test_what_is_set_is_in_the_page_from_the_start(library: Site) -> None:
    browser = browser_of(library, "anna@school.example", KeyScope.ADMIN)
    browser.patch(SETTINGS, json={"grade": 11, "evidences": 4}, headers=OURS)

    page = browser.get("/settings/advanced").text

    assert '<option value="11" selected>' in page
    assert 'max="50" value="4"' in page
    assert "anna@school.example" in page


@pytest.mark.parametrize("wrong", [{"grade": 2}, {"evidences": 0}, {"tone": "loud"}, {"codes": "yes"}, {"colour": 1}])
def test_what_cannot_be_is_refused(teacher: Caller, wrong: dict[str, object]) -> None:
    assert teacher("PATCH", SETTINGS, wrong).status_code == 400


def test_a_school_has_as_many_sentences_as_it_wants_unless_a_request_says_otherwise(
    library: Site, student: Caller, teacher: Caller
) -> None:
    shelve(library.services, "Town", ["Liars rob mankind of truth daily.", "Silencing an opinion robs everybody of truth."])
    essay = "Silencing opinion robs mankind of truth. Silencing an opinion robs everybody of truth."

    def found(**more: object) -> int:
        return len(student("POST", "/api/v1/essays/evidence", {"essay": essay, **more}).get_json()["evidence"])

    usual = found()
    teacher("PATCH", SETTINGS, {"evidences": 2})

    assert (usual, found(), found(evidences=1), found(evidences="paragraphs")) == (1, 2, 1, 1)


def test_whole_classes_follow_what_their_school_has_set(library: Site, teacher: Caller) -> None:
    shelve(library.services, "Town", ["Liars rob mankind of truth daily.", "Silencing an opinion robs everybody of truth."])
    queue = library.parts.batches.queue
    assert isinstance(queue, LocalQueue)
    queue.start(partial(run_batch_task, context=library.parts.batches))
    first = "I think silencing an opinion robs mankind of truth."
    long = "Silencing an opinion robs everybody of truth, and whoever does so while others listen robs himself, too, of what he"
    more = "heard what all of the others had to say about it first in the end, as they and their friends did each day at school"
    end = "According to the London Times, we should all be heard."
    text = f"# On speech\n\n{first}\n\n{long} might have heard, had he waited and {more}.\n\n{end}"

    def by_night(name: str) -> list[Any]:
        lines = {"data": json.dumps({"id": name, "text": text}), "headers": {"Content-Type": "application/x-ndjson"}}
        batch = teacher("POST", "/api/v1/batches", query_string={"start": "now"}, **lines).get_json()["batch"]
        queue.wait_until_idle(WITHIN)
        [page] = teacher("GET", f"/api/v1/batches/{batch}/results").get_json()["pages"]
        return list(teacher("GET", f"/api/v1/feedback/{page['feedback']}").get_json()["evidence"])

    usual = by_night("usual")
    teacher("PATCH", SETTINGS, {"evidences": 1})

    assert (len(usual), len(by_night("one"))) == (2, 1)
