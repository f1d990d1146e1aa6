import json
import os
from pathlib import Path
from threading import Thread

import pytest

from chapterverse import composition
from scripts.bench.simulated_model import answer, title_of
from tests.support.language_servers import language_server, says
from tests.support.pdfs import a_pdf
from tests.support.shelved import empty_library, shelve
from tests.support.web import shelve_pdf
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run

ESSAY = "Silencing an opinion robs everybody. If it is right, they lose the truth."


def test_an_essay_may_come_through_a_pipe_that_has_a_name(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    Thread(target=lambda: (tmp_path / "pipe").write_text(ESSAY), daemon=True).start()

    assert "is still empty" in run("feedback", tmp_path / "pipe").stderr


def test_feedback_is_written_by_the_language_model_that_is_set(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition.ports, "embedder", lambda _, **__: WordEmbedder())
    with empty_library(home) as services:
        shelve(services, "On Liberty", ["Silencing an opinion robs everybody of truth."], school="local")
    with language_server() as server:
        server.reply = lambda asked: says(answer(title_of(asked.schema or {}), asked.material))
        monkeypatch.setenv("CHAPTERVERSE_LLM_URL", f"{server.url}/v1")
        monkeypatch.setenv("CHAPTERVERSE_LLM_MODEL", "a-model")
        monkeypatch.setenv("CHAPTERVERSE_MAX_FEEDBACK_SECONDS", "30")
        result = run("feedback", "-", "--json", stdin=ESSAY)
    assert "`chapterverse doctor` says why" in run("feedback", "-", stdin=ESSAY).stderr  # its server is gone

    feedback = json.loads(result.stdout)
    assert feedback["by"] == "a-model"
    assert feedback["comments"]


@pytest.fixture
def with_a_book(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The local school has one real PDF."""
    monkeypatch.setattr(composition.ports, "embedder", lambda _, **__: WordEmbedder())
    with empty_library(home) as services:
        shelve_pdf(services, a_pdf("Silencing an opinion robs everybody of truth."), school="local")


@pytest.mark.usefixtures("with_a_book")
@pytest.mark.parametrize(("name", "content"), [("feedback.html", b"data:image/png;base64,"), ("FEEDBACK.PDF", b"%PDF-")])
def test_feedback_is_written_to_a_file_in_the_form_of_its_name(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    result = run("feedback", "-", "--output", tmp_path / name, stdin=ESSAY)

    assert (result.exit_code, result.stdout) == (0, "")
    assert content in (tmp_path / name).read_bytes()


@pytest.mark.usefixtures("with_a_book")
def test_a_teacher_says_for_whom_how_and_on_what_feedback_is_given(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rubric.txt").write_text("At least 5 paragraphs (20%)\nIs brave")

    wanted = ("--grade", "3", "--tone", "plain", "--rubric", tmp_path / "rubric.txt")
    criteria = json.loads(run("feedback", "-", "--json", *wanted, stdin=ESSAY).stdout)["criteria"]

    assert {one["criterion"]: one["weight"] for one in criteria} == {"At least 5 paragraphs": 20, "Is brave": 1}
