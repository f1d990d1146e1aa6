"""What a student wrote is kept where it is meant to be, for as long as it is meant to be, and nowhere else."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.history import expire
from tests.support.shelved import shelve
from tests.support.traces import files_with
from tests.support.web import Site, site

WORD = "quokkapalooza"  # nobody else writes it
LONG = f"Steel holds carbon, and the {WORD} holds on. " * 150
ESSAY = f"# {WORD} and bees\n\nBees gathered nectar, said the {WORD}.\n\n{LONG}"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Site]:
    """The program goes on throughout, so nothing is tidied up by its end."""
    with site(tmp_path) as opened:
        shelve(opened.services, "Bees", ["Bees gathered nectar, said he."])
        yield opened


def give_feedback(running: Site) -> str:
    """The id of feedback on ESSAY."""
    answer = running.caller()("POST", "/api/v1/essays/feedback", {"essay": ESSAY})
    assert WORD in answer.text
    return str(answer.get_json()["id"])


def test_an_essay_leaves_its_trace_in_the_catalog_alone_and_none_when_it_is_deleted(running: Site, tmp_path: Path) -> None:
    teacher, ids = running.caller(KeyScope.TEACHER), [give_feedback(running) for _ in range(3)]

    for id in ids:
        assert {name.partition("-")[0] for name in files_with(WORD, tmp_path)} == {"catalog.db"}
        assert teacher("DELETE", f"/api/v1/feedback/{id}").status_code == 204

    assert files_with(WORD, tmp_path) == []


def test_an_essay_leaves_no_trace_when_its_days_are_over(running: Site, tmp_path: Path) -> None:
    give_feedback(running)
    assert files_with(WORD, tmp_path)

    history = replace(running.parts.essays.history, days=0)
    expire(history, history.since)

    assert files_with(WORD, tmp_path) == []


def test_nobody_says_a_word_of_it(running: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    teacher, id = running.caller(KeyScope.TEACHER), give_feedback(running)

    for method, path in (("GET", ""), ("GET", f"/{id}"), ("DELETE", f"/{id}")):
        assert teacher(method, f"/api/v1/feedback{path}").status_code < 300

    assert caplog.records
    assert all(WORD not in str(vars(record)) for record in caplog.records)
