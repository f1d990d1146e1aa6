import json
from pathlib import Path

from tests.unit.cli.conftest import Run


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
