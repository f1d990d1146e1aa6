import json
from pathlib import Path

import pytest

from chapterverse import composition
from tests.support.shelved import empty_library, shelve
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


def test_something_to_evaluate_by_is_needed(run: Run) -> None:
    result = run("evaluate")

    assert result.exit_code == 2
    assert "--variants" in result.stderr


def test_a_file_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    result = run("evaluate", "--variants", tmp_path / "none.jsonl")

    assert result.exit_code == 2
    assert "none.jsonl" in result.stderr


def test_a_wrong_line_is_named(run: Run, tmp_path: Path) -> None:
    result = run("evaluate", "--variants", write(tmp_path / "variants.jsonl", {"book": "walden"}))

    assert result.exit_code == 2
    assert "Line 1 of the variants" in result.stderr


def test_a_folder_without_gold_is_named(run: Run, tmp_path: Path) -> None:
    essays = write(tmp_path / "essays.jsonl", {"paragraphs": [{"text": "A paragraph."}]})

    result = run("evaluate", "--essays", essays, "--gold", tmp_path)

    assert result.exit_code == 2
    assert "gold.jsonl.gz" in result.stderr


def test_without_books_the_teacher_is_told_to_add_one(run: Run, tmp_path: Path) -> None:
    essays = write(tmp_path / "essays.jsonl", {"paragraphs": [{"text": "A paragraph."}]})

    result = run("evaluate", "--essays", essays)

    assert result.exit_code == 3
    assert "books add" in result.stderr


@pytest.fixture
def variants(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with the variants of one sentence of a book that is there."""
    monkeypatch.setattr(composition.models, "embedder", lambda _: WordEmbedder())
    sentences = ["Custom grows wherever nobody chooses anything.", "Custom fades wherever somebody chooses anything."]
    with empty_library(home) as services:
        shelve(services, "Habits", sentences, school="local")
    levels = dict.fromkeys(("level1", "level2", "level3"), "Custom fades wherever nobody chooses anything.")
    return write(tmp_path / "variants.jsonl", {"id": "1", "book": "habits", "sentence": sentences[0], **levels})


CLAIMS = {
    "book": "birds",
    "sentence": "Thirty geese fly south.",
    "previous": None,
    "next": "",
    "claims": [
        {"text": "South fly the geese, thirty of them.", "verdict": "supports"},
        {"text": "Twelve geese fly south.", "verdict": "contradicts"},
        {"text": "My phone is empty.", "verdict": "not_found"},
    ],
}


def test_claims_are_judged_by_their_words_without_any_book(run: Run, tmp_path: Path) -> None:
    result = run("evaluate", "--claims", write(tmp_path / "claims.jsonl", CLAIMS), "--by", "words", "--json")

    assert json.loads(result.stdout) == {
        "claims": {
            "balanced_accuracy": 1.0,
            "contradiction_recall": 1.0,
            "contradiction_precision": 1.0,
            "confusion": {
                "supports": {"supports": 1, "contradicts": 0, "not_found": 0},
                "contradicts": {"supports": 0, "contradicts": 1, "not_found": 0},
                "not_found": {"supports": 0, "contradicts": 0, "not_found": 1},
            },
            "n": 3,
        }
    }


def test_the_table_has_the_figures_and_the_confusion(run: Run, tmp_path: Path) -> None:
    result = run("evaluate", "--claims", write(tmp_path / "claims.jsonl", CLAIMS), "--by", "words")

    lines = result.stdout.splitlines()
    assert lines[0] == "claims\tbalanced_accuracy\t1.000\t1.000 to 1.000\t3"
    assert "claims, contradicts\ttaken for supports\t0\t\t1" in lines


def test_an_unknown_verdict_is_named(run: Run, tmp_path: Path) -> None:
    wrong = CLAIMS | {"claims": [{"text": "Geese.", "verdict": "perhaps"}]}

    result = run("evaluate", "--claims", write(tmp_path / "claims.jsonl", CLAIMS, wrong), "--by", "words")

    assert result.exit_code == 2
    assert "Line 2 of the claims is not as expected: claims.0.verdict" in result.stderr


def test_claims_are_judged_by_the_reader(run: Run, tmp_path: Path) -> None:
    result = run("evaluate", "--claims", write(tmp_path / "claims.jsonl", CLAIMS), "--by", "reader", "--json")

    assert json.loads(result.stdout)["claims"]["confusion"]["contradicts"]["supports"] == 0
