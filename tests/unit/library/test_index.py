"""`chapterverse index`: what is searched is moved or embedded anew, and is the same before and after."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.search import plan
from tests.support.pdfs import a_pdf
from tests.support.tiny_bert import tiny_bert
from tests.unit.conftest import Run

ESSAY = "The object of this essay is to assert one very simple principle."
USES = 4  # of a book: essays, Ask, textbooks, lectures


def test_a_damaged_index_is_rebuilt_by_the_next_search_which_finds_the_same(run: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "principle.pdf").write_bytes(a_pdf())
    run("sources", "add", tmp_path / "principle.pdf", "--title", "Principle")
    before = run("feedback", "--evidence", "-", "--json", stdin=ESSAY)
    whole = {path: path.read_bytes() for path in (home / "vectors").rglob("*.vectors")}
    for path in whole:
        path.write_bytes(b"")

    found, again = (run("feedback", "--evidence", "-", "--json", stdin=ESSAY) for _ in range(2))
    run("index", "fill")  # of the book's other uses

    assert (found.exit_code, found.stderr) == (0, "chapterverse: The index of Principle was incomplete and has been rebuilt.\n")
    assert json.loads(before.stdout)["evidence"]
    assert (found.stdout, again.stdout, again.stderr) == (before.stdout, before.stdout, "")
    assert {path: path.read_bytes() for path in whole} == whole


def test_books_of_another_model_are_found_when_embedded_anew(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tiny_bert(tmp_path / "first"), tiny_bert(tmp_path / "second", "cls")
    (tmp_path / "on-principle.pdf").write_bytes(a_pdf())
    monkeypatch.setattr(plan, "ESSAY_FEEDBACK", replace(plan.ESSAY_FEEDBACK, min_score=-1.0))
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(first))
    run("sources", "add", tmp_path / "on-principle.pdf")

    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(second))
    alone = run("feedback", "--evidence", "-", "--json", stdin=ESSAY)
    done = run("index", "fill", "--reembed", "--json")
    by_second = run("feedback", "--evidence", "-", "--json", stdin=ESSAY)

    assert alone.exit_code == 3
    assert "chapterverse index fill --reembed" in alone.stderr
    assert [json.loads(line)["outcome"] for line in done.stdout.splitlines()] == USES * ["embedded anew"]
    assert json.loads(by_second.stdout)["evidence"]
    assert ((again := run("index", "fill", "--reembed")).stdout, "Sources done: 0." in again.stderr) == ("", True)
