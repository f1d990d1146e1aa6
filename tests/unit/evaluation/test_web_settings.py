import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.essays.batch.tasks import run_batch_task
from chapterverse.evaluation.measurements import resume, run_measurement
from chapterverse.infrastructure.queue.local import LocalQueue
from chapterverse.questions.judging import accept, accepted
from tests.support.measuring import Kept, measure_all
from tests.support.shelved import shelve
from tests.support.web import ESSAY, WITHIN, Caller, Site

SETTINGS = "/api/v1/settings"
TOWN = [f"The harbour{n} keeps boats{n} beside walls{n} near roads{n}." for n in range(40)]


def test_a_school_that_has_set_nothing_has_the_defaults(teacher: Caller) -> None:
    told = teacher("GET", SETTINGS).get_json()

    assert told["grade"] == {"value": None, "default": 7, "changed_by": None, "changed": None}
    assert told["tone"]["default"] == "kind"
    assert all(setting["value"] is None for setting in told.values())


def test_what_is_set_is_told_with_who_did_and_what_stays_keeps_its_author(library: Site) -> None:
    anna, ben = library.caller(KeyScope.TEACHER), library.caller(KeyScope.ADMIN)
    before = anna("PUT", SETTINGS, {"grade": 5, "evidences": 2}).get_json()

    after = ben("PUT", SETTINGS, {"grade": 5, "tone": "plain"}).get_json()

    assert after["grade"] == before["grade"]
    assert after["evidences"]["value"] is None
    assert after["evidences"]["changed_by"] != before["evidences"]["changed_by"]
    assert (after["tone"]["value"], after["least_books"]["changed"]) == ("plain", None)


def test_the_same_again_changes_nothing(teacher: Caller) -> None:
    assert teacher("PUT", SETTINGS, {"grade": 5}).get_json() == teacher("PUT", SETTINGS, {"grade": 5}).get_json()


@pytest.mark.parametrize("wrong", [{"grade": 2}, {"evidences": 0}, {"tone": "loud"}, {"least_books": 1.5}, {"colour": 1}])
def test_what_cannot_be_is_refused(teacher: Caller, wrong: dict[str, object]) -> None:
    assert teacher("PUT", SETTINGS, wrong).status_code == 400


def test_students_do_not_set_anything(student: Caller) -> None:
    assert student("GET", SETTINGS).status_code == 403
    assert student("PUT", SETTINGS, {}).status_code == 403


def test_a_school_with_a_higher_threshold_finds_less(library: Site, student: Caller, teacher: Caller) -> None:
    before = student("POST", "/api/v1/essays/evidence", {"essay": ESSAY}).get_json()["evidence"]

    teacher("PUT", SETTINGS, {"least_books": 1.0})

    assert len(before) == 1
    assert student("POST", "/api/v1/essays/evidence", {"essay": ESSAY}).get_json()["evidence"] == []
    assert library.caller(school="another")("GET", "/api/v1/collections/books/sources").status_code in (200, 403)


def test_a_school_has_as_many_sentences_as_it_wants_unless_a_request_says_otherwise(
    library: Site, student: Caller, teacher: Caller
) -> None:
    shelve(library.services, "Town", ["Liars rob mankind of truth daily.", "Silencing an opinion robs everybody of truth."])
    essay = "Silencing opinion robs mankind of truth. Silencing an opinion robs everybody of truth."

    def found(**more: object) -> int:
        return len(student("POST", "/api/v1/essays/evidence", {"essay": essay, **more}).get_json()["evidence"])

    usual = found()
    teacher("PUT", SETTINGS, {"evidences": 2})

    assert (usual, found(), found(evidences=1), found(evidences="paragraphs")) == (1, 2, 1, 1)


def test_questions_are_measured_in_the_background_and_answers_go_by_it_once_accepted(library: Site, teacher: Caller) -> None:
    shelve(library.parts.collections[Collection.DOCUMENTS], "Town", *[[sentence] for sentence in TOWN])
    address = "/api/v1/calibrations/documents"
    begun = teacher("POST", address, {"n": 40})
    again = teacher("POST", address, {"n": 40})
    measure_all(library.parts.measuring)

    measured = teacher("GET", address).get_json()
    accepted = teacher("PUT", address, {"measurement": measured["measurement"]["id"]}).get_json()

    assert (begun.status_code, again.get_json()["id"]) == (202, begun.get_json()["id"])
    assert (measured["in_use"], measured["measurement"]["state"], accepted["in_use"]) == (False, "done", True)
    assert len(measured["picture"]["curve"]) == 51
    assert sum(one["answered"] for one in measured["picture"]["histogram"]) == measured["picture"]["questions"]
    assert [band["least"] for band in measured["bands"]] == [0.5]
    assert teacher("DELETE", address).get_json()["in_use"] is False


def test_books_are_measured_too_and_have_the_settings_threshold(library: Site, teacher: Caller) -> None:
    shelve(library.services, "Town", TOWN)
    teacher("POST", "/api/v1/calibrations/books", {"n": 30})
    measure_all(library.parts.measuring)

    told = teacher("GET", "/api/v1/calibrations/books").get_json()

    assert told["in_use"]
    assert told["picture"]["questions"] == 30
    assert 0 < told["default"] < 0.6


def test_a_help_desk_measures_its_threshold_by_its_own_answers_unless_a_person_chose_one(
    library: Site, teacher: Caller
) -> None:
    at, entries = "/api/v1/calibrations/helpdesk", [{"question": text, "answer": "Yes."} for text in TOWN]
    added = teacher("POST", "/api/v1/faq/lists", {"entries": entries[:11]}).get_json()["entries"]
    teacher("PUT", "/api/v1/faq/approval", {"entries": [one["id"] for one in added], "approved": True})
    assert teacher("GET", at).get_json()["measurement"] is None

    added = teacher("POST", "/api/v1/faq/lists", {"entries": entries}).get_json()["entries"]
    teacher("PUT", "/api/v1/faq/approval", {"entries": [one["id"] for one in added], "approved": True})
    measure_all(library.parts.measuring)

    told = teacher("GET", at).get_json()
    assert (told["in_use"], told["measurement"]["state"], told["measurement"]["by"]) == (True, "done", "automatic")

    own = accepted("school", library.parts.collections[Collection.HELPDESK])
    assert own
    assert own.automatic
    chosen = replace(own, automatic=False, questions=7)
    accept("school", chosen, library.parts.collections[Collection.HELPDESK])
    teacher("PUT", f"/api/v1/faq/{added[0]['id']}/approval", {"approved": False})
    measure_all(library.parts.measuring)
    assert accepted("school", library.parts.collections[Collection.HELPDESK]) == chosen


def test_nothing_is_measured_of_what_is_not_there(teacher: Caller, library: Site) -> None:
    teacher("POST", "/api/v1/calibrations/textbook", {})
    measure_all(library.parts.measuring)

    told = teacher("GET", "/api/v1/calibrations/textbook").get_json()

    assert told["measurement"]["state"] == "failed"
    assert told["measurement"]["message"]
    assert told["picture"] is None
    assert teacher("GET", "/api/v1/calibrations/lectures").status_code == 404
    assert teacher("PUT", "/api/v1/calibrations/textbook", {"measurement": told["measurement"]["id"]}).status_code == 404


def test_what_was_under_way_when_the_program_ended_is_asked_for_again(library: Site, teacher: Caller) -> None:
    shelve(library.services, "Town", TOWN)
    teacher("POST", "/api/v1/calibrations/books", {"n": 30})
    measuring = replace(library.parts.measuring, queue=(queue := Kept()))

    resume(measuring)
    for task in queue.tasks:
        run_measurement(task, 1, measuring)

    assert teacher("GET", "/api/v1/calibrations/books").get_json()["measurement"]["state"] == "done"


def test_one_that_never_succeeds_is_given_up(library: Site, teacher: Caller) -> None:
    shelve(library.services, "Town", TOWN)
    teacher("POST", "/api/v1/calibrations/books", {"n": 30})
    measuring = replace(library.parts.measuring, queue=(queue := Kept()))
    resume(measuring)

    run_measurement(queue.tasks[0], measuring.attempts + 1, measuring)

    told = teacher("GET", "/api/v1/calibrations/books").get_json()["measurement"]
    assert told["state"] == "failed"
    assert "attempts" in told["message"]


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

    def by_night(name: str) -> Any:
        lines = {"data": json.dumps({"id": name, "text": text}), "headers": {"Content-Type": "application/x-ndjson"}}
        batch = teacher("POST", "/api/v1/batches", query_string={"start": "now"}, **lines).get_json()["batch"]
        queue.wait_until_idle(WITHIN)
        [row] = teacher("GET", f"/api/v1/batches/{batch}/essays").get_json()["essays"]
        told = teacher("GET", f"/api/v1/feedback/{row['feedback']['id']}").get_json()
        return {part: told[part] for part in ("evidence", "content", "expressions", "features")}

    seen = [by_night("usual")]
    for wanted in ({"evidences": 1}, {"tone": "plain"}, {"grade": 12}, {"least_books": 1.0}):
        teacher("PUT", SETTINGS, wanted)
        seen.append(by_night(f"{wanted}"))

    assert [one != seen[0] for one in seen[1:]] == [True] * 4
    assert [len(one["evidence"]) for one in seen] == [2, 1, 2, 2, 0]
