import json
from pathlib import Path

import pytest

from chapterverse import composition
from chapterverse.essays.history import list_feedback
from chapterverse.settings import Settings
from tests.support.batches import TRUTH
from tests.support.shelved import empty_library, shelve
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run


@pytest.fixture
def essays(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """Of a class, done."""
    monkeypatch.setattr(composition.models, "embedder", lambda _: WordEmbedder())
    with empty_library(home) as services:
        shelve(services, "On Liberty", [TRUTH], school="local")
    file = tmp_path / "class.jsonl"
    file.write_text(json.dumps({"id": "ada", "text": TRUTH}) + "\n")
    assert run("batch", "--nice", 0, file).exit_code == 0
    return file


def test_batches_are_listed_and_forgotten_by_name(run: Run, essays: Path) -> None:
    [told] = json.loads(run("batch", "--list", "--json").stdout)
    assert (told["essays"], told["done"], told["state"]) == (1, 1, "done")

    removed = run("batch", "--remove", told["batch"], "--yes")

    assert removed.stdout == f"Removed {told['batch']}.\n"
    assert json.loads(run("batch", "--list", "--json").stdout) == []
    assert list_feedback("local", composition.feedback_history(Settings())) == []
    assert composition.batch_context(Settings()).results.names("") == []


def test_a_batch_is_not_forgotten_unasked(run: Run, essays: Path) -> None:
    [told] = json.loads(run("batch", "--list", "--json").stdout)

    assert run("batch", "--remove", told["batch"]).exit_code == 130
    assert told["batch"] in run("batch", "--list").stdout


def test_a_batch_that_is_not_there_is_not_found(run: Run, essays: Path) -> None:
    assert run("batch", "--remove", "nonsense", "--yes").exit_code == 3
