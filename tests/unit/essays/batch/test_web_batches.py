"""Essays of a class over HTTP: handed in, looked at, fetched, forgotten."""

import io
import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.support.batches import TRUTH, lines
from tests.support.pictures import a_zip
from tests.support.web import Caller, Site, wait_for_essays

LINES = "application/x-ndjson"


def jsonl(*texts: str) -> str:
    return "".join(json.dumps({"id": f"student {n}", "text": text}) + "\n" for n, text in enumerate(texts, start=1))


def handed_in(teacher: Caller, data: str, media: str = LINES, **query: str) -> Any:
    answer = teacher("POST", "/api/v1/batches", data=data.encode(), headers={"Content-Type": media}, query_string=query)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def get(teacher: Caller, batch: str, more: str = "") -> TestResponse:
    return teacher("GET", f"/api/v1/batches/{batch}{more}")


def test_begun_at_once_its_feedback_is_fetched_when_it_is_done(library: Site, teacher: Caller) -> None:
    batch = handed_in(teacher, jsonl(TRUTH, "My uncle sings."), start="now")
    assert (batch["state"], get(teacher, batch["batch"], "/results").status_code) == ("running", 404)

    wait_for_essays(library.parts.batches)

    assert get(teacher, batch["batch"]).get_json()["state"] == "done"
    all_ = get(teacher, batch["batch"], "/results")
    assert all_.headers["Content-Disposition"] == 'attachment; filename="results.jsonl"'
    first, second = lines(all_.data)
    assert [(one["number"], one["id"]) for one in (first, second)] == [(1, "student 1"), (2, "student 2")]
    assert "My uncle sings." in teacher("GET", f"/api/v1/feedback/{second['feedback']}?format=html").text


@pytest.mark.parametrize(
    ("media", "data", "status"),
    [
        (LINES, b"{}", 400),
        (LINES, b"", 400),
        ("text/csv", b"name\nada", 415),
        ("application/pdf", b"%PDF", 415),
        (LINES, b'{"text": "I say so."}\n' * 11, 413),
        (LINES, b" " * (2**20 + 1), 413),
    ],
)
def test_what_is_no_batch_is_refused(teacher: Caller, media: str, data: bytes, status: int) -> None:
    answer = teacher("POST", "/api/v1/batches", data=data, headers={"Content-Type": media})

    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")


def test_files_are_a_batch_by_their_names(teacher: Caller) -> None:
    files = [(io.BytesIO(TRUTH.encode()), "Ada.txt"), (io.BytesIO(b"\0"), "Ben.md")]
    answer = teacher("POST", "/api/v1/batches", data={"file": files}, query_string={"name": "Form 3b"})

    told = answer.get_json()
    assert (answer.status_code, told["name"], told["essays"]) == (201, "Form 3b", 2)
    assert [(one["id"], one["state"]) for one in told["unfinished"]] == [("Ada", "waiting"), ("Ben", "failed")]
    assert "not a text file" in told["unfinished"][1]["message"]


def test_a_zip_of_files_is_a_batch_and_what_else_is_in_it_is_named(teacher: Caller) -> None:
    data = a_zip({"form/Ben.txt": b"My uncle sings.", "form/Ada.txt": TRUTH.encode(), "form/a.png": b"PNG"})

    answer = teacher("POST", "/api/v1/batches", data=data, headers={"Content-Type": "application/zip"})

    reasons = {one["id"]: one["reason"] for one in answer.get_json()["unfinished"]}
    assert reasons == {"Ada": None, "Ben": None, "a.png": "bad_request"}
    for data, told in ((b"PK\x03\x04 nothing", "damaged"), (a_zip({"a.png": b"PNG"}), "no essays")):
        answer = teacher("POST", "/api/v1/batches", data=data, headers={"Content-Type": "application/zip"})
        assert answer.status_code == 400
        assert told in answer.get_json()["detail"]


def test_a_batch_that_waits_is_begun_says_why_an_essay_failed_and_is_forgotten_at_once(library: Site, teacher: Caller) -> None:
    batch = handed_in(teacher, jsonl(TRUTH, ""), name="Form 3b")["batch"]

    begun = teacher("POST", f"/api/v1/batches/{batch}/begin")
    assert (begun.status_code, begun.get_json()["state"]) == (200, "running")
    wait_for_essays(library.parts.batches)

    [ben] = get(teacher, batch).get_json()["unfinished"]
    assert (ben["number"], ben["message"]) == (2, 'Line 2 has no text. Put the essay in "text".')
    assert teacher("DELETE", f"/api/v1/batches/{batch}").status_code == 204
    assert get(teacher, batch).status_code == 404
    assert library.parts.batches.results.names("") == []
