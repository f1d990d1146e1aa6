"""Essays and classes of essays at the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from chapterverse import composition
from chapterverse.essays.batch.entries import EssayEntry
from tests.support.batches import TRUTH, lines
from tests.support.language_servers import as_simulated, language_server
from tests.support.pdfs import a_pdf
from tests.support.shelved import empty_library
from tests.support.web import shelve_pdf
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run

ESSAY = "Silencing an opinion robs everybody. If it is right, they lose the truth."


@pytest.fixture(autouse=True)
def _a_book(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The local school has one real PDF."""
    monkeypatch.setattr(composition.ports, "embedder", lambda _, **__: WordEmbedder())
    with empty_library(home) as services:
        shelve_pdf(services, a_pdf("Silencing an opinion robs everybody of truth."), school="local")


def test_feedback_is_written_by_the_language_model_that_is_set(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with language_server() as server:
        server.reply = as_simulated
        monkeypatch.setenv("CHAPTERVERSE_LLM_URL", f"{server.url}/v1")
        monkeypatch.setenv("CHAPTERVERSE_LLM_MODEL", "a-model")
        monkeypatch.setenv("CHAPTERVERSE_MAX_FEEDBACK_SECONDS", "30")
        result = run("feedback", "-", "--json", stdin=ESSAY)
    assert "`chapterverse doctor` says why" in run("feedback", "-", stdin=ESSAY).stderr  # its server is gone

    feedback = json.loads(result.stdout)
    assert feedback["by"] == "a-model"
    assert feedback["comments"]


@pytest.mark.parametrize(("name", "content"), [("feedback.html", b"data:image/png;base64,"), ("FEEDBACK.PDF", b"%PDF-")])
def test_feedback_is_written_to_a_file_in_the_form_of_its_name(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    result = run("feedback", "-", "--output", tmp_path / name, stdin=ESSAY)

    assert (result.exit_code, result.stdout) == (0, "")
    assert content in (tmp_path / name).read_bytes()


def test_a_teacher_says_for_whom_how_and_on_what_feedback_is_given(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rubric.txt").write_text("At least 5 paragraphs (20%)\nIs brave")

    wanted = ("--grade", "3", "--tone", "plain", "--rubric", tmp_path / "rubric.txt")
    criteria = json.loads(run("feedback", "-", "--json", *wanted, stdin=ESSAY).stdout)["criteria"]

    assert {one["criterion"]: one["weight"] for one in criteria} == {"At least 5 paragraphs": 20, "Is brave": 1}


def a_class(folder: Path, *texts: str) -> Path:
    """A file of essays."""
    file = folder / "class.jsonl"
    file.write_text("".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(texts, start=1)))
    return file


def last_line(stdout: str) -> dict[str, Any]:
    return json.loads(stdout.splitlines()[-1])


def test_pages_of_a_class_that_was_there_before_do_not_stay_beside_those_of_the_new_one(run: Run, tmp_path: Path) -> None:
    run("batch", "--nice", 0, a_class(tmp_path, TRUTH, "My uncle sings.", "So do I."))
    own = tmp_path / "class-feedback" / "2024-report.html"
    own.write_text("A teacher's own file.")

    run("batch", "--nice", 0, a_class(tmp_path, "My uncle sings."))

    assert sorted(path.name for path in own.parent.iterdir()) == ["0001-1.html", own.name, "results.jsonl"]


def test_results_that_are_not_ours_are_replaced_and_nothing_else_goes(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "class-feedback"
    out.mkdir()
    (out / "results.jsonl").write_text("not JSON")
    (out / "0002-2.html").write_text("A page of somebody's.")

    assert run("batch", "--nice", 0, a_class(tmp_path, TRUTH)).exit_code == 0
    assert (out / "0002-2.html").exists()
    assert lines((out / "results.jsonl").read_bytes())


def test_a_folder_of_texts_is_a_class_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.md").write_text(f"# Speech\n\n{TRUTH}")
    (tmp_path / "class" / "photo.jpg").write_bytes(b"JPEG")

    result = run("batch", "--nice", 0, tmp_path / "class", "--out", tmp_path / "out", "--json")

    told = last_line(result.stdout)
    assert (told["done"], told["essays"], told["state"], told["folder"]) == (1, 1, "done", str(tmp_path / "out"))
    assert [one["id"] for one in lines((tmp_path / "out" / "results.jsonl").read_bytes())] == ["ada"]


def test_a_bad_line_is_told_of_and_stops_no_other(run: Run, tmp_path: Path) -> None:
    essays = a_class(tmp_path, TRUTH, "", "My uncle sings.")

    result = run("batch", "--nice", 0, essays, "--json")

    assert result.exit_code == 2
    assert "chapterverse: 2: Line 2 has no text." in result.stderr
    told = last_line(result.stdout)
    assert (told["done"], told["failed"]) == (2, 1)
    assert [(one["number"], one["reason"]) for one in told["unfinished"]] == [(2, "bad_request")]


def test_without_a_file_what_was_handed_in_over_http_is_done(run: Run, home: Path) -> None:
    from chapterverse.cli.session import settings
    from chapterverse.essays.batch.service import submit_batch

    assert run("batch", "--nice", 0).stdout == ""
    handed_in = submit_batch("local", [EssayEntry(1, "ada", None, TRUTH)], [], composition.batch_context(settings()))

    told = last_line(run("batch", "--nice", 0, "--json").stdout)

    assert (told["batch"], told["done"], told["folder"]) == (handed_in.key.batch, 1, None)


@pytest.mark.parametrize("name", ["class.docx", "nothing.jsonl"])
def test_what_is_no_class_is_unusable_input(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "class.docx").write_bytes(b"PK")

    assert run("batch", "--nice", 0, tmp_path / name).exit_code == 2
    assert not list(tmp_path.glob("*-feedback"))
