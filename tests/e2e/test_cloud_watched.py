"""What operators see of the cloud: log lines of each part, and nobody's words anywhere."""

import json

import pytest

from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf

WORD = "quixotically"
ESSAY = f"The ship {WORD} left harbour, as number 7 was told."


@pytest.fixture(scope="module")
def watched(cloud: Cloud) -> Cloud:
    """A cloud with a book that was asked about once."""
    cloud.put("watched/ship.pdf", a_long_pdf("The ship left harbour", pages=6))
    cloud.wait_for_book("watched", "ship")
    assert cloud.evidence(ESSAY, "watched").json()["evidence"]
    return cloud


def logged(cloud: Cloud, part: str) -> str:
    return cloud.stack.parts[part].log.read_text("utf-8")


def test_a_log_line_names_the_school_and_the_request(watched: Cloud) -> None:
    lines = [json.loads(line) for line in logged(watched, "api").splitlines() if '"watched"' in line]

    [line] = [line for line in lines if line["message"] == "POST /api/v1/essays/evidence"]
    assert (line["severity"], line["status"]) == ("INFO", 200)


def test_it_is_told_how_long_a_book_took_from_its_upload_to_being_searched(watched: Cloud) -> None:
    lines = [json.loads(line) for line in logged(watched, "embedder").splitlines() if '"age_ms"' in line]

    told = [line for line in lines if line["school"] == "watched"]  # of each use
    assert {(line["message"], line["logger"]) for line in told} == {("book searched", "chapterverse.library.versions")}
    assert all(line["age_ms"] > 0 for line in told)


def test_doctor_finds_nothing_amiss_in_any_part(watched: Cloud) -> None:
    said = watched.run("chapterverse.cli.app", "doctor", "--json", CHAPTERVERSE_SCHOOL="watched")

    amiss = {each["name"]: each["message"] for each in json.loads(said.stdout) if each["state"] == "fail"}
    assert (amiss, said.returncode) == ({}, 0)


def test_no_log_line_holds_what_a_student_wrote(watched: Cloud) -> None:
    lines = "".join(logged(watched, part) for part in watched.stack.parts)

    assert "POST /v1/embed" in lines
    assert WORD not in lines
