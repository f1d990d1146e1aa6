import json
from pathlib import Path
from typing import Any

import pytest

from chapterverse import composition
from chapterverse.essays.cli import RatingName, ShowName
from chapterverse.essays.model import Rating, Show
from tests.support.shelved import empty_library, shelve
from tests.support.traces import files_with
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run

ESSAY = "# Speech\n\nSilencing an opinion robs everybody. If it is right, they lose the truth."


@pytest.fixture
def given(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What `chapterverse feedback` has answered on ESSAY."""
    monkeypatch.setattr(composition.models, "embedder", lambda _: WordEmbedder())
    with empty_library(home) as services:
        shelve(services, "On Liberty", ["Silencing an opinion robs everybody of truth."], school="local")
    feedback: dict[str, Any] = json.loads(run("feedback", "-", "--json", stdin=ESSAY).stdout)
    return feedback


def test_feedback_can_be_seen_again(run: Run, given: dict[str, Any]) -> None:
    shown = json.loads(run("marks", "show", given["id"], "--json").stdout)

    assert {name: shown[name] for name in given} == given
    told = run("marks", "show", given["id"]).stdout
    assert told.startswith("# Feedback on “Speech”")
    assert f"- {given['comments'][0]['number']} · **" in told


def test_what_is_kept_is_listed(run: Run, given: dict[str, Any]) -> None:
    [listed] = json.loads(run("marks", "show", "--json").stdout)

    assert (listed["id"], listed["title"]) == (given["id"], "Speech")
    assert run("marks", "show").stdout.startswith(f"{given['id']}\tSpeech\t")


def test_a_reader_is_told_where_feedback_is_kept_but_not_in_its_midst(run: Run, given: dict[str, Any]) -> None:
    result = run("feedback", "-", stdin=ESSAY)

    assert "Stored for 30 days: chapterverse marks show " in result.stderr
    assert "marks show" not in result.stdout


def test_deleted_feedback_is_gone_from_every_file(run: Run, given: dict[str, Any], home: Path) -> None:
    assert files_with("robs everybody. If", home)

    assert run("marks", "delete", given["id"]).exit_code == 0

    assert json.loads(run("marks", "show", "--json").stdout) == []
    assert run("marks", "show", given["id"]).exit_code == 3
    assert run("marks", "delete", given["id"]).exit_code == 3
    assert files_with("robs everybody. If", home) == []


def test_where_nothing_is_to_be_kept_there_is_no_id_and_what_was_kept_expires(
    run: Run, given: dict[str, Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHAPTERVERSE_KEEP_DAYS", "0")

    result = run("feedback", "-", "--json", stdin=ESSAY)

    assert (json.loads(result.stdout)["id"], result.stderr) == (None, "")
    assert (
        run("expire").stdout
        == "Removed feedback on 1 essays, 0 batches of essays, 0 conversations, and citations of 0 lectures.\n"
    )
    assert files_with("robs everybody. If", home) == []
    monkeypatch.setenv("CHAPTERVERSE_KEEP_DAYS", "30")
    assert json.loads(run("marks", "show", "--json").stdout) == []


def test_a_teacher_marks_hides_and_exports_and_takes_it_back(run: Run, given: dict[str, Any]) -> None:
    id = given["id"]
    assert run("marks", "set", id, "evidence", 1, "--thumb", "down", "--comment", "Off the point.").exit_code == 0
    assert run("marks", "set", id, "evidence", 1, "--show", "hidden").exit_code == 0

    shown, exported = (json.loads(run("marks", *line).stdout) for line in (("show", id, "--json"), ("show", "--export")))
    assert (shown["evidence"], shown["marks"][0]["comment"]) == ([], "Off the point.")
    assert [mark["thumb"] for mark in exported["marks"]] == ["down"]
    assert "Off the point." not in str(exported)
    assert "Off the point." in run("marks", "show", "--export", "--with-text").stdout

    run("marks", "set", id, "evidence", 1, "--show", "normal")
    run("marks", "set", id, "evidence", 1)
    assert {name: json.loads(run("marks", "show", id, "--json").stdout)[name] for name in given} == given
    assert run("marks", "show", "--export").stdout == ""


def test_what_is_not_approved_waits(run: Run, given: dict[str, Any]) -> None:
    run("marks", "set", given["id"], "--withdraw")
    [waiting] = json.loads(run("marks", "show", "--waiting", "--json").stdout)
    run("marks", "set", given["id"], "--approve")

    assert waiting["id"] == given["id"]
    assert json.loads(run("marks", "show", "--waiting", "--json").stdout) == []


def test_every_thumb_and_every_way_to_show_can_be_chosen() -> None:
    assert (list(Rating), list(Show)) == (list(RatingName), list(ShowName))
