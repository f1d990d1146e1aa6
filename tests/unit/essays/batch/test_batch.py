import json
from pathlib import Path
from typing import Any

import pytest

from chapterverse import composition
from chapterverse.essays.batch.entries import EssayEntry
from tests.support.batches import TRUTH, lines
from tests.support.shelved import empty_library, shelve
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run


@pytest.fixture(autouse=True)
def _a_book(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition.ports, "embedder", lambda _, **__: WordEmbedder())
    with empty_library(home) as services:
        shelve(services, "On Liberty", [TRUTH], school="local")


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


def test_batches_given_again_do_no_essay_twice(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    essays = a_class(tmp_path, TRUTH)
    first = last_line(run("batch", "--nice", 0, essays, "--json").stdout)
    embedder = WordEmbedder()
    monkeypatch.setattr(composition.ports, "embedder", lambda _, **__: embedder)
    again = last_line(run("batch", "--nice", 0, essays, "--json").stdout)
    assert (again["batch"], again["done"], embedder.calls) == (first["batch"], 1, [])
