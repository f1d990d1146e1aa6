import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.evaluation.cases import read_variants
from tests.support.language_servers import MODEL, LanguageServer, Reply, language_server
from tests.support.rewriter import rewrites, sentence_in, variants_of
from tests.support.shelved import empty_library, shelve
from tests.unit.conftest import Run

SENTENCES = [f"Custom number {n} grows wherever nobody chooses anything and everybody merely follows." for n in range(5)]


@pytest.fixture
def book(home: Path) -> str:
    """A book of five sentences that may be drawn."""
    with empty_library(home) as services:
        return shelve(services, "Habits", SENTENCES, school="local").id


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageServer]:
    """A language model, set."""
    with language_server() as running:
        running.reply = rewrites
        chosen = {"LLM": "openai", "LLM_URL": f"{running.url}/v1", "LLM_MODEL": MODEL, "LLM_PRICES": "0,1"}
        for name, value in chosen.items():
            monkeypatch.setenv(f"CHAPTERVERSE_{name}", value)
        yield running


def test_without_a_language_model_it_refuses_and_says_why(run: Run, book: str) -> None:
    result = run("variants", "make", "--book", book)

    assert result.exit_code == 1
    assert "CHAPTERVERSE_LLM" in result.stderr


def test_the_file_is_one_that_evaluate_reads(run: Run, book: str, server: LanguageServer, tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"

    result = run("variants", "make", "--book", book, "--n", 3, "--output", file)

    cases = read_variants(file.read_bytes())
    assert (
        result.stdout
        == f"Habits: 3 sentences with variants in {file}, 0 dropped.\nNext: chapterverse evaluate --variants {file}\n"
    )
    assert [(case.book, case.level3) for case in cases] == [("habits", variants_of(case.sentence)["level3"]) for case in cases]
    assert len({case.sentence for case in cases} & set(SENTENCES)) == 3


def test_as_json_it_says_what_was_made_dropped_and_paid(
    run: Run, book: str, server: LanguageServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server.reply = lambda asked: Reply("no JSON") if sentence_in(asked) == SENTENCES[0] else rewrites(asked)

    result = run("variants", "make", "--book", book, "--n", 5, "--json")

    told = {
        "book": "habits",
        "file": "variants-habits.jsonl",
        "drawn": 5,
        "made": 4,
        "dropped": 1,
        "left": 0,
        "cost_micros": 4 * 90,
    }
    assert json.loads(result.stdout) == told
    assert len((tmp_path / "variants-habits.jsonl").read_text("utf-8").splitlines()) == 4


def test_after_a_failure_the_same_command_goes_on(run: Run, book: str, server: LanguageServer, tmp_path: Path) -> None:
    command = ("variants", "make", "--book", book, "--n", 4, "--output", tmp_path / "cases.jsonl")
    server.reply = lambda asked: rewrites(asked) if len(server.asked) <= 2 else Reply(status=503)
    failed = run(*command)
    server.asked.clear()
    server.reply = rewrites

    assert run(*command).exit_code == 0
    assert failed.exit_code == 5
    assert "2 of 4 sentences are done. Run the same command again" in failed.stderr
    assert len(server.asked) == 2
    assert len(read_variants((tmp_path / "cases.jsonl").read_bytes())) == 4


def test_where_none_can_be_used_a_larger_model_is_named(run: Run, book: str, server: LanguageServer, tmp_path: Path) -> None:
    server.reply = lambda _: Reply("no JSON")

    result = run("variants", "make", "--book", book, "--n", 2, "--output", tmp_path / "cases.jsonl")

    assert "0 sentences with variants" in result.stdout
    assert "set a larger model by CHAPTERVERSE_LLM_MODEL" in result.stdout
