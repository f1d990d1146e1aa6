"""`chapterverse books reembed`, with two real models of a few kilobytes."""

import json
from pathlib import Path

import pytest

from tests.support.pdfs import a_pdf
from tests.support.tiny_bert import tiny_bert
from tests.unit.cli.conftest import Run

ESSAY = "The object of this essay is to assert one very simple principle."


def models_of(home: Path) -> set[str]:
    """Whose vectors are kept."""
    return {path.name.removeprefix("vectors-").removesuffix(".npy") for path in home.rglob("vectors-*.npy")}


def test_books_are_searched_with_the_model_before_until_all_are_embedded_anew(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tiny_bert(tmp_path / "first"), tiny_bert(tmp_path / "second", "cls")
    (tmp_path / "on-principle.pdf").write_bytes(a_pdf())
    monkeypatch.setenv("CHAPTERVERSE_MIN_SCORE", "-1")
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(first))
    run("books", "add", tmp_path / "on-principle.pdf")
    by_first = run("evidence", "-", "--json", stdin=ESSAY).stdout

    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(second))
    alone = run("evidence", "-", "--json", stdin=ESSAY)
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL_BEFORE", str(first))
    meanwhile = run("evidence", "-", "--json", stdin=ESSAY)
    done = run("books", "reembed", "--json")
    monkeypatch.delenv("CHAPTERVERSE_EMBEDDING_MODEL_BEFORE")
    by_second = run("evidence", "-", "--json", stdin=ESSAY)

    assert alone.exit_code == 3
    assert "chapterverse books reembed" in alone.stderr
    assert meanwhile.stdout == by_first
    assert [json.loads(line)["outcome"] for line in done.stdout.splitlines()] == ["embedded anew"]
    assert len(models_of(home)) == 1
    assert json.loads(by_second.stdout)["evidence"]
    assert run("books", "reembed").stdout == ""
