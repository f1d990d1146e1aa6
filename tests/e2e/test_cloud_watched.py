"""What operators see of the cloud: a trace through all of it, log lines that belong to it, and nobody's words anywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.cloud_local.collector import Span
from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.serving import eventually

WORD = "quixotically"
ESSAY = f"The ship {WORD} left harbour, as number 7 was told."
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def watched(cloud: Cloud) -> Cloud:
    """A cloud with a book that was asked about once, in a trace of the caller's."""
    cloud.put("watched/ship.pdf", a_long_pdf("The ship left harbour", pages=6))
    cloud.wait_for_book("watched", "ship")
    answer = cloud.call(
        "POST", "/api/v1/essays/evidence", "watched", json={"essay": ESSAY}, headers={"traceparent": TRACEPARENT}
    )
    assert answer.json()["evidence"]
    return cloud


def logged(cloud: Cloud, part: str) -> str:
    return cloud.stack.parts[part].log.read_text("utf-8")


def test_an_essays_trace_goes_from_the_function_to_the_embedder(watched: Cloud) -> None:
    expected = {"POST /api/v1/essays", "embedder.embed_queries", "index.search", "bucket.open", "POST /v1/embed"}

    def whole() -> list[Span] | None:
        spans = watched.collector.of_trace(TRACE)
        return spans if {span.name for span in spans} >= expected else None

    spans = eventually(whole, f"spans {expected}")
    assert {span.service for span in spans} == {"chapterverse-functions", "chapterverse-embedder"}
    ids = {span.id for span in spans}
    assert [span.parent for span in spans if span.parent not in ids] == ["00f067aa0ba902b7"]


def test_a_books_trace_goes_from_its_event_through_its_tasks(watched: Cloud) -> None:
    def whole() -> list[Span] | None:
        spans = [span for span in watched.collector.spans if span.name == "index.write"]
        began = [each.name for span in spans for each in watched.collector.of_trace(span.trace) if not each.parent]
        return spans if "google.cloud.storage.object.v1.finalized" in began else None

    [*writes] = eventually(whole, "a write that began with an event")
    names = {span.name for span in watched.collector.of_trace(writes[-1].trace)}
    assert names >= {"uploads.read", "parser", "queue.add", "POST /v1/index", "embedder.embed_passages", "catalog.activate"}


def test_log_lines_name_the_trace_the_school_and_the_request(watched: Cloud) -> None:
    lines = [json.loads(line) for line in logged(watched, "api").splitlines() if TRACE in line]

    [line] = [line for line in lines if line["message"] == "POST /api/v1/essays/evidence"]
    assert line["logging.googleapis.com/trace"] == f"projects/local/traces/{TRACE}"
    assert (line["severity"], line["school"], line["status"]) == ("INFO", "watched", 200)


def test_it_is_told_how_long_a_book_took_from_its_upload_to_being_searched(watched: Cloud) -> None:
    lines = [json.loads(line) for line in logged(watched, "embedder").splitlines() if '"age_ms"' in line]

    told = [line for line in lines if line["school"] == "watched"]  # of each use
    assert {(line["message"], line["logger"]) for line in told} == {("book searched", "chapterverse.library.versions")}
    assert all(line["age_ms"] > 0 for line in told)


def test_doctor_finds_nothing_amiss_in_any_part(watched: Cloud) -> None:
    environment = {**os.environ, **watched.stack.environment, "CHAPTERVERSE_SCHOOL": "watched"}
    command = [sys.executable, "-W", "ignore", "-m", "chapterverse.cli.app", "doctor", "--json"]

    said = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)

    amiss = {each["name"]: each["message"] for each in json.loads(said.stdout) if each["state"] == "fail"}
    assert (amiss, said.returncode) == ({}, 0)


def test_no_log_line_and_no_span_holds_what_a_student_wrote(watched: Cloud) -> None:
    lines = "".join(logged(watched, part) for part in watched.stack.parts)

    assert "POST /v1/embed" in lines
    assert WORD not in lines
    assert watched.collector.raw
    assert WORD.encode() not in watched.collector.raw


def test_nor_does_any_record_when_every_library_says_all_it_can(watched: Cloud) -> None:
    environment = {**os.environ, **watched.stack.environment}
    command = [sys.executable, "-W", "ignore", "-m", "tests.support.loud_api", watched.key("watched")]

    said = subprocess.run(command, env=environment, cwd=ROOT, input=ESSAY, capture_output=True, text=True, check=True)

    status, *records = said.stdout.splitlines()
    assert status == "200"
    assert any("httpcore" in record for record in records)
    assert not [record for record in records if WORD in record]
